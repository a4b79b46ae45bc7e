"""The small game of two, written for OpenSpiel from the rules (T3–T11) and not from the project's engine: hands of two.

Card ids are the project's: suit = id // 13, ace 0, king 12, queen 11 and so on down. The first suit is trump.
"""

import pytest

# An extra: without it this file is left out, also by those who look for doctests in it.
pyspiel = pytest.importorskip("pyspiel")

REFUSE, RIGHT, PLAY, FOLD = 300, 301, 302, 303
KEEP, FETCH, DISCARD, CARD = 0, 60, 120, 180
ACTIONS = 304


def high(card):
    return 13 if card % 13 == 0 else card % 13


class Shared:
    """What all states share: OpenSpiel copies a state with all that it holds, which would take most of the time."""

    def __init__(self, deals, rules):
        self.deals, self.rules = deals, rules

    def __deepcopy__(self, memo):
        return self


class TonGame(pyspiel.Game):
    """`deals` are (eldest's hand, dealer's hand, talon card, trump card, stock), all equally likely."""

    def __init__(self, deals, rules):
        kind = pyspiel.GameType(
            short_name="python_small_ton",
            long_name="Ton for two with few cards",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=len(deals),
            num_players=2,
            min_utility=-7.0,
            max_utility=7.0,
            utility_sum=0.0,
            max_game_length=12,
        )
        super().__init__(kind, info, {})
        self.shared = Shared(deals, rules)

    def new_initial_state(self):
        return TonState(self)


class TonState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.shared = game.shared
        self.stage = "deal"
        self.log = [[], []]
        self.bought = self.declared = self.folded = False
        self.settled = False
        self.leader, self.led, self.won = 0, None, [0, 0]

    # What OpenSpiel asks.

    def current_player(self):
        if self.stage == "deal":
            return pyspiel.PlayerId.CHANCE
        if self.stage == "over":
            return pyspiel.PlayerId.TERMINAL
        return {"buy": 0, "fetch": 0, "declare": 0, "discard": 1, "lead": self.leader}.get(self.stage, 1 - self.leader)

    def chance_outcomes(self):
        return [(deal, 1 / len(self.shared.deals)) for deal in range(len(self.shared.deals))]

    def _legal_actions(self, player):
        hand = self.hands[player]
        if self.stage == "buy":
            right = self.shared.rules.trumpless_right != "nobody" and self.stock and not any(card < 13 for card in hand)
            return [KEEP + card for card in sorted(hand)] + [REFUSE] + ([RIGHT] if right else [])
        if self.stage == "fetch":
            return [FETCH + card for card in sorted([card for card in self.stock if card < 13] or self.stock)]
        if self.stage == "discard":
            return [DISCARD + card for card in sorted(hand)]
        if self.stage == "declare":
            return [PLAY, FOLD]
        legal = hand
        if self.stage == "follow":
            same = [card for card in hand if card // 13 == self.led // 13]
            higher = [card for card in same if high(card) > high(self.led)]
            trumps = [card for card in hand if card < 13]
            legal = (higher if self.shared.rules.must_beat != "free" else []) or same or trumps or hand
        return [CARD + card for card in sorted(legal)]

    def _apply_action(self, action):
        if self.stage == "deal":
            eldest, dealer, self.talon, self.up, stock = self.shared.deals[action]
            self.stock = list(stock)
            self.hands = [list(eldest), list(dealer)]
            for player in (0, 1):
                self.log[player] += [sorted(self.hands[player]), self.up]
            if self.shared.rules.trump_card == "to_dealer":
                self.hands[1].append(self.up)
            self.go_on()
            return
        player = self.current_player()
        self.log[player].append(action)
        # The other sees that something is kept, fetched or put away, not what.
        self.log[1 - player].append(action if action >= CARD else action // 60)
        if self.stage == "lead":
            self.hands[player].remove(action - CARD)
            self.led, self.stage = action - CARD, "follow"
        elif self.stage == "follow":
            self.follow(player, action - CARD)
        elif action == RIGHT:
            self.stage = "fetch"
            self.log[0].append(sorted(self.stock))
        else:
            self.settle(action)
            self.go_on()

    def is_terminal(self):
        return self.stage == "over"

    def returns(self):
        if self.folded:
            value = -2 if self.shared.rules.lone_player == "five_points" else 0
        else:
            points = [tricks or -self.shared.rules.zero_trick_points for tricks in self.won]
            value = points[0] - points[1]
        return [float(value), float(-value)]

    def information_state_string(self, player=None):
        return f"{self.current_player() if player is None else player}: {self.log[player]}"

    def _action_to_string(self, player, action):
        return str(action)

    def __str__(self):
        return f"{self.stage} {self.log}"

    # The rules.

    def settle(self, action):
        if action == REFUSE:
            self.settled = True
            if self.shared.rules.talon_reveal != "none":
                for log in self.log:
                    log.append(self.talon)
        elif action in (PLAY, FOLD):
            self.declared, self.folded = True, action == FOLD
        elif DISCARD <= action < CARD:
            self.hands[1].remove(action - DISCARD)
        else:
            self.settled = self.bought = True
            self.hands[0] = [action % 60, self.talon]
            self.log[0].append(self.talon)

    def go_on(self):
        due = len(self.hands[1]) == 3
        when = self.shared.rules.dealer_discard
        if not self.settled:
            self.stage = "discard" if due and when == "before_buy_in" else "buy"
        elif due and when == "before_declarations":
            self.stage = "discard"
        elif not (self.bought or self.declared):
            self.stage = "declare"
        elif self.folded:
            self.stage = "over"
        elif due:
            self.stage = "discard"
        else:
            self.stage = "lead"
            self.leader = int(self.shared.rules.no_buyer_lead == "dealer" and not self.bought)

    def follow(self, player, card):
        self.hands[player].remove(card)
        same = card // 13 == self.led // 13
        takes = high(card) > high(self.led) if same else card < 13
        if takes:
            self.leader = player
        self.won[self.leader] += 1
        self.stage = "lead" if self.hands[0] else "over"
