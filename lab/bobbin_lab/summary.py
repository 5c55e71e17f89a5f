# SPDX-License-Identifier: Apache-2.0
"""Medians and quartiles of results, runtime by runtime."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.markup import escape
from rich.table import Table

from bobbin_lab import machine, sweep
from bobbin_lab.plan import SERIAL
from bobbin_lab.records import Results
from bobbin_lab.series import benchmarks, collect
from bobbin_lab.tables import cell, markdown_rows


def cases_of(results: Results) -> list[str]:
    """The runtimes in the order of the first session, then references."""
    found = collect(results)
    named = [name for session in results.sessions for name in session.runtimes]
    return list(dict.fromkeys([*named, *(key.case for key in found)]))


@dataclass(frozen=True)
class _Row:
    """A figure at one number of threads."""

    title: str
    threads: int
    unit: str
    cells: dict[str, str]
    trusted: bool


def _missing(results: Results) -> dict[tuple[str, str], str]:
    """Why a benchmark has no figure of a case: what it needs was not found, or how it failed."""
    return {
        (run.experiment, run.case.partition(", ")[0]): (
            "not found" if run.skipped else (run.error or "").partition(":")[0]
        )
        for run in results.runs
        if run.skipped or run.error
    }


def _rows(results: Results, cases: list[str]) -> Iterator[list[_Row]]:
    """Figure by figure, threads ascending, of what was taken in one of these cases."""
    missing = _missing(results)
    for benchmark, _, found in benchmarks(collect(results)):
        by_case = {case: series for case, series in found.items() if case in cases}
        if not by_case.keys() - {SERIAL}:
            continue
        first = next(iter(by_case.values()))
        trusted = all(series.trusted() for series in by_case.values())
        summaries = {case: series.summaries() for case, series in by_case.items()}
        # The serial program does not depend on the threads: it stands beside all of them.
        alone = list(summaries.pop(SERIAL, {}).values())
        serial = {SERIAL: cell(alone[0])} if alone else {}
        why = {case: text for (name, case), text in missing.items() if name == benchmark}
        rows = []
        for count in sorted({count for summary in summaries.values() for count in summary}):
            taken = {case: cell(s[count]) for case, s in summaries.items() if count in s}
            cells = {**why, **taken, **serial}
            rows.append(_Row(first.title, count, first.info.unit, cells, trusted))
        yield rows


def _columns(results: Results) -> list[str]:
    """The cases that no grid shows, also those that have no figure at all."""
    every = [*cases_of(results), *(case for _, case in _missing(results))]
    return list(dict.fromkeys(sweep.plain(results, every)))


def _summary(results: Results, cases: list[str]) -> Table:
    table = Table(
        title=machine.sentence(results.sessions[-1].machine), title_justify="left", min_width=80
    )
    for heading in ("benchmark", "threads", "unit", *cases, ""):
        table.add_column(heading, overflow="fold")
    for figure in _rows(results, cases):
        for row in figure:
            first = row is figure[0]
            cells = [escape(row.cells.get(case, "-")) for case in cases]
            mark = "disturbed" if first and not row.trusted else ""
            title = row.title if first else ""
            table.add_row(title, str(row.threads), row.unit, *cells, mark)
        table.add_section()
    return table


def _summary_markdown(results: Results, cases: list[str]) -> str:
    rows = [
        [
            row.title if row.trusted else f"{row.title} (disturbed)",
            str(row.threads),
            row.unit,
            *(row.cells.get(case, "-") for case in cases),
        ]
        for figure in _rows(results, cases)
        for row in figure
    ]
    return markdown_rows(["figure", "threads", "unit", *cases], rows)


def tables(results: Results) -> Iterator[Table]:
    """Combinations of settings as grids, everything else in one table."""
    yield from sweep.tables(sweep.grids(results))
    cases = _columns(results)
    if set(cases) - {SERIAL}:
        yield _summary(results, cases)


def markdown(results: Results) -> str:
    grids = sweep.grids(results)
    cases = _columns(results)
    texts = [sweep.markdown(grids)] if grids else []
    if set(cases) - {SERIAL}:
        texts.append(_summary_markdown(results, cases))
    return "\n".join(texts)
