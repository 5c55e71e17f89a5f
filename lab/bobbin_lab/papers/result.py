# SPDX-License-Identifier: Apache-2.0
"""What was measured for a figure: tables and pictures, for the terminal and for the document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.output.tables import markdown_rows
from bobbin_lab.papers.declared import Figure, Models, Paper, Table, Words
from bobbin_lab.papers.grids import grid_of
from bobbin_lab.papers.growth import models_of
from bobbin_lab.papers.page import PICTURES
from bobbin_lab.papers.pictures import picture
from bobbin_lab.papers.points import Point, points_of, spoken, varying
from bobbin_lab.papers.work import name_of
from bobbin_lab.results.records import Results, Run


@dataclass(frozen=True)
class Result:
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    pictures: dict[str, str]  # the name of the file -> SVG
    sure: bool  # whether it may be published
    missing: Sequence[str] = ()  # why something has no figures

    def markdown(self, figure: Figure, where: str) -> str:
        """The section's text. `where`: the command and the machine."""
        parts = [f"{where}\n"]
        parts += [f"![{figure.title}]({PICTURES / name})\n" for name in self.pictures]
        parts.append(markdown_rows(self.headings, self.rows))
        parts += [f"{text}\n" for text in self.missing]
        return "\n".join(parts)


def runs_of(figure: Figure, results: Results, quick: bool) -> list[Run]:
    names = {name_of(entry, quick) for entry in figure.entries}
    return [run for run in results.runs if run.experiment in names]


def _absent(runs: Sequence[Run]) -> list[str]:
    found = dict.fromkeys(f"{run.column} ({run.skipped})" for run in runs if run.skipped)
    return [f"Not found here: {', '.join(found)}."] if found else []


def _failed(runs: Sequence[Run]) -> list[str]:
    return list(
        dict.fromkeys(f"{run.experiment}, {run.case}: {run.error}" for run in runs if run.error)
    )


def _refused(figure: Figure, points: Sequence[Point]) -> list[str]:
    places = tuple(d for d in points[0].at if d not in ("policy", "setting"))
    dimensions = varying(points, places)
    found = [
        f"{spoken(point, dimensions, figure)}: {point.refused}" for point in points if point.refused
    ]
    return [f"Refused, because it cannot be: {'; '.join(found)}."] if found else []


def result_of(paper: Paper, figure: Figure, results: Results, quick: bool) -> Result | None:
    """None where nothing of it was measured."""
    mark = paper.mark(figure)
    if isinstance(figure.shown, Words):
        return Result(figure.shown.headings, figure.shown.rows(), {}, True)
    runs = runs_of(figure, results, quick)
    failed = _failed(runs)
    missing = [*_absent(runs), *failed]
    if isinstance(figure.shown, Models):
        found = models_of(figure, figure.shown, results, quick)
        if found is None:
            return None
        pictures = {f"{mark}-{number}.svg": s for number, s in enumerate(found.pictures, 1)}
        return Result(found.headings, found.rows, pictures, found.sure and not failed, missing)
    points = points_of(figure, results, quick)
    if not points:
        return None
    grid = grid_of(figure, points)
    missing += _refused(figure, points)
    drawn = not isinstance(figure.shown, Table)
    believed = [point for point in points if not point.refused]
    pictures = {f"{mark}.svg": picture(figure, believed)} if drawn and believed else {}
    return Result(grid.headings, grid.rows, pictures, grid.sure and not failed, missing)
