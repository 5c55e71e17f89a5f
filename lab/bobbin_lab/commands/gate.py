# SPDX-License-Identifier: Apache-2.0
"""bobbin lab gate: fails when the growth class of a construct got worse, or the construct fails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.analysis import baseline
from bobbin_lab.analysis.gate import Change, State, judge_change, judge_classes
from bobbin_lab.commands.options import console, load_figures, must_be_writable
from bobbin_lab.output.tables import fitted
from bobbin_lab.results.records import Results

STYLES = {
    State.WORSE: "red",
    State.FAILED: "red",
    State.UNKNOWN: "red",
    State.BETTER: "green",
    State.SAME: "",
    State.UNSURE: "yellow",
}

BAD = {
    State.WORSE: "grow faster than they did",
    State.FAILED: "fail",
    State.UNKNOWN: "have too few samples",
}


def _changes(given: Path, results: Results, runtime: str) -> list[Change]:
    path = baseline.stored(results) if given == baseline.STORED else given
    if baseline.is_baseline(path):
        return judge_classes(baseline.load(path), results, runtime or "bobbin")
    return judge_change(load_figures([path]), results, runtime)


def _renew(screen: Console, given: Path, results: Results, runtime: str) -> None:
    path = baseline.stored(results) if given == baseline.STORED else given
    must_be_writable(path)
    new = baseline.renewed(path, results, runtime or "bobbin")
    path.write_text(new.written(), encoding="utf-8")
    screen.print(f"{path}: {len(new.classes)} classes.", soft_wrap=True)


def gate(
    held: Annotated[
        Path,
        typer.Argument(
            metavar="BASELINE",
            help="results to be held against, a file of classes, or `stored`: the lab's own "
            "classes for this many processors",
        ),
    ],
    results: Annotated[Path, typer.Argument(help="results to be judged")],
    runtime: Annotated[
        str,
        typer.Option(help="only this one; default: each in both files, bobbin for classes"),
    ] = "",
    renew: Annotated[
        bool,
        typer.Option(
            "--renew", help="instead: write the classes of the results into the file BASELINE"
        ),
    ] = False,
) -> None:
    """Exit 1 when a figure grows faster than it did, in class, for some runtime, or fails now."""
    screen = console()
    read = load_figures([results])
    if renew:
        _renew(screen, held, read, runtime)
        return
    changes = _changes(held, read, runtime)
    table = Table(title=f"{results} against {held}", title_justify="left")
    for heading in ("figure", "runtime", "was", "is", ""):
        table.add_column(heading, overflow="fold")
    for change in changes:
        table.add_row(
            change.title,
            change.case,
            str(change.was),
            "-" if change.now is None else str(change.now),
            change.state.value,
            style=STYLES[change.state],
        )
    screen.print(fitted(table, screen.width))
    for state, what in BAD.items():
        found = [f"{c.title} on {c.case}" for c in changes if c.state is state]
        if found:
            screen.print(f"Of {len(changes)} figures {what}: {', '.join(found)}.")
    if any(change.state.bad for change in changes):
        raise typer.Exit(1)
    screen.print(f"None of {len(changes)} figures surely grows faster than it did.")
