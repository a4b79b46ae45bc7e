"""Games of other libraries, for the benchmarks to compare with."""

import pytest


def play_openspiel(name: str, games: int) -> None:
    """Play that many games of OpenSpiel's at random, by its own bots and loop in C++."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    for number in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
