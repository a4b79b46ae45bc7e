"""All words of the dashboard in English and Russian. A text is a pair, so none is missing in one language."""

import re
from collections.abc import Mapping

from analysis.explore.rule_texts import RULES
from core.cards import RANKS, SUITS, parse_card

LANGUAGES: Mapping[str, str] = {"en": "English", "ru": "Русский"}

TEXTS: Mapping[str, tuple[str, str]] = {
    # the frame
    "menu": ("Pages", "Страницы"),
    "choices": ("What you choose", "Что вы задаёте"),
    "answers": ("Answers", "Ответы"),
    "link.wrong": ("The link holds what cannot be: {what}", "В ссылке недопустимое значение: {what}"),
    "working": ("Counting …", "Считаю …"),
    "done": ("Done", "Готово"),
    "loading": ("Loading …", "Загружаю …"),
    "failed": ("this could not be worked out; the terminal tells why", "не удалось посчитать; причина — в терминале"),
    "slow": (
        "The first answers after an installation take a minute: code is being compiled, once.",
        "После установки первые ответы занимают около минуты: один раз компилируется код.",
    ),
    "wrong": ("Not possible:", "Так нельзя:"),
    "command": ("The same on the command line:", "То же в командной строке:"),
    "players": ("Players", "Игроков"),
    "rules": ("Rules, as options", "Правила и варианты"),
    "preset": ("Start from", "Взять за основу"),
    # how a number is known
    "exact": ("exact", "точно"),
    "estimate": ("estimate", "оценка"),
    "fraction": ("the fraction", "дробь"),
    "deals": ("95 %, {n} deals", "95 %, раздач: {n}"),
    "one.in": ("1 in {n}", "1 из {n}"),
    "estimated": (
        "from {n} sampled deals, seed {seed}; intervals at 95 %, narrowing as deals are added",
        "по случайным раздачам: {n}, seed {seed}; интервалы 95 % сужаются по мере счёта",
    ),
    "interval.alt": ("{value}, between {low} and {high}", "{value}, от {low} до {high}"),
    "column.value": ("worth, {unit}", "ценность, {unit}"),
    "column.scale": ("on a common scale", "на общей шкале"),
    "column.interval": ("interval", "интервал"),
    "against.best": ("against the best", "против лучшего"),
    "against.refuse": ("against refusing", "против отказа"),
    "stakes": ("stakes", "ставок"),
    "points": ("points", "очков"),
    # cards
    "deck": ("The deck", "Колода"),
    "deal": ("Deal at random", "Сдать случайно"),
    "clear": ("Clear", "Очистить"),
    "type.cards": ("{place}: type the cards", "{place}: введите карты"),
    "take.out": ("{card}: take it out", "{card}: убрать"),
    "choose": ("{place}: cards still to choose: {n}", "{place}: осталось выбрать карт: {n}"),
    "place.full": (
        "{place} is full: click one of its cards to take it out",
        "{place}: все карты выбраны; нажмите на карту, чтобы убрать её",
    ),
    "too.many": ("{place}: {n} cards are more than {most}", "{place}: карт {n}, а нужно не больше {most}"),
    "used.in": ("{card} is already used: {place}", "{card} уже занята: {place}"),
    "hand": ("Your hand", "Ваши карты"),
    "up": ("Up-card", "Карта отбоя"),
    "trump": ("Trump card", "Козырная карта"),
    "seen": ("Turned talon cards, in order", "Открытые карты прикупа, по порядку"),
    "hand.missing": (
        "Choose a whole hand to see the answer. Cards still missing: {n}.",
        "Выберите все карты, и появится ответ. Не хватает карт: {n}.",
    ),
    "up.missing": ("Choose the up-card.", "Выберите карту отбоя."),
    "trump.missing": ("Choose the trump card.", "Выберите козырную карту."),
    # TONK on the deal
    "odds.menu": ("TONK", "ТОНК"),
    "odds.title": ("Who is dealt a TONK?", "Кому сдан ТОНК?"),
    "odds.about": (
        "Tonk: a dealt hand that totals at most the low or at least the high limit wins at once. With your hand chosen,"
        " the chances are those of the other players.",
        "Тонк: сданные карты с суммой не больше нижнего или не меньше верхнего предела сразу выигрывают. Если выбрать"
        " свои карты, шансы — для остальных игроков.",
    ),
    "odds.hand": ("Your hand (if you like)", "Ваши карты (если хотите)"),
    "odds.up": ("Up-card (if you like)", "Карта отбоя (если хотите)"),
    "odds.caption": ("TONK on the deal, players: {n}", "ТОНК при сдаче, игроков: {n}"),
    "odds.verdict": ("Somebody has a TONK: {chance}", "ТОНК хотя бы у одного: {chance}"),
    "odds.verdict.others": ("Another player has a TONK: {chance}", "ТОНК у кого-то из остальных: {chance}"),
    "odds.any": ("Somebody has a TONK", "ТОНК хотя бы у одного"),
    "odds.any.others": ("Another player has a TONK", "ТОНК хотя бы у одного из остальных"),
    "odds.single": ("One given player has it", "У одного данного игрока"),
    "odds.low": ("… by a low total", "… по малой сумме"),
    "odds.high": ("… by a high total", "… по большой сумме"),
    "odds.exactly": ("Exactly {j} have it", "Ровно у {j}"),
    "odds.payment": ("Your expected payment, stakes", "Ваш ожидаемый выигрыш, ставок"),
    "odds.own": ("Your own hand is a TONK.", "У вас самих ТОНК."),
    "odds.ignored": (
        "Your hand is not whole yet (cards missing: {n}), so the chances leave it out.",
        "Ваши карты выбраны не все (не хватает: {n}), поэтому шансы — без них.",
    ),
    # dropping on the first turn
    "drop.menu": ("Drop", "Ва-банк"),
    "drop.title": ("Drop on the first turn?", "Ва-банк на первом ходу?"),
    "drop.about": (
        "Tonk: you show your hand at once, nobody having a TONK. You win if every other total is greater, and pay"
        " double to each who has less.",
        "Тонк: вы сразу открываете карты, ТОНКа ни у кого нет. Если у всех остальных сумма больше, вы выиграли; "
        " каждому, у кого меньше, вы платите двойную ставку.",
    ),
    "drop.caption": ("Dropping {total}, players: {n}", "Ва-банк с суммой {total}, игроков: {n}"),
    "drop.p_win": ("Every other total is greater", "У всех остальных больше"),
    "drop.p_less": ("Somebody has less", "У кого-то меньше"),
    "drop.p_no_tonk": ("Nobody has a TONK", "Ни у кого нет ТОНКа"),
    "drop.payment": ("Expected payment, stakes", "Ожидаемый выигрыш, ставок"),
    "drop.verdict": (
        "Dropping {total} pays {pay} stakes on average.",
        "Ва-банк с суммой {total} приносит в среднем {pay} ставки.",
    ),
    # a Tonk position
    "position.menu": ("Turn", "Ход"),
    "position.title": ("What to do on your turn?", "Как ходить?"),
    "position.about": (
        "Tonk: your first turn, before or after the draw: what each action pays when all play on by good thresholds.",
        "Тонк: ваш первый ход, до или после взятия карты: сколько приносит каждое действие, если дальше все играют по"
        " хорошим порогам.",
    ),
    "position.turn": ("Your turn", "Ваш ход"),
    "position.before": ("before the draw", "карта не взята"),
    "position.after": ("after the draw", "карта взята"),
    "position.caption": ("What you are paid, players: {n}", "Сколько вы получите, игроков: {n}"),
    "best": ("Best so far – {what}", "Пока лучше всего – {what}"),
    "best.sure": ("Best – {what}", "Лучше всего – {what}"),
    "best.close": ("Not told apart yet: {what}", "Пока не отличить: {what}"),
    # the buy-in
    "buyin.menu": ("Buy-in", "Прикуп"),
    "buyin.title": ("Take the talon at Ton?", "Брать ли прикуп в тони?"),
    "buyin.about": (
        "Ton: keep one card and take the four of the talon for the others, refuse, or without a trump look through the"
        " stock. All before you have refused.",
        "Тонь: оставить одну карту и взять четыре карты прикупа, отказаться или, не имея козыря, выбрать козырь из"
        " колоды. Все до вас отказались.",
    ),
    "buyin.seat": ("Your seat (0 is the eldest)", "Ваше место (0 — первая рука)"),
    "buyin.model": ("How the hand goes on", "Как идёт розыгрыш"),
    "buyin.open": ("open cards", "в открытую"),
    "buyin.play": ("as players see it", "взакрытую"),
    "buyin.open.about": (
        "From the lead on all cards are open, and all others play together against you: the tricks are those that"
        " you can force. It overrates what players know.",
        "С первого хода все карты открыты, и все играют против вас: взятки — те, что вы берёте наверняка. Знание"
        " игроков здесь завышено.",
    ),
    "buyin.play.about": (
        "Every player sees only what he may see and plays by the policy tuned.",
        "Каждый видит только то, что ему положено, и играет по стратегии tuned.",
    ),
    "buyin.caption": ("Your choices, players: {n}, seat {seat}", "Ваш выбор, игроков: {n}, место {seat}"),
    "buyin.fetched": (
        "Points with this trump, if it lies in the stock",
        "Очки с этим козырем, если он в колоде",
    ),
    "buyin.tricks": ("tricks", "взяток"),
    "buyin.no_trick": ("no trick", "без взятки"),
    # variants
    "variants.menu": ("Rules", "Варианты"),
    "variants.title": ("What does a rule change?", "Что меняет правило?"),
    "variants.about": (
        "Two rule sets side by side: exact chances at once, then whole hands played on the same deals.",
        "Два набора правил рядом: сначала точные шансы, затем партии на одних и тех же раздачах.",
    ),
    "variants.game": ("Game", "Игра"),
    "variants.tonk": ("Tonk", "Тонк"),
    "variants.ton": ("Ton", "Тонь"),
    "variants.side": ("Rules {side}", "Правила {side}"),
    "variants.exact": ("On the deal", "При сдаче"),
    "variants.played": ("Whole hands, all by the policy {policy}", "Целые партии, все по стратегии {policy}"),
    "variants.same": (
        "Both rule sets are the same: change a rule of one.",
        "Оба набора одинаковы: измените правило в одном из них.",
    ),
    "variants.moved": ("Stakes moved by TONK hands", "Ставок меняется из-за ТОНКа"),
    "variants.seat": ("Payment of seat {seat}, stakes", "Выигрыш места {seat}, ставок"),
    "variants.points": ("Points of seat {seat}", "Очки места {seat}"),
    "variants.turns": ("Turns a hand", "Ходов за партию"),
    "variants.kind.tonk": ("Ends by a TONK", "Кончается ТОНКом"),
    "variants.kind.drop_won": ("Ends by a drop that won", "Кончается удачным ва-банком"),
    "variants.kind.drop_lost": ("Ends by a drop that lost", "Кончается неудачным ва-банком"),
    "variants.kind.out": ("Ends by going out", "Кто-то избавился от карт"),
    "variants.kind.stock_out": ("Ends with the stock", "Кончилась колода"),
    "ton.trumpless": ("The eldest has no trump", "Первая рука без козыря"),
    "ton.stock": ("… and then the stock has one", "… и тогда козырь есть в колоде"),
    "ton.talon": ("The talon has a trump", "В прикупе есть козырь"),
    "ton.five": ("The eldest is sure of a bid of five", "Первая рука наверняка берёт «на 5»"),
    "ton.buy": ("Seat {seat} takes the talon", "Место {seat} берёт прикуп"),
    "ton.no_trick": ("Seat {seat} plays without a trick", "Место {seat} без взятки"),
    # actions
    "refuse": ("refuse", "отказаться"),
    "keep": ("keep", "оставить"),
    "trumpless": ("look through the stock", "искать козырь в колоде"),
    "drop": ("drop", "ва-банк"),
    "stock": ("draw from the stock", "взять из колоды"),
    "up.take": ("take the discard", "взять из отбоя"),
    "lay": ("lay", "выложить"),
    "hit": ("hit", "добавить"),
    "on": ("on", "к"),
    "discard": ("discard", "сбросить"),
}

_RANKS = {
    "en": ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"),
    "ru": (
        "туз", "двойка", "тройка", "четвёрка", "пятёрка", "шестёрка", "семёрка", "восьмёрка", "девятка", "десятка",
        "валет", "дама", "король",
    ),
}  # fmt: skip
_SUITS = {"en": ("spades", "hearts", "diamonds", "clubs"), "ru": ("пик", "червей", "бубен", "крестей")}
_OF = {"en": " of ", "ru": " "}
_FACES = {"en": RANKS, "ru": ("Т", *RANKS[1:10], "В", "Д", "К")}
_SYMBOLS = ("♠", "♥", "♦", "♣")
# The action "up" of a record; the other words of actions are their own keys.
_WORDS = {"up": "up.take"}


class Texts:
    """The dashboard's words in one language."""

    def __init__(self, lang: str) -> None:
        """Choose a language of LANGUAGES."""
        self.lang = lang
        self._place = tuple(LANGUAGES).index(lang)

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its values filled in."""
        return TEXTS[key][self._place].format(**values)

    def rule(self, game: str, name: str) -> str:
        """Return what a rule of a game does, in a line."""
        return RULES[game][name][self._place]

    def whole(self, number: int) -> str:
        """Return a whole number with its thousands apart."""
        return f"{number:,}" if self.lang == "en" else f"{number:,}".replace(",", "\u00a0")

    def card_name(self, card: int) -> str:
        """Return a card's name in words, as in ace of spades."""
        return _RANKS[self.lang][card % 13] + _OF[self.lang] + _SUITS[self.lang][card // 13]

    def face(self, card: int) -> str:
        """Return a card's face as HTML: rank and suit."""
        return f"<b>{_FACES[self.lang][card % 13]}</b><span>{_SYMBOLS[card // 13]}</span>"

    def cards(self, action: str) -> str:
        """Return an action of the command line, as in `keep As`, in this language, as HTML with the cards' faces."""
        return " ".join(self._word(word) for word in action.split())

    def _word(self, word: str) -> str:
        if re.fullmatch(rf"({'|'.join(RANKS)})[{''.join(SUITS)}]", word):
            card = parse_card(word)
            return f'<span class="face suit-{card // 13}">{self.face(card)}</span>'
        return self(_WORDS.get(word, word))
