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
from bobbin_lab.records import Results, ResultsError, load_all
from bobbin_lab.summary import cases_of, tables
from bobbin_lab.sweep import plain
from bobbin_lab.tables import LEAST_WIDTH, cell, fitted, medians_of, number

STYLES = {Outcome.FASTER: "green", Outcome.SLOWER: "red", Outcome.EQUAL: "", Outcome.UNKNOWN: "yellow"}


def _table(found: list[Pair], a: str, b: str, narrow: bool) -> Table:
    table = Table(
        title=f"{a} against {b}: cost of {a} as a multiple of {b}'s", title_justify="left"
    )
    for heading in ("figure", "threads", "unit", a, b, "cost", "95 % interval", f"{a} is", ""):
        table.add_column(heading, overflow="fold")
    for pair in found:
        shown = [cell(pair.a), cell(pair.b)]
        notes = [] if pair.trusted else ["disturbed"]
        notes += [] if pair.enough else [f"fewer than {LEAST_SAMPLES} samples"]
        interval = f"{number(pair.cost.low)} to {number(pair.cost.high)}" if pair.enough else "-"
        table.add_row(
            pair.title,
            str(pair.threads),
            pair.unit,
            *(escape(medians_of(text) if narrow else text) for text in shown),
            f"{number(pair.cost.value)}x",
            interval,
            pair.outcome.value,
            ", ".join(notes),
            style=STYLES[pair.outcome],
        )
    return table


def _say_failures(screen: Console, read: Results, a: str, b: str) -> bool:
    """What A fails at and B does not: no figure of A's tells that it is slower there."""
    failed = {case: [r.experiment for r in read.errors() if r.runtime == case] for case in (a, b)}
    only = sorted(set(failed[a]) - set(failed[b]))
    if only:
        screen.print(f"{a} fails at {', '.join(only)}.", style="red")
    return bool(only)


def _fail_if_slower(
    screen: Console, read: Results, found: list[Pair], a: str, b: str, percent: float
) -> None:
    fails = _say_failures(screen, read, a, b)
    slower = [pair for pair in found if pair.slower_by(percent)]
    for pair in slower:
        where = f"{pair.title}, {pair.threads} threads"
        screen.print(
            f"{where}: {a} costs {number(pair.cost.low)} to {number(pair.cost.high)}x of {b}",
            style="red",
        )
    if slower or fails:
        raise typer.Exit(1)
    unknown = sum(pair.outcome is Outcome.UNKNOWN for pair in found)
    if unknown:
        screen.print(
            f"{unknown} of {len(found)} figures have fewer than {LEAST_SAMPLES} samples: they tell "
            "nothing.",
            style="yellow",
        )
    screen.print(f"{a} is nowhere surely slower than {b} by more than {percent:g} %.")


def compare(
    results: ResultFiles,
    against: Annotated[
        str, typer.Option(metavar="A,B", help="hold A against B; default: bobbin and each other")
    ] = "",
    slower: Annotated[
        float | None,
        typer.Option(metavar="X", help="exit 1 when A is slower than B by more than X %, or fails"),
    ] = None,
    plots: Annotated[Path | None, typer.Option(help="folder to write plots to, as SVG")] = None,
) -> None:
    """Show medians and quartiles, ratios with their intervals, and plots."""
    screen = console()
    read = load_all(results)
    for table in tables(read, screen.width):
        screen.print(fitted(table, screen.width))
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
        narrow = screen.width < LEAST_WIDTH
        screen.print(fitted(_table(found, a, b, narrow), screen.width))
        if slower is not None:
            _fail_if_slower(screen, read, found, a, b, slower)
