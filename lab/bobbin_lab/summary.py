# SPDX-License-Identifier: Apache-2.0
"""Medians and quartiles of a sweep, runtime by runtime."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from bobbin_lab import machine
from bobbin_lab.records import Results
from bobbin_lab.series import benchmarks, collect
from bobbin_lab.tables import cell


def cases_of(results: Results) -> list[str]:
    """The runtimes in the order of the first session, then references."""
    found = collect(results)
    named = [name for session in results.sessions for name in session.runtimes]
    return list(dict.fromkeys([*named, *(key.case for key in found)]))


def summary_table(results: Results) -> Table:
    cases = cases_of(results)
    table = Table(
        title=machine.sentence(results.sessions[-1].machine), title_justify="left", min_width=80
    )
    for heading in ("benchmark", "threads", "unit", *cases, ""):
        table.add_column(heading, overflow="fold")
    for _, _, by_case in benchmarks(collect(results)):
        first = next(iter(by_case.values()))
        threads = sorted({count for series in by_case.values() for count in series.samples})
        doubtful = any(not series.trusted() for series in by_case.values())
        for count in threads:
            cells = []
            for name in cases:
                summary = by_case[name].summaries().get(count) if name in by_case else None
                cells.append(escape(cell(summary)) if summary else "-")
            title = first.title if count == threads[0] else ""
            mark = "disturbed" if doubtful and count == threads[0] else ""
            table.add_row(title, str(count), first.info.unit, *cells, mark, end_section=False)
        table.add_section()
    return table
