# SPDX-License-Identifier: Apache-2.0
"""The pictures of a paper's figures: curves, bars side by side or stacked, and heat maps."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize

from bobbin_lab.drawing import COLOURS, MARKERS, STYLE, legend, new_axes, plain, svg
from bobbin_lab.papers.declared import Bars, Curves, Dimensions, Figure, HeatMap
from bobbin_lab.papers.points import Point, spoken, title_of, varying
from bobbin_lab.tables import number

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


def _colours(names: Sequence[str], figure: Figure) -> list[int]:
    """A place among the colours for each name. A runtime has the same one in all pictures."""
    usual = [title_of(runtime, figure.names) for runtime in figure.runtimes]
    others = itertools.count(len(usual))
    return [usual.index(name) if name in usual else next(others) for name in names]


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
    for place, (name, all_members) in zip(
        _colours(list(lines), figure), lines.items(), strict=True
    ):
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
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            linestyle=_DASHES[place // len(COLOURS) % len(_DASHES)],
            label=plain(textwrap.fill(name, 2 * _WRAP)),
            markersize=5,
            capsize=2,
        )
    _scale_x(axes, sorted({float(point.at[show.x]) for point in points}), show.log_x)
    if show.log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(show.x_title or show.x)
    axes.set_ylabel(plain(figure.quantity.axis))
    legend(canvas, axes, None)
    return svg(canvas, figure.title, sized=True)


def _bars(figure: Figure, show: Bars, points: Sequence[Point]) -> str:
    groups = _by_name(points, show.groups, figure)
    names = list(_by_name(points, show.bars, figure))
    differ = varying(points, show.bars) or show.bars[:1]
    canvas, axes = new_axes(width=max(4.8, 1.2 + 0.9 * len(groups)))
    width = 0.8 if show.stacked else 0.8 / len(names)
    below = np.zeros(len(groups))
    for column, (place, name) in enumerate(zip(_colours(names, figure), names, strict=True)):
        medians, whiskers = np.full(len(groups), np.nan), np.zeros((2, len(groups)))
        for group, members in enumerate(groups.values()):
            for point in members:
                if spoken(point, differ, figure) == name:
                    middle = point.summary.median
                    medians[group] = middle
                    whiskers[:, group] = middle - point.summary.low, point.summary.high - middle
        shift = 0 if show.stacked else (column - (len(names) - 1) / 2) * width
        axes.bar(
            np.arange(len(groups)) + shift,
            medians,
            width,
            bottom=below if show.stacked else 0,
            yerr=None if show.stacked else whiskers,
            color=COLOURS[place % len(COLOURS)],
            label=plain(textwrap.fill(name, 2 * _WRAP)),
            error_kw={"ecolor": "#1c1c1c", "elinewidth": 1, "capsize": 2},
        )
        below += np.nan_to_num(medians)
    turned = any(len(name) > 12 for name in groups) and len(groups) > 3
    axes.set_xticks(
        range(len(groups)),
        [plain(textwrap.fill(name, _WRAP)) for name in groups],
        rotation=40 if turned else 0,
        ha="right" if turned else "center",
    )
    axes.grid(visible=False, axis="x")
    if show.log:
        axes.set_yscale("log")
    axes.set_ylabel(plain(figure.quantity.axis))
    legend(canvas, axes, None)
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
                text = number(float(value))
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
