# SPDX-License-Identifier: Apache-2.0
"""Results of runtimes under combinations of settings: grids with the last setting across."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.output.tables import cell, markdown_rows, number
from bobbin_lab.results.records import Better, Results
from bobbin_lab.results.series import Series, benchmarks, collect
from bobbin_lab.results.stats import Summary
from bobbin_lab.runtimes import parted

Place = tuple[str, str]


@dataclass(frozen=True)
class Grid:
    """A figure at one number of threads under every combination of settings."""

    title: str  # with the runtime, if there are grids of several
    unit: str
    threads: int
    better: Better
    cells: Mapping[Place, Summary]
    serial: Summary | None
    trusted: bool
    cases: frozenset[str]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(row for row, _ in self.cells))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(column for _, column in self.cells))

    @property
    def best(self) -> Place | None:
        if self.better is Better.NEITHER:
            return None
        choose = min if self.better is Better.LOWER else max
        return choose(self.cells, key=lambda place: self.cells[place].median)

    @property
    def heading(self) -> str:
        plural = "" if self.threads == 1 else "s"
        return f"{self.title}, {self.threads} thread{plural}, {self.unit}"

    @property
    def notes(self) -> list[str]:
        notes = [] if self.serial is None else [f"serial {number(self.serial.median)}"]
        return notes if self.trusted else [*notes, "disturbed"]


def _place(case: str) -> Place | None:
    _runtime, settings = parted(case)
    return (", ".join(settings[:-1]), settings[-1]) if len(settings) > 1 else None


def _grid_at(
    title: str, threads: int, by_case: Mapping[str, Series], serial: Series | None
) -> Grid | None:
    cells: dict[Place, Summary] = {}
    for case, series in by_case.items():
        place, summary = _place(case), series.summaries().get(threads)
        if place is not None and summary is not None:
            cells[place] = summary
    if len({row for row, _ in cells}) < 2 or len({column for _, column in cells}) < 2:
        return None
    first = next(iter(by_case.values()))
    alone = {} if serial is None else serial.summaries()
    return Grid(
        title=title,
        unit=first.info.unit,
        threads=threads,
        better=first.info.better,
        cells=cells,
        serial=next(iter(alone.values()), None),
        trusted=all(s.trusted() for s in (*by_case.values(), serial) if s is not None),
        cases=frozenset(by_case),
    )


def grids(results: Results) -> list[Grid]:
    """Grids of each figure that was measured under at least two by two settings of a runtime."""
    return list(_grids(results))


def _grids(results: Results) -> Iterator[Grid]:
    order = list(dict.fromkeys(name for session in results.sessions for name in session.runtimes))
    combined = [case for case in order if _place(case) is not None]
    runtimes = list(dict.fromkeys(parted(case)[0] for case in combined))
    for _, _, found in benchmarks(collect(results)):
        for runtime in runtimes:
            own = {c: found[c] for c in combined if c in found and parted(c)[0] == runtime}
            if not own:
                continue
            title = next(iter(own.values())).title
            title = title if len(runtimes) == 1 else f"{title}, {runtime}"
            for threads in sorted({t for series in own.values() for t in series.samples}):
                grid = _grid_at(title, threads, own, found.get(SERIAL))
                if grid is not None:
                    yield grid


def plain(results: Results, cases: Sequence[str]) -> list[str]:
    """The cases that no grid shows."""
    shown = {case for grid in grids(results) for case in grid.cases}
    return [case for case in cases if case not in shown]


def tables(found: Sequence[Grid]) -> Iterator[Table]:
    for grid in found:
        table = Table(title=", ".join([grid.heading, *grid.notes]), title_justify="left")
        table.add_column("")
        for column in grid.columns:
            table.add_column(column, overflow="fold")
        for row in grid.rows:
            shown = []
            for column in grid.columns:
                summary = grid.cells.get((row, column))
                style = "green" if (row, column) == grid.best else ""
                shown.append(Text(cell(summary) if summary else "-", style))
            table.add_row(row, *shown)
        yield table


def markdown(found: Sequence[Grid]) -> str:
    """One table; the best of each figure is bold."""
    columns = list(dict.fromkeys(column for grid in found for column in grid.columns))
    rows = []
    for grid in found:
        for row in grid.rows:
            figure = ", ".join([grid.heading, *grid.notes]) if row == grid.rows[0] else ""
            shown = []
            for column in columns:
                summary = grid.cells.get((row, column))
                text = cell(summary) if summary else "-"
                shown.append(f"**{text}**" if (row, column) == grid.best else text)
            rows.append([figure, row, *shown])
    return markdown_rows(["figure", "", *columns], rows)
