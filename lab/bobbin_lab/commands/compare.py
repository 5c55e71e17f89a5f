# SPDX-License-Identifier: Apache-2.0
"""bobbin lab compare: tables and plots of results, and whether A is slower than B."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bobbin_lab.commands.options import ResultFiles, console
from bobbin_lab.comparison import LEAST_SAMPLES, Outcome, Pair, pairs
from bobbin_lab.plan import SERIAL
from bobbin_lab.records import ResultsError, load_all
from bobbin_lab.summary import cases_of, tables
from bobbin_lab.sweep import plain
from bobbin_lab.tables import cell, number

STYLES = {Outcome.FASTER: "green", Outcome.SLOWER: "red", Outcome.EQUAL: ""}


def _table(found: list[Pair], a: str, b: str) -> Table:
    table = Table(
        title=f"{a} against {b}: cost of {a} as a multiple of {b}'s", title_justify="left"
    )
    for heading in ("figure", "threads", "unit", a, b, "cost", "95 % interval", f"{a} is", ""):
        table.add_column(heading, overflow="fold")
    for pair in found:
        notes = [] if pair.trusted else ["disturbed"]
        notes += [] if pair.enough else [f"fewer than {LEAST_SAMPLES} samples"]
        table.add_row(
            pair.title,
            str(pair.threads),
            pair.unit,
            escape(cell(pair.a)),
            escape(cell(pair.b)),
            f"{number(pair.cost.value)}x",
            f"{number(pair.cost.low)} to {number(pair.cost.high)}",
            pair.outcome.value,
            ", ".join(notes),
            style=STYLES[pair.outcome],
        )
    return table


def _fail_if_slower(screen: Console, found: list[Pair], a: str, b: str, percent: float) -> None:
    slower = [pair for pair in found if pair.slower_by(percent)]
    for pair in slower:
        where = f"{pair.title}, {pair.threads} threads"
        screen.print(
            f"{where}: {a} costs {number(pair.cost.low)} to {number(pair.cost.high)}x of {b}",
            style="red",
        )
    if slower:
        raise typer.Exit(1)
    screen.print(f"{a} is nowhere surely slower than {b} by more than {percent:g} %.")


def compare(
    results: ResultFiles,
    against: Annotated[
        str, typer.Option(metavar="A,B", help="hold A against B; default: bobbin and each other")
    ] = "",
    slower: Annotated[
        float | None,
        typer.Option(metavar="X", help="exit 1 when A is slower than B by more than X %"),
    ] = None,
    plots: Annotated[Path | None, typer.Option(help="folder to write plots to, as SVG")] = None,
) -> None:
    """Show medians and quartiles, ratios with their intervals, and plots."""
    screen = console()
    read = load_all(results)
    for table in tables(read):
        screen.print(table)
    if plots is not None:
        from bobbin_lab.plots import write_all

        for path in write_all(read, plots):
            screen.print(f"Plot: {path}")
    cases = cases_of(read)
    if against:
        a, comma, b = against.partition(",")
        if not comma:
            raise typer.BadParameter(f"{against!r}: two runtimes with a comma between are wanted")
        couples = [(a, b)]
    else:
        first = "bobbin" if "bobbin" in cases else cases[0]
        couples = [(first, c) for c in plain(read, cases) if c not in (first, SERIAL)]
    if not couples and slower is not None:
        raise ResultsError("there is only one runtime in the results")
    for a, b in couples:
        found = pairs(read, a, b)
        screen.print(_table(found, a, b))
        if slower is not None:
            _fail_if_slower(screen, found, a, b, slower)
