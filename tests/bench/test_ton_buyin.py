"""What the buy-in costs: the whole command, and deals a second in the kernel."""

import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.cards import parse_card, parse_cards
from core.ton.open_buyin import solve_options
from core.ton.rules import TonRules
from core.ton.spot import Spot

TONLAB = Path(sys.executable).with_name("tonlab")
HAND, TRUMP_CARD = "As 7d 8d Jh 9c", "9s"


def test_the_command_as_a_whole_process(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    runs = iter(range(100))

    def run() -> None:
        question = ["--hand", HAND, "--trump-card", TRUMP_CARD, "--players", "2", "--model", "open", "--json"]
        store = ["--store", str(tmp_path / str(next(runs)))]
        subprocess.run([str(TONLAB), "ton", "buyin", *question, *store], check=True, capture_output=True)

    run()
    start = perf_counter()
    benchmark.pedantic(run, rounds=5)
    print(f"\ntonlab ton buyin, two players, to ± 0.02 tricks: {(perf_counter() - start) / 5:.2f} s (bound 2 s)")


@pytest.mark.parametrize(("players", "deals"), [(2, 4000), (3, 2000), (4, 1000), (5, 200), (6, 50)])
def test_deals_a_second(players: int, deals: int) -> None:
    spot = Spot(TonRules(), players, 0, parse_cards(HAND), parse_card(TRUMP_CARD))
    cards = spot.sample_deals(deals, seed=1, first=0)
    solve_options(spot, cards[:2])
    start = process_time()
    solve_options(spot, cards)
    print(f"\nthe buy-in of {players} players, six choices: {deals / (process_time() - start):,.0f} deals a second")
