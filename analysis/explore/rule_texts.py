"""A line about each rule of both games, in English and Russian: what its values mean."""

from collections.abc import Mapping

RULES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Tonk": {
        "several_tonks": (
            "Several TONKs: each holder is paid, the first one only, they share one payment, or nobody pays.",
            "Несколько ТОНКов: платят каждому, только первому, делят одну выплату или никто не платит.",
        ),
        "drop_allowed": (
            "A player may drop on any of his turns, or on his first one only.",
            "Ва-банк на любом своём ходу или только на первом.",
        ),
        "drop_tie": (
            "Another total equal to the dropper's: he does not win from it, it counts as less, or as more.",
            "Равная сумма при ва-банке: не выигрыш, считается меньшей или большей.",
        ),
        "drop_settlement": (
            "After a lost drop every pair settles, or only the lowest total is paid.",
            "После неудачного ва-банка рассчитывается каждая пара или платят только наименьшей сумме.",
        ),
        "meld_duty": ("A meld held after the draw must be laid, or may be.", "Комбинацию нужно выложить или можно."),
        "set_fourth": (
            "A set of three never takes its fourth card, or may.",
            "К трём картам одного достоинства четвёртую добавлять нельзя или можно.",
        ),
        "ace_runs": ("Runs: the ace is low, or low and high.", "Туз в ряду: только младший или и старший."),
        "stock_out": (
            "The stock runs out: lowest total is paid, nobody pays, or the discards are shuffled once.",
            "Колода кончилась: платят наименьшей сумме, никто не платит или отбой один раз тасуют.",
        ),
        "out_pay": (
            "Stakes paid to one who goes out without a discard.",
            "Ставок тому, кто избавился от карт без сброса.",
        ),
        "hit_hold": (
            "A card hit onto a player's meld holds him from dropping for a turn.",
            "Карта, добавленная к комбинации игрока, лишает его ва-банка на один ход.",
        ),
        "equal_pays": (
            "After a lost drop the dropper pays all equal or lower, and nobody else pays.",
            "После неудачного ва-банка игрок платит всем, у кого не больше, и никто другой не платит.",
        ),
        "up_card": ("A card is turned up after the deal, or not.", "После сдачи открывают карту отбоя или нет."),
        "low_tonk": (
            "A dealt total of at most this is a TONK (none: no low TONK).",
            "Сумма не больше этой — ТОНК (none: такого ТОНКа нет).",
        ),
        "high_tonk": (
            "A dealt total of at least this is a TONK (none: no high TONK).",
            "Сумма не меньше этой — ТОНК (none: такого ТОНКа нет).",
        ),
        "tonk_pay": ("Stakes that each pays to a TONK.", "Ставок, которые каждый платит за ТОНК."),
        "drop_penalty": (
            "Stakes that a dropper pays to each lower total.",
            "Ставок, которые объявивший платит каждой меньшей сумме.",
        ),
        "hand_size": ("Cards dealt to each player.", "Карт каждому игроку."),
        "decks": ("Decks of 52 cards, 1 to 4.", "Колод по 52 карты, от 1 до 4."),
    },
    "Ton": {
        "talon_reveal": (
            "Each refusal turns a talon card, only the first one does, or none.",
            "Каждый отказ открывает карту прикупа, только первый или ни один.",
        ),
        "trumpless_right": (
            "Who may fetch a trump from the stock when he has none: the eldest, nobody, every buyer.",
            "Кто без козыря может взять его из колоды: первая рука, никто, каждый прикупающий.",
        ),
        "trump_card": (
            "The shown trump card goes to the dealer, or stays on the table.",
            "Открытую козырную карту берёт сдатчик, или она остаётся на столе.",
        ),
        "must_beat": (
            "Following suit: beat the led card, beat the best one so far, or any card of the suit.",
            "В масть: бить выхоженную карту, бить старшую из вышедших или любой картой масти.",
        ),
        "must_overtrump": (
            "Who must trump must beat the best trump, or need not.",
            "Козырем нужно перебивать козырь или необязательно.",
        ),
        "no_buyer_lead": (
            "Nobody has bought: the eldest leads, or the dealer.",
            "Прикуп никто не взял: ходит первая рука или сдатчик.",
        ),
        "lone_player": (
            "Who plays alone takes all five points, or none.",
            "Оставшийся один получает пять очков или ничего.",
        ),
        "dealer_discard": (
            "The dealer discards before or after players say whether they play, or before the buy-in.",
            "Сдатчик сбрасывает до или после заявок об игре или до прикупки.",
        ),
        "five_bid": ("A bid of five without a trump is allowed, or off.", "Заявка «на 5» разрешена или нет."),
        "five_bid_lead": ("The bidder of five leads, or the eldest.", "В «на 5» ходит объявивший или первая рука."),
        "five_bid_exchange": (
            "A bid of five is played on the dealt cards, or after a buy-in.",
            "«На 5» играют на сданных картах или после прикупки.",
        ),
        "five_bid_failed_tricks": (
            "A failed bidder's tricks score, or are lost.",
            "Взятки неудачного «на 5» засчитываются или пропадают.",
        ),
        "five_bid_fold": (
            "Others may fold against a bid of five, or must play.",
            "Против «на 5» можно не играть или играть обязаны все.",
        ),
        "reach_target": (
            "Two reach the target in a hand: the first in trick order wins, or the highest record.",
            "Двое дошли до цели в одной партии: первый по взяткам или больший счёт.",
        ),
        "zero_trick": (
            "No trick: choice of plus or minus points, only a plus, or only minus.",
            "Без взятки: плюс или списание на выбор, только плюс или только списание.",
        ),
        "must_play_points": ("From so many points on one must play.", "С этих очков играть обязательно."),
        "pot_plus_points": ("From so many points on a plus is a pot plus.", "С этих очков плюс — на весь кон."),
        "target_points": ("Points that win the match.", "Очков для победы."),
        "zero_trick_points": ("Points lost for no trick.", "Очков списывают за невзятие."),
        "five_bid_pluses": ("Pluses for a failed bid of five.", "Плюсов за неудачное «на 5»."),
        "ante": ("Ante of each player.", "Взнос каждого в кон."),
        "plus_price": ("Price of a plus.", "Цена плюса."),
        "hand_size": ("Cards in a hand.", "Карт у игрока."),
        "talon_size": ("Cards in the talon: one fewer.", "Карт в прикупе: на одну меньше."),
    },
}
