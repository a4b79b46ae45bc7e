"""Results as data frames and as tables in a notebook: every quantity is there, as it is known."""

from fractions import Fraction

import pytest

from analysis import ton, tonk
from analysis.compared import Advised
from analysis.estimate import mean, proportion
from analysis.frames import COLUMNS, to_frame
from analysis.html import to_html
from analysis.ton.buyin_outcomes import Option
from analysis.tonk.advice import Advice
from core.errors import InputError
from core.ton.rules import TonRules
from core.tonk.rules import TonkRules

SAMPLED = tuple(proportion(k, 100, seed=1) for k in (10, 20))


def test_exact_results_keep_their_fractions() -> None:
    frame = to_frame(tonk.odds(players=3))
    assert tuple(frame.columns) == COLUMNS
    assert frame.loc[frame.quantity == "single", "exact"].item() == Fraction(3371, 324870)
    assert frame.loc[frame.quantity == "exactly", "of"].tolist() == [0, 1, 2, 3]
    assert frame.loc[frame.quantity == "exactly", "value"].sum() == pytest.approx(1)
    assert frame["low"].isna().all()
    assert frame.attrs["players"] == 3
    assert frame.attrs["rules"]["low_tonk"] == 15
    assert set(to_frame(ton.odds(players=4)).quantity) >= {"trumpless", "trumps_in_talon", "sure_five"}


def test_estimates_keep_interval_and_deals_by_seat_key_and_option() -> None:
    result = tonk.Simulation(2, ("simple", "random"), SAMPLED, {"tonk": SAMPLED[0]}, SAMPLED[1], TonkRules())
    frame = to_frame(result)
    assert list(zip(frame.quantity, frame.of, strict=True)) == [
        ("payment", 0),
        ("payment", 1),
        ("kinds", "tonk"),
        ("turns", None),
    ]
    assert frame.loc[1, ["value", "low", "high", "n"]].tolist() == [
        SAMPLED[1].value,
        SAMPLED[1].low,
        SAMPLED[1].high,
        100,
    ]
    assert frame["exact"].isna().all()
    assert frame.attrs["policies"] == ("simple", "random")
    option = Option("keep As", *SAMPLED, *SAMPLED)
    bought = to_frame(ton.BuyIn(2, 0, "open", "…", 5.0, (option,), TonRules()))
    assert bought.of.tolist() == ["keep As"] * 4
    assert bought.quantity.tolist() == ["tricks", "points", "minus_refuse", "p_no_trick"]
    assert to_frame({20: Fraction(1, 3)}).loc[0, ["of", "exact"]].tolist() == [20, Fraction(1, 3)]
    with pytest.raises(InputError, match="TonkRules holds no"):
        to_frame(TonkRules())


def test_results_show_value_fraction_and_interval_in_a_notebook() -> None:
    shown = tonk.odds(players=3, rules=TonkRules(out_pay=2))._repr_html_()
    for part in ("players 3", "0.0103765", "= 3371/324870", "exactly", "Rules of Tonk: out_pay = 2."):
        assert part in shown
    assert f'title="{tonk.odds(players=3).exactly[0]}"' in shown
    payment = mean(3, 9, 100, seed=1)
    shown = to_html(Advice((Advised("drop <now>", payment, payment),), "threshold", TonkRules()))
    assert "drop &lt;now&gt;" in shown
    assert f"{payment.low:.6g} to {payment.high:.6g}" in shown
    assert "95% interval, 100 deals" in shown
    assert "minus best" in shown
