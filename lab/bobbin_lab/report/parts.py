# SPDX-License-Identifier: Apache-2.0
"""What sections of the page are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bobbin_lab.analysis.possible import refused_speedup
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.model.analyse import SeriesModel
from bobbin_lab.output.tables import cell
from bobbin_lab.results.records import Results
from bobbin_lab.results.series import Series

DISTURBED = "disturbed"


@dataclass(frozen=True)
class Cell:
    text: str
    note: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Grid:
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Plot:
    svg: str
    caption: str


@dataclass
class Section:
    anchor: str
    title: str
    lead: str
    plots: list[Plot] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)

    def holds_anything(self) -> bool:
        return bool(self.plots) or any(grid.rows for grid in self.grids)


@dataclass(frozen=True)
class Page:
    title: str
    where: str
    summary: list[str]
    sections: list[Section]
    facts_title: str
    facts: list[tuple[str, str]]


@dataclass(frozen=True)
class Material:
    """The data from which sections are made."""

    results: Results
    cases: list[str]
    models: list[SeriesModel]
    # Benchmark, metric, and the series of each case.
    figures: list[tuple[str, str, dict[str, Series]]]

    def of_group(self, group: str) -> list[tuple[str, str, dict[str, Series]]]:
        return [f for f in self.figures if next(iter(f[2].values())).group == group]

    def cases_of_group(self, group: str) -> list[str]:
        """The cases of its figures, without the serial program, which only serves as a divisor."""
        taken = {case for _, _, by_case in self.of_group(group) for case in by_case}
        return [case for case in self.cases if case in taken and case != SERIAL]


def figure_cell(
    series: Series | None, threads: int, base: float | None = None, processors: int = 1
) -> Cell:
    """A median with its quartiles, marked where more than a quarter of its runs were disturbed.
    `base`: as a speedup over that, by threads on so many processors.
    """
    summary = series.summaries().get(threads) if series is not None else None
    if series is None or summary is None:
        return Cell("-")
    shown = summary if base is None else summary.inverse_scaled(base)
    if base is not None and (why := refused_speedup(shown.median, threads, processors)):
        return Cell("refused", why)
    return Cell(cell(shown), "" if series.trusted_at(threads) else DISTURBED)
