# SPDX-License-Identifier: Apache-2.0
"""The table of a figure: its points in rows and columns, as its picture arranges them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.output.tables import cell
from bobbin_lab.papers.declared import Bars, Curves, Dimensions, Figure, HeatMap, Table
from bobbin_lab.papers.points import Point, spoken, varying

# Behind a median of fewer undisturbed runs than a figure needs.
UNSURE = "?"
# In the place of what cannot be true.
REFUSED = "refused"


@dataclass(frozen=True)
class Grid:
    headings: list[str]
    rows: list[list[str]]
    sure: bool


def _arranged(figure: Figure) -> tuple[Dimensions, Dimensions]:
    """What goes down and what goes across."""
    show = figure.shown
    if isinstance(show, Curves):
        return (show.x,), show.lines
    if isinstance(show, Bars):
        return show.groups, show.bars
    if isinstance(show, Table):
        return show.rows, show.columns
    assert isinstance(show, HeatMap)
    return (*show.panels, *show.rows), show.columns


def grid_of(figure: Figure, points: Sequence[Point]) -> Grid:
    down, across = _arranged(figure)
    left = varying(points, down) or down[:1]
    top = varying(points, across) or across[:1]
    columns = list(dict.fromkeys(spoken(point, top, figure) for point in points))
    rows: dict[str, dict[str, str]] = {}
    for point in points:
        text = REFUSED if point.refused else cell(point.summary)
        text += "" if point.sure else f" {UNSURE}"
        row = rows.setdefault(spoken(point, left, figure), {})
        row[spoken(point, top, figure)] = text
    return Grid(
        [figure.quantity.axis, *columns],
        [[name, *(cells.get(column, "-") for column in columns)] for name, cells in rows.items()],
        all(point.sure for point in points),
    )
