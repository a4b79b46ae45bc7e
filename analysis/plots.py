"""Pictures: the one module that imports matplotlib and seaborn.

Every function returns a matplotlib Figure. Exact values are lines or bars, sampled ones points with their interval, so
that no picture needs colour alone; the palette is safe for colour-blind readers.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analysis.estimate import Estimate
from core.errors import InputError

# The same picture gives the same bytes: no random ids, no date; text as outlines, so that it needs no font.
_STYLE: Any = {
    "svg.hashsalt": "tonlab",
    "svg.fonttype": "path",
    "figure.constrained_layout.use": True,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10,
}
# Seaborn's palette `colorblind`, written out: importing seaborn takes longer than most pictures.
_COLOURS = [
    *("#0173b2", "#de8f05", "#029e73", "#d55e00", "#cc78bc"),
    *("#ca9161", "#fbafe4", "#949494", "#ece133", "#56b4e9"),
]
_MARKERS = "osD^vPX*<>"

Value = Fraction | float
Picture = Figure


def to_svg(figure: Figure) -> str:
    """Return the figure as SVG text, the same for the same figure."""
    text = StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def save(figure: Figure, path: Path) -> None:
    """Write the figure to a file, by its ending SVG or PNG.

    Raises InputError for a file that cannot be written.
    """
    try:
        if path.suffix == ".svg":
            path.write_text(to_svg(figure), encoding="utf-8")
            return
        with mpl.rc_context(_STYLE):
            figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None


def font_folder() -> Path:
    """Return the folder of the fonts that come with matplotlib (DejaVu, which has Cyrillic)."""
    return Path(mpl.get_data_path()) / "fonts" / "ttf"


def distribution(
    exact: Mapping[int, Value],
    sampled: Mapping[int, Estimate],
    marked: Mapping[str, tuple[float, float]],
    *,
    x_label: str,
    y_label: str,
) -> Figure:
    """Draw a distribution over whole numbers: bars exact, points sampled, and ranges marked by a label."""
    import seaborn as sns

    figure, axes = _new(7.2, 3.6)
    x = list(exact)
    sns.barplot(x=x, y=[float(exact[k]) for k in x], color=_COLOURS[0], native_scale=True, ax=axes, label="exact")
    _points(axes, sampled, "sampled, 95 % interval", "black")
    for index, (label, (start, stop)) in enumerate(marked.items()):
        axes.axvspan(
            start - 0.5, stop + 0.5, color=_COLOURS[1], alpha=0.25, hatch="//", lw=0, label=None if index else "TONK"
        )
        axes.annotate(label, ((start + stop) / 2, axes.get_ylim()[1] * 0.92), ha="center", fontsize=9)
    return _finished(figure, axes, x_label, y_label, percent=True)


def lines(
    exact: Mapping[str, Mapping[int, Value]],
    sampled: Mapping[str, Mapping[int, Estimate]] | None = None,
    *,
    x_label: str,
    y_label: str,
    percent: bool = False,
    log: bool = False,
    zero_line: bool = False,
) -> Figure:
    """Draw exact curves over whole numbers, one marker a curve, with sampled points of the same curves on them."""
    figure, axes = _new(7.2, 4.0)
    for index, (label, curve) in enumerate(exact.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        x = [k for k, value in curve.items() if value or not log]
        axes.plot(
            x, [float(curve[k]) for k in x], color=colour, marker=_MARKERS[index % len(_MARKERS)], ms=4, label=label
        )
    for index, points in enumerate((sampled or {}).values()):
        _points(axes, points, None if index else "sampled, 95 % interval", "black")
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    if log:
        axes.set_yscale("log")
    if zero_line:
        axes.axhline(0, color="black", lw=1)
    return _finished(figure, axes, x_label, y_label, percent=percent)


def estimates(
    curves: Mapping[str, Mapping[int, Estimate]],
    *,
    x_label: str,
    y_label: str,
    x_names: Mapping[int, str] | None = None,
    zero_line: bool = False,
) -> Figure:
    """Draw sampled curves over whole numbers, each point with its interval; `x_names` says what the numbers stand for.

    Curves stand a little apart, so that their intervals do not lie upon each other.
    """
    figure, axes = _new(7.2, 4.0)
    for index, (label, curve) in enumerate(curves.items()):
        aside = 0.06 * (index - (len(curves) - 1) / 2)
        values = list(curve.values())
        axes.errorbar(
            [x + aside for x in curve],
            [estimate.value for estimate in values],
            yerr=[[e.value - e.low for e in values], [e.high - e.value for e in values]],
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            ms=4,
            capsize=2,
            lw=1,
            label=label,
        )
    if zero_line:
        axes.axhline(0, color="black", lw=1)
    ticks = sorted({x for curve in curves.values() for x in curve})
    axes.set_xticks(ticks, [(x_names or {}).get(x, str(x)) for x in ticks])
    return _finished(figure, axes, x_label, y_label, percent=False)


def differences(
    names: Sequence[str],
    curves: Mapping[str, Sequence[Fraction | Estimate]],
    *,
    x_label: str,
    y_label: str,
) -> Figure:
    """Draw changes against zero for each of the names: sampled ones with their interval, exact ones as a bare point."""
    figure, axes = _new(7.2, 4.0)
    for index, (label, values) in enumerate(curves.items()):
        aside = 0.12 * (index - (len(curves) - 1) / 2)
        reaches = [value.half_width if isinstance(value, Estimate) else 0.0 for value in values]
        axes.errorbar(
            [place + aside for place in range(len(names))],
            [_height(value) for value in values],
            yerr=reaches,
            color=_COLOURS[index % len(_COLOURS)],
            marker=_MARKERS[index % len(_MARKERS)],
            ls="",
            ms=5,
            capsize=3,
            lw=1,
            label=label,
        )
    axes.axhline(0, color="black", lw=1)
    axes.set_xticks(range(len(names)), names)
    axes.margins(x=0.12)
    return _finished(figure, axes, x_label, y_label, percent=False)


def changes(
    rows: Mapping[str, Sequence[Fraction | Estimate]], names: Sequence[str], *, x_label: str, linear: float
) -> Figure:
    """Draw a row of changes for each label, the first on top; `names` says what the changes of a row are of.

    Sampled ones come with their interval, hollow where it holds zero, exact ones without. Beyond ±`linear` the axis is
    logarithmic.
    """
    figure, axes = _new(7.2, 1.2 + 0.22 * len(rows))
    for index, name in enumerate(names):
        for place, values in enumerate(rows.values()):
            value = values[index]
            sampled = value if isinstance(value, Estimate) else None
            axes.errorbar(
                [_height(value)],
                [place + 0.22 * (index - (len(names) - 1) / 2)],
                xerr=[sampled.half_width] if sampled else None,
                color=_COLOURS[index % len(_COLOURS)],
                marker=_MARKERS[index % len(_MARKERS)],
                mfc="white" if sampled and sampled.low <= 0 <= sampled.high else None,
                ms=4,
                lw=1,
                ls="",
                label=None if place else name,
            )
    axes.axvline(0, color="black", lw=1)
    axes.set_xscale("symlog", linthresh=linear)
    axes.set_yticks(range(len(rows)), list(rows), fontsize=7)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(x_label)
    axes.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), ncol=len(names))
    return figure


def ranges(
    centre: Mapping[int, Value],
    low: Mapping[int, Value],
    high: Mapping[int, Value],
    reference: tuple[str, Value],
    *,
    x_label: str,
    y_label: str,
    label: str,
) -> Figure:
    """Draw a mean with the range around it over whole numbers, and a horizontal line to compare with."""
    figure, axes = _new(7.2, 3.6)
    x = list(centre)
    bounds = ([float(low[k]) for k in x], [float(high[k]) for k in x])
    axes.fill_between(x, *bounds, color=_COLOURS[0], alpha=0.25, label="from least to most")
    axes.plot(x, [float(centre[k]) for k in x], color=_COLOURS[0], marker="o", ms=4, label=label)
    axes.axhline(float(reference[1]), color="black", ls="--", lw=1, label=reference[0])
    return _finished(figure, axes, x_label, y_label, percent=True)


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[Value]],
    *,
    x_label: str,
    y_label: str,
    label: str | None = None,
    digits: int = 1,
) -> Figure:
    """Draw a table as a heat map, each cell labelled: chances in percent, or with a `label` the values as they are.

    Such values have colours for both sides of zero.
    """
    import seaborn as sns

    figure, axes = _new(7.2, 4.6)
    scale = 100 if label is None else 1
    numbers = [[scale * float(value) for value in row] for row in values]
    sns.heatmap(
        numbers,
        annot=True,
        fmt=f".{digits}f",
        cmap="cividis" if label is None else "PuOr",
        center=None if label is None else 0,
        xticklabels=list(columns),
        yticklabels=list(rows),
        cbar_kws={"label": label or "chance, %"},
        annot_kws={"fontsize": 8 if len(columns) < 13 else 6.5},
        ax=axes,
    )
    axes.grid(visible=False)
    axes.tick_params(axis="y", rotation=0)
    axes.set(xlabel=x_label, ylabel=y_label)
    return figure


def _height(value: Fraction | Estimate) -> float:
    return value.value if isinstance(value, Estimate) else float(value)


def _new(width: float, height: float) -> tuple[Figure, Axes]:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height))
        return figure, figure.subplots()


def _points(axes: Axes, points: Mapping[int, Estimate], label: str | None, colour: str) -> None:
    values = list(points.values())
    below = [max(0.0, estimate.value - estimate.low) for estimate in values]
    above = [max(0.0, estimate.high - estimate.value) for estimate in values]
    axes.errorbar(
        list(points),
        [estimate.value for estimate in values],
        yerr=[below, above],
        fmt="x",
        color=colour,
        ms=4,
        capsize=2,
        lw=1,
        label=label,
        zorder=3,
    )


def _finished(figure: Figure, axes: Axes, x_label: str, y_label: str, *, percent: bool) -> Figure:
    axes.set(xlabel=x_label, ylabel=y_label)
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(xmax=1))
    axes.legend(frameon=False, fontsize=8)
    return figure
