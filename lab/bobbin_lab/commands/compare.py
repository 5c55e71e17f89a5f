# SPDX-License-Identifier: Apache-2.0
"""bobbin lab compare: tables and plots of results, and a check whether A is slower than B."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.analysis.comparison import Outcome, Pair, pairs
from bobbin_lab.commands.options import ResultFiles, console, load_figures
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.output.summary import cases_of, tables
from bobbin_lab.output.sweep import plain
from bobbin_lab.output.tables import LEAST_WIDTH, cell, fitted, medians_of, number
from bobbin_lab.results.records import Results, ResultsError
from bobbin_lab.results.stats import LEAST_SAMPLES

STYLES = {
    Outcome.FASTER: "green",
    Outcome.SLOWER: "red",
    Outcome.EQUAL: "",
    Outcome.UNKNOWN: "yellow",
}


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
            *(medians_of(text) if narrow else text for text in shown),
            f"{number(pair.cost.value)}x",
            interval,
            pair.outcome.value,
            ", ".join(notes),
            style=STYLES[pair.outcome],
        )
    return table


def _say_failures(screen: Console, read: Results, a: str, b: str) -> bool:
    """Cases where A fails and B does not: no figure of A shows that it is slower there."""
    threads: dict[str, dict[str, set[int | None]]] = {a: {}, b: {}}
    for run in read.errors():
        if run.column in threads:
            threads[run.column].setdefault(run.experiment, set()).add(run.threads)
    only = sorted(name for name, at in threads[a].items() if at - threads[b].get(name, set()))
    if only:
        screen.print(f"{a} fails at {', '.join(only)}.", style="red")
    return bool(only)


def _say_slower(screen: Console, found: list[Pair], a: str, b: str, percent: float) -> bool:
    slower = [pair for pair in found if pair.slower_by(percent)]
    for pair in slower:
        where = f"{pair.title}, {pair.threads} threads"
        screen.print(
            f"{where}: {a} costs {number(pair.cost.low)} to {number(pair.cost.high)}x of {b}",
            style="red",
        )
    return bool(slower)


def _say_unknown(screen: Console, found: list[Pair]) -> bool:
    unknown = sum(pair.outcome is Outcome.UNKNOWN for pair in found)
    if unknown:
        screen.print(
            f"{unknown} of {len(found)} figures have fewer than {LEAST_SAMPLES} trusted samples: "
            "whether they are slower is not known.",
            style="red",
        )
    return bool(unknown)


def _hold(screen: Console, read: Results, a: str, b: str, slower: float | None) -> bool:
    """Returns whether A is worse than B, or may be for all that is known, if that is asked."""
    fails = slower is not None and _say_failures(screen, read, a, b)
    try:
        found = pairs(read, a, b)
    except ResultsError:
        if fails:
            return True  # a case that fails everywhere has no figure
        raise
    screen.print(fitted(_table(found, a, b, screen.width < LEAST_WIDTH), screen.width))
    if slower is None:
        return False
    worse = _say_slower(screen, found, a, b, slower)
    unknown = _say_unknown(screen, found)
    if worse or unknown or fails:
        return True
    screen.print(f"{a} is nowhere surely slower than {b} by more than {slower:g} %.")
    return False


def couples_of(read: Results) -> list[tuple[str, str]]:
    """Bobbin, or the first runtime of the results, with each other one."""
    cases = cases_of(read)
    first = "bobbin" if "bobbin" in cases else cases[0]
    return [(first, c) for c in plain(read, cases) if c not in (first, SERIAL)]


def hold_all(
    screen: Console, read: Results, couples: Sequence[tuple[str, str]], slower: float | None
) -> bool:
    """Unless they are named, pairs without a common figure are left out."""
    worse, missed = [], []
    for a, b in couples:
        try:
            worse.append(_hold(screen, read, a, b, slower))
        except ResultsError as error:
            missed.append(error)
    if missed and not worse:
        raise missed[0]
    for why in missed:
        screen.print(f"Left out: {why}.", style="yellow")
    return any(worse)


def compare(
    results: ResultFiles,
    against: Annotated[
        str, typer.Option(metavar="A,B", help="hold A against B; default: bobbin and each other")
    ] = "",
    slower: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="exit 1 when A is slower than B by more than X %, fails, or has too few samples",
        ),
    ] = None,
    plots: Annotated[Path | None, typer.Option(help="folder to write plots to, as SVG")] = None,
) -> None:
    """Show medians and quartiles, ratios with their intervals, and plots."""
    screen = console()
    read = load_figures(results)
    for table in tables(read, screen.width):
        screen.print(fitted(table, screen.width))
    if plots is not None:
        from bobbin_lab.output.plots import write_all

        for path in write_all(read, plots):
            screen.print(f"Plot: {path}")
    if against:
        a, comma, b = (word.strip() for word in against.partition(","))
        if not comma:
            raise typer.BadParameter(f"{against!r}: two runtimes with a comma between are wanted")
        couples = [(a, b)]
    else:
        couples = couples_of(read)
    if not couples and slower is not None:
        raise ResultsError("there is only one runtime in the results")
    if hold_all(screen, read, couples, slower):
        raise typer.Exit(1)
