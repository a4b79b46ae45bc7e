"""Pictures: what is drawn is what was given, exact and sampled apart, and the same figure gives the same bytes."""

import subprocess
import sys
from fractions import Fraction

import matplotlib as mpl
import numpy as np

from analysis import plots
from analysis.estimate import Estimate, proportion

EXACT = {1: Fraction(1, 4), 2: Fraction(1, 2), 3: Fraction(1, 4)}
SAMPLED = {k: proportion(250 * k, 1000, seed=1) for k in EXACT}


def test_lines_draw_the_exact_values_and_points_their_intervals() -> None:
    figure = plots.lines({"a": EXACT}, {"a": SAMPLED}, x_label="x", y_label="y", percent=True, zero_line=True)
    (axes,) = figure.axes
    assert np.allclose(axes.lines[0].get_xydata(), [(k, float(v)) for k, v in EXACT.items()])
    (bars,) = axes.containers
    ends = [sorted(y for _, y in segment) for segment in bars.lines[2][0].get_segments()]
    assert np.allclose(ends, [(e.low, e.high) for e in SAMPLED.values()])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "sampled, 95 % interval"]


def test_the_palette_is_seaborn_s_and_drawing_lines_needs_no_seaborn() -> None:
    import seaborn as sns

    assert [mpl.colors.to_hex(colour) for colour in sns.color_palette("colorblind")] == plots._COLOURS
    code = "import sys; from analysis import plots; print('seaborn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_curves_differ_by_marker_not_by_colour_alone() -> None:
    figure = plots.lines(dict.fromkeys("abcdefg", EXACT), x_label="x", y_label="y")
    assert len({line.get_marker() for line in figure.axes[0].lines}) == 7


def test_sampled_curves_show_each_interval_and_the_names_of_their_numbers() -> None:
    curves = {"a": SAMPLED, "b": SAMPLED}
    figure = plots.estimates(curves, x_label="x", y_label="y", x_names={3: "three"})
    (axes,) = figure.axes
    for bars in axes.containers:
        ends = [sorted(y for _, y in segment) for segment in bars.lines[2][0].get_segments()]
        assert np.allclose(ends, [(e.low, e.high) for e in SAMPLED.values()])
        assert np.allclose(bars.lines[0].get_xdata(), list(SAMPLED), atol=0.1)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "three"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]


def test_log_axis_leaves_out_zeros() -> None:
    figure = plots.lines({"a": {1: 0.5, 2: 0, 3: 0.1}}, x_label="x", y_label="y", log=True)
    assert list(figure.axes[0].lines[0].get_xdata()) == [1, 3]


def test_distribution_marks_the_ranges() -> None:
    figure = plots.distribution(EXACT, SAMPLED, {"low": (1, 1), "high": (3, 3)}, x_label="x", y_label="y")
    (axes,) = figure.axes
    heights = [patch.get_height() for patch in axes.patches[: len(EXACT)]]
    assert np.allclose(heights, [float(v) for v in EXACT.values()])
    assert {text.get_text() for text in axes.texts} == {"low", "high"}


def test_ranges_and_heat_map_show_their_numbers() -> None:
    band = plots.ranges(EXACT, EXACT, EXACT, ("known", Fraction(1, 3)), x_label="x", y_label="y", label="mean")
    assert [line.get_ydata()[0] for line in band.axes[0].lines] == [0.25, 1 / 3]
    heat = plots.heat_map(["a", "b"], ["c"], [[Fraction(1, 8)], [0.5]], x_label="x", y_label="y")
    assert [text.get_text() for text in heat.axes[0].texts] == ["12.5", "50.0"]


def test_changes_stand_in_rows_and_differences_in_columns_with_their_intervals() -> None:
    sampled = Estimate(0.2, 0.1, 0.0, 0.4, 10, 0.95, 1)
    rows = {"first": (Fraction(1, 2), sampled), "second": (Fraction(0), sampled)}
    figure = plots.changes(rows, ["a", "b"], x_label="x", linear=0.01)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["first", "second"]
    assert axes.get_ylim() == (1.5, -0.5)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]
    # Its interval holds zero.
    assert [line.get_markerfacecolor() for line in axes.lines if line.get_xdata()[0] == 0.2] == ["white", "white"]
    figure = plots.differences(["x", "y"], {"a": [Fraction(1, 2), sampled]}, x_label="x", y_label="y")
    assert figure.axes[0].containers[0].lines[0].get_ydata().tolist() == [0.5, 0.2]


def test_same_figure_gives_the_same_svg() -> None:
    first, second = (plots.to_svg(plots.lines({"a": EXACT}, x_label="x", y_label="y")) for _ in range(2))
    assert first == second
    assert first.startswith("<?xml")


def test_fonts_for_reports_have_cyrillic() -> None:
    assert (plots.font_folder() / "DejaVuSans.ttf").is_file()
