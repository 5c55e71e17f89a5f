# SPDX-License-Identifier: Apache-2.0
"""The pictures of a paper's figures: curves, bars side by side or stacked, and heat maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize

from bobbin_lab.output.drawing import (
    COLOURS,
    MARKERS,
    PLACES,
    STYLE,
    full_height,
    legend,
    log_scale,
    new_axes,
    place_of,
    plain,
    svg,
    wrapped,
)
from bobbin_lab.output.tables import number
from bobbin_lab.papers.declared import Bars, Curves, Dimensions, Figure, HeatMap
from bobbin_lab.papers.points import Point, spoken, title_of, varying

_DASHES = ("-", "--", ":", "-.")
# Values that differ by more than this need a logarithmic scale of colours.
_WIDE = 20
# The most characters of a text below a bar.
_WRAP = 18


def _by_name(
    points: Sequence[Point], dimensions: Dimensions, figure: Figure
) -> dict[str, list[Point]]:
    """The points with the same place in these dimensions, by that place in words."""
    differ = varying(points, dimensions) or dimensions[:1]
    found: dict[str, list[Point]] = {}
    for point in points:
        found.setdefault(spoken(point, differ, figure), []).append(point)
    return found


def _cases(lines: Mapping[str, Sequence[Point]], figure: Figure) -> dict[str, str]:
    """What decides the colour of each line or bar: its runtime, or its name where they are not of
    several runtimes.
    """
    own = {name: {point.at["runtime"] for point in members} for name, members in lines.items()}
    if any(len(one) > 1 for one in own.values()) or len({min(one) for one in own.values()}) == 1:
        return {name: name for name in lines}
    return {name: title_of(min(one), figure.names) for name, one in own.items()}


def _looks(lines: Mapping[str, Sequence[Point]], figure: Figure) -> dict[str, tuple[int, str]]:
    """A place among the colours, and a dash for lines with the same one."""
    cases = _cases(lines, figure)
    usual = [title_of(runtime, figure.names) for runtime in figure.runtimes]
    # Also those that are missing, so that a figure without them has the same colours.
    settings = [case for case in usual if case not in PLACES]
    known = list(dict.fromkeys([*settings, *cases.values()]))
    before = Counter[int]()
    looks = {}
    for name, case in cases.items():
        place = place_of(case, known)
        looks[name] = place, _DASHES[before[place] % len(_DASHES)]
        before[place] += 1
    return looks


def _scale_x(axes: Axes, values: Sequence[float], log: bool) -> None:
    """Each measured value is marked, as far as there is room. Zero stands left of a logarithmic
    scale.
    """
    positive = [value for value in values if value > 0]
    if log and positive:
        if min(values) <= 0:
            axes.set_xscale("symlog", base=2, linthresh=min(positive), linscale=0.5)
        else:
            axes.set_xscale("log", base=2)
    step = -(-len(values) // 9)
    shown = values[::step]
    axes.set_xticks(shown, [f"{value:,.6g}" for value in shown])
    axes.set_xticks([], minor=True)


def _curves(figure: Figure, show: Curves, points: Sequence[Point]) -> str:
    canvas, axes = new_axes()
    lines = _by_name(points, show.lines, figure)
    looks = _looks(lines, figure)
    for name, all_members in lines.items():
        place, dash = looks[name]
        members = [p for p in all_members if p.summary.median > 0 or not show.log_y]
        xs = [float(point.at[show.x]) for point in members]
        medians = [point.summary.median for point in members]
        axes.errorbar(
            xs,
            medians,
            yerr=[
                [point.summary.median - point.summary.low for point in members],
                [point.summary.high - point.summary.median for point in members],
            ],
            color=COLOURS[place],
            marker=MARKERS[place],
            linestyle=dash,
            label=plain(wrapped(name, 2 * _WRAP)),
            markersize=5,
            capsize=2,
        )
    _scale_x(axes, sorted({float(point.at[show.x]) for point in points}), show.log_x)
    if show.log_y:
        log_scale(axes, [point.summary.median for point in points])
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(show.x_title or show.x)
    axes.set_ylabel(plain(figure.quantity.axis))
    legend(canvas, axes, None)
    full_height(canvas, axes)
    return svg(canvas, figure.title, sized=True)


def _tell_lost(axes: Axes, places: Sequence[float], medians: Sequence[float]) -> None:
    """Writes what is not above zero at the foot of its bar."""
    for place, value in zip(places, medians, strict=True):
        if value <= 0:
            axes.text(
                place,
                0.01,
                number(value),
                transform=axes.get_xaxis_transform(),
                ha="center",
                va="bottom",
                rotation=90,
                fontsize=9,
            )


def _bars(figure: Figure, show: Bars, points: Sequence[Point]) -> str:
    groups = _by_name(points, show.groups, figure)
    bars = _by_name(points, show.bars, figure)
    names, looks = list(bars), _looks(bars, figure)
    differ = varying(points, show.bars) or show.bars[:1]
    canvas, axes = new_axes(width=max(4.8, 1.2 + 0.9 * len(groups)))
    width = 0.8 if show.stacked else 0.8 / len(names)
    below = np.zeros(len(groups))
    # The medians of the parts of a whole do not add up to the whole.
    totals = np.array([sum(p.summary.median for p in members) for members in groups.values()])
    for column, name in enumerate(names):
        medians, whiskers = np.full(len(groups), np.nan), np.zeros((2, len(groups)))
        for group, members in enumerate(groups.values()):
            for point in members:
                if spoken(point, differ, figure) == name:
                    middle = point.summary.median
                    medians[group] = middle
                    whiskers[:, group] = middle - point.summary.low, point.summary.high - middle
        if show.stacked and figure.quantity.is_share:
            medians *= 100 / totals
        shift = 0 if show.stacked else (column - (len(names) - 1) / 2) * width
        axes.bar(
            np.arange(len(groups)) + shift,
            medians,
            width,
            bottom=below if show.stacked else 0,
            yerr=None if show.stacked else whiskers,
            color=COLOURS[looks[name][0]],
            label=plain(wrapped(name, 2 * _WRAP)),
            error_kw={"ecolor": "#1c1c1c", "elinewidth": 1, "capsize": 2},
        )
        if show.log:  # which has no place for them
            _tell_lost(axes, [place + shift for place in range(len(groups))], list(medians))
        below += np.nan_to_num(medians)
    turned = any(len(name) > 12 for name in groups) and len(groups) > 3
    axes.set_xticks(
        range(len(groups)),
        [plain(wrapped(name, 2 * _WRAP if turned else _WRAP)) for name in groups],
        rotation=40 if turned else 0,
        ha="right" if turned else "center",
    )
    axes.grid(visible=False, axis="x")
    if show.log:
        log_scale(axes, [point.summary.median for point in points])
    axes.set_ylabel(plain(figure.quantity.axis))
    legend(canvas, axes, None)
    full_height(canvas, axes)
    return svg(canvas, figure.title, sized=True)


def _heat(figure: Figure, show: HeatMap, points: Sequence[Point]) -> str:
    panels = _by_name(points, show.panels, figure)
    rows = list(_by_name(points, show.rows, figure))
    columns = list(_by_name(points, show.columns, figure))
    canvas = mpl.figure.Figure(
        figsize=(2.4 + 0.75 * len(columns), len(panels) * (1.6 + 0.36 * len(rows))),
        layout="constrained",
    )
    every = [point.summary.median for point in points]
    wide = min(every) > 0 and max(every) > _WIDE * min(every)
    scale = (LogNorm if wide else Normalize)(min(every), max(every))
    of_row, of_column = (varying(points, d) or d[:1] for d in (show.rows, show.columns))
    for place, (title, members) in enumerate(panels.items()):
        axes = canvas.add_subplot(len(panels), 1, place + 1)
        grid = np.full((len(rows), len(columns)), np.nan)
        for point in members:
            row = rows.index(spoken(point, of_row, figure))
            column = columns.index(spoken(point, of_column, figure))
            grid[row, column] = point.summary.median
        image = axes.imshow(grid, cmap="cividis", norm=scale, aspect="auto")
        for (row, column), value in np.ndenumerate(grid):
            if np.isfinite(value):
                colour = "white" if scale(value) < 0.5 else "black"
                text = number(value)
                axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
        axes.set_xticks(range(len(columns)), [plain(c) for c in columns], rotation=30, ha="right")
        axes.set_yticks(range(len(rows)), [plain(row) for row in rows])
        axes.grid(visible=False)
        axes.set_title(plain(title) if len(panels) > 1 else "")
        canvas.colorbar(image, ax=axes, label=plain(figure.quantity.axis))
    return svg(canvas, figure.title, sized=True)


def picture(figure: Figure, points: Sequence[Point]) -> str:
    """As SVG."""
    show = figure.shown
    with mpl.rc_context(STYLE):
        if isinstance(show, Curves):
            return _curves(figure, show, points)
        if isinstance(show, Bars):
            return _bars(figure, show, points)
        if isinstance(show, HeatMap):
            return _heat(figure, show, points)
    raise TypeError(f"{figure.number} has no picture of this kind")
