"""What pages answer, without a browser: the numbers of the public functions, as tables."""

import re
import signal
import socket
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from time import sleep

import pytest

from analysis.estimate import proportion
from analysis.explore import ton_buyin, tonk_drop, tonk_odds, tonk_position, variants
from analysis.explore.results import Choice, Row, best_of, ranking, table
from analysis.explore.state import read
from analysis.explore.texts import Texts
from analysis.ton import buy_in
from analysis.tonk import TonkRules, drop, odds
from core.errors import InputError
from tests.explore.conftest import serving

EN = Texts("en")


def numbers(html: str, row: str) -> list[float]:
    (line,) = re.findall(rf'<tr data-name="{re.escape(row)}".*?</tr>', html)
    return [float(value) for value in re.findall(r'<data value="([^"]+)"', line)]


def first(page, **query: str) -> str:
    return next(page.answers(read(page.FIELDS, query)[0], EN))


def test_exact_pages_answer_at_once() -> None:
    found = odds(5, TonkRules(low_tonk=13))
    html = first(tonk_odds, players="5", low_tonk="13")
    assert numbers(html, "any") == [float(found.any)]
    assert "tonlab tonk odds --players 5 --set low_tonk=13" in html
    dropped = drop("As 8d 8h 5s 4c", 2, up="5c")
    assert numbers(first(tonk_drop, players="2", hand="As 8d 8h 5s 4c"), "payment") == [float(dropped.payment)]


def test_estimates_are_those_of_as_many_deals() -> None:
    *_, html = islice(ton_buyin.answers(read(ton_buyin.FIELDS, {"players": "2"})[0], EN), 2)
    deals = int(re.search(r'data-deals="(\d+)"', html)[1])
    option = buy_in("As 7d 8d Jh 9c", "9s", 2, deals=deals).options[0]
    shown = (option.points, option.tricks, option.p_no_trick, option.minus_refuse)
    assert numbers(html, option.option) == [estimate.value for estimate in shown]
    assert f"--deals {deals}" in html


@pytest.mark.parametrize("page", [tonk_odds, tonk_drop, tonk_position, ton_buyin, variants])
def test_pages_answer_in_russian(page) -> None:
    html = next(page.answers(read(page.FIELDS, {})[0], Texts("ru")))
    words = re.sub(r"<code>.*?</code>|<[^>]+>", " ", html)
    assert not re.findall("[A-Za-z]{2,}", words.replace("seed", ""))


def test_what_is_missing_is_said_instead_of_an_answer() -> None:
    assert "missing: 2" in first(tonk_drop, hand="As 2s 3s")
    assert "up-card" in first(tonk_position, up="")
    assert "trump card" in first(ton_buyin, trump="")
    with pytest.raises(InputError, match="must lie below"):
        first(tonk_odds, low_tonk="50")


def test_exact_and_estimated_are_told_apart_by_words() -> None:
    html = table(EN, "c", [Row("a", "A", Fraction(1, 3)), Row("b", "B<", proportion(1, 3, seed=1))])
    assert "= exact" in html
    assert "≈ estimate" in html
    assert "B&lt;" in html
    assert "1/3" in html
    assert "<details>" in table(EN, "c", [Row("a", "A", Fraction(10**30, 3**70))])


def test_small_chances_do_not_show_as_none() -> None:
    html = table(EN, "c", [Row("a", "A", Fraction(1, 10**7)), Row("b", "B", Fraction(0)), Row("c", "C", Fraction(1))])
    assert ">0.0000100 %<" in html
    assert ">0 %<" in html
    assert ">100.0 %<" in html or ">100 %<" in html


def test_the_best_is_called_so_only_when_it_is_sure() -> None:
    one = Choice("drop", proportion(90, 100, seed=1), proportion(0, 100, seed=1), worse=False)
    close = Choice("stock", proportion(89, 100, seed=1), proportion(1, 100, seed=1), worse=False)
    far = Choice("up", proportion(9, 100, seed=1), proportion(50, 100, seed=1), worse=True)
    assert "Best so far" in best_of(EN, "stakes", [one, close, far])
    assert "Not told apart yet: draw from the stock" in best_of(EN, "stakes", [one, close, far])
    assert "Best –" in best_of(EN, "stakes", [one, far])
    drawn = ranking(EN, "c", "stakes", "best", [one, far])
    assert drawn.count('role="img" aria-label="0.') == 2


def test_other_commands_do_not_load_the_server() -> None:
    code = "import sys, analysis.cli; sys.exit('nicegui' in sys.modules or 'fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_taken_port_and_an_unknown_language_are_told_in_a_line() -> None:
    tonlab = str(Path(sys.executable).with_name("tonlab"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for arguments, said in ((["--port", str(port)], f"port {port}"), (["--lang", "de"], "'de'")):
            done = subprocess.run(
                [tonlab, "explore", "--no-browser", *arguments], capture_output=True, text=True, check=False
            )
            assert done.returncode == 2
            assert said in done.stderr
            assert done.stderr.count("\n") == 1
            assert not done.stdout


@pytest.mark.parametrize("seconds", [0, 0.05, 0.5])
@pytest.mark.parametrize(
    ("asked", "status", "says"), [(signal.SIGINT, 130, "tonlab: interrupted\n"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_stops_the_server_quietly_whatever_it_does(
    asked: signal.Signals, status: int, says: str, seconds: float
) -> None:
    with serving("--port", "0") as (process, _):
        sleep(seconds)
        process.send_signal(asked)
        _, said = process.communicate(timeout=60)
    assert process.returncode == status
    assert said == says
