# SPDX-License-Identifier: Apache-2.0
"""Medians and quartiles of results, runtime by runtime."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.table import Table

from bobbin_lab.analysis.possible import refused_share
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.host import machine
from bobbin_lab.output import sweep
from bobbin_lab.output.tables import LEAST_WIDTH, cell, markdown_rows, medians_of
from bobbin_lab.results.records import Results
from bobbin_lab.results.series import Series, benchmarks, collect
from bobbin_lab.results.stats import Summary

# A larger change of the clock changes figures.
CLOCK_SPREAD = 1.1


def cases_of(results: Results) -> list[str]:
    """The runtimes in the order of the first session, then the references."""
    found = collect(results)
    named = [name for session in results.sessions for name in session.runtimes]
    return list(dict.fromkeys([*named, *(key.case for key in found)]))


@dataclass(frozen=True)
class Row:
    """A figure at one number of threads."""

    title: str
    threads: int
    unit: str
    cells: dict[str, str]
    disturbed: frozenset[str]  # the cases of which more than a quarter of the runs were

    @property
    def trusted(self) -> bool:
        return not self.disturbed


def _missing(results: Results) -> dict[tuple[str, str], str]:
    """Why a case of a benchmark has no figure: a requirement is missing, or how it failed."""
    return {
        (run.experiment, run.column): (
            "not found" if run.skipped else (run.error or "").partition(":")[0]
        )
        for run in results.runs
        if run.skipped or run.error
    }


def _cell(summary: Summary, series: Series) -> str:
    share = series.info.unit == "%"
    why = refused_share(summary.median) if share else ""
    return f"refused: {why}" if why else cell(summary)


def _rows(results: Results, cases: list[str]) -> Iterator[list[Row]]:
    """The figures measured in these cases, by ascending number of threads."""
    missing = _missing(results)
    for benchmark, _, found in benchmarks(collect(results)):
        by_case = {case: series for case, series in found.items() if case in cases}
        if not by_case.keys() - {SERIAL}:
            continue
        first = next(iter(by_case.values()))
        summaries = {case: series.summaries() for case, series in by_case.items()}
        # The serial program does not depend on the threads, so it appears beside all of them.
        alone = list(summaries.pop(SERIAL, {}).values())
        serial = {SERIAL: cell(alone[0])} if alone else {}
        why = {case: text for (name, case), text in missing.items() if name == benchmark}
        rows = []
        for count in sorted({count for summary in summaries.values() for count in summary}):
            taken = {case: _cell(s[count], first) for case, s in summaries.items() if count in s}
            cells = {**why, **taken, **serial}
            spoilt = frozenset(c for c in taken if not by_case[c].trusted_at(count))
            rows.append(Row(first.title, count, first.info.unit, cells, spoilt))
        yield rows


def _columns(results: Results) -> list[str]:
    """The cases that no grid shows, including those without any figure."""
    every = [*cases_of(results), *(case for _, case in _missing(results))]
    return list(dict.fromkeys(sweep.plain(results, every)))


@dataclass(frozen=True)
class Block:
    """Consecutive figures that were measured in the same cases."""

    cases: list[str]
    figures: list[list[Row]]

    @property
    def headings(self) -> list[str]:
        return ["figure", "threads", "unit", *self.cases]


def blocks(results: Results) -> list[Block]:
    """Everything that no grid shows."""
    cases, found = _columns(results), list[Block]()
    for figure in _rows(results, cases):
        taken = [case for case in cases if any(case in row.cells for row in figure)]
        if not found or found[-1].cases != taken:
            found.append(Block(taken, []))
        found[-1].figures.append(figure)
    return found


def _table(block: Block, title: str | None, narrow: bool) -> Table:
    table = Table(title=title, title_justify="left", min_width=0 if narrow else 80)
    for heading in (*block.headings, ""):
        table.add_column(heading, overflow="fold")
    for figure in block.figures:
        for row in figure:
            first = row is figure[0]
            texts = [row.cells.get(case, "-") for case in block.cases]
            cells = [medians_of(text) if narrow else text for text in texts]
            mark = "disturbed" if row.disturbed else ""
            title = row.title if first else ""
            table.add_row(title, str(row.threads), row.unit, *cells, mark)
        table.add_section()
    return table


def _markdown(block: Block) -> str:
    rows = [
        [
            row.title if row.trusted else f"{row.title} (disturbed)",
            str(row.threads),
            row.unit,
            *(row.cells.get(case, "-") for case in block.cases),
        ]
        for figure in block.figures
        for row in figure
    ]
    return markdown_rows(block.headings, rows)


def clock_note(results: Results) -> str | None:
    """A warning where the clock of the processors changed."""
    clocks = results.clocks()
    if clocks is None or clocks[1] <= CLOCK_SPREAD * clocks[0]:
        return None
    return (
        f"The processors' clock went from {clocks[0]:.0f} to {clocks[1]:.0f} MHz: only ratios "
        "within a session are to be trusted."
    )


def tables(results: Results, width: int = LEAST_WIDTH) -> Iterator[Table]:
    """Combinations of settings as grids, and everything else in one table for each set of cases. A
    narrow terminal shows medians only.
    """
    yield from sweep.tables(sweep.grids(results))
    narrow = width < LEAST_WIDTH
    where = machine.sentence(results.sessions[-1].machine)
    for number, block in enumerate(blocks(results)):
        yield _table(block, None if number else where, narrow)


def markdown(results: Results) -> str:
    grids = sweep.grids(results)
    texts = [sweep.markdown(grids)] if grids else []
    return "\n".join([*texts, *map(_markdown, blocks(results))])
