"""Reference: who pays whom after a drop (K8) and for TONK hands (K4), pair by pair, in the rules' words."""

from collections.abc import Sequence
from fractions import Fraction


class Purse:
    """What each player has won or lost so far, in stakes."""

    def __init__(self, players: int) -> None:
        self.won = [Fraction(0)] * players

    def pay(self, payer: int, receiver: int, stakes: Fraction | int) -> None:
        self.won[payer] -= stakes
        self.won[receiver] += stakes

    def pay_shared(self, payer: int, receivers: list[int], stakes: int) -> None:
        """`payer` pays `stakes` once, and the receivers share them equally."""
        for receiver in receivers:
            self.pay(payer, receiver, Fraction(stakes, len(receivers)))


def settle(
    totals: Sequence[int],
    dropper: int,
    *,
    drop_tie: str,
    drop_settlement: str,
    drop_penalty: int,
    equal_pays: str,
) -> list[Fraction]:
    """Return what each seat wins when `dropper` drops and all show these totals."""
    own = totals[dropper]
    others = [seat for seat in range(len(totals)) if seat != dropper]

    if equal_pays == "yes":
        drop_tie = "dropper_loses"  # only a total less than every other one wins; the rest is settled below

    # How the others stand to the dropper. drop_tie says where somebody with the dropper's total belongs.
    less = [seat for seat in others if totals[seat] < own]
    equal = [seat for seat in others if totals[seat] == own]
    if drop_tie == "dropper_loses":
        less, equal = less + equal, []
    elif drop_tie == "dropper_wins":
        equal = []  # they have more

    purse = Purse(len(totals))

    # "If d is less than every other player's total, each other player pays the dropper 1 stake."
    if not less and not equal:
        for seat in others:
            purse.pay(seat, dropper, 1)

    # "the dropper pays drop_penalty to everyone equal or lower and nobody else pays"
    elif equal_pays == "yes":
        for seat in less:
            purse.pay(dropper, seat, drop_penalty)

    elif drop_settlement == "pairwise":
        # "If somebody has less, the dropper pays drop_penalty (2) stakes to each player with less"
        for seat in less:
            purse.pay(dropper, seat, drop_penalty)
        # "and every player with a greater total pays 1 stake to each player with a smaller one (the dropper
        # included as a receiver; his own payment is the doubled one)"
        for payer in others:
            for receiver in others:
                if totals[payer] > totals[receiver]:
                    purse.pay(payer, receiver, 1)
            if payer not in less and payer not in equal:
                purse.pay(payer, dropper, 1)

    else:
        # "the dropper pays the doubled stake only to the players with the lowest total, nobody else pays
        # anybody but those: each player above the lowest pays the lowest 1 stake, the dropper 2; several
        # lowest share equally"
        lowest = [seat for seat in range(len(totals)) if totals[seat] == min(totals)]
        # A dropper who ties for the lowest shares with the others (no_win) or loses to them (dropper_loses).
        if dropper in lowest and drop_tie == "dropper_loses":
            lowest.remove(dropper)
        for seat in range(len(totals)):
            if seat not in lowest:
                purse.pay_shared(seat, lowest, drop_penalty if seat == dropper else 1)

    return purse.won


def tonk_pay(holders: Sequence[bool], *, several_tonks: str, tonk_pay: int) -> list[Fraction]:
    """Return what each seat wins when the seats marked in `holders` have TONK; seat 0 is dealer's left."""
    winners = [seat for seat, holds in enumerate(holders) if holds]
    losers = [seat for seat, holds in enumerate(holders) if not holds]
    purse = Purse(len(holders))

    if not winners:
        return purse.won

    for loser in losers:
        if several_tonks == "each":
            for winner in winners:
                purse.pay(loser, winner, tonk_pay)
        elif several_tonks == "first":
            purse.pay(loser, winners[0], tonk_pay)
        elif several_tonks == "split":
            purse.pay_shared(loser, winners, tonk_pay)
        elif several_tonks == "void" and len(winners) == 1:
            purse.pay(loser, winners[0], tonk_pay)

    return purse.won
