# SPDX-License-Identifier: Apache-2.0
"""bobbin lab gate: fails when the growth class of a construct got worse, or the construct fails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bobbin_lab.commands.options import console, load_figures
from bobbin_lab.gate import State, judge_change
from bobbin_lab.tables import fitted

STYLES = {
    State.WORSE: "red",
    State.FAILED: "red",
    State.BETTER: "green",
    State.SAME: "",
    State.UNSURE: "yellow",
}


def gate(
    baseline: Annotated[Path, typer.Argument(help="results to be held against")],
    results: Annotated[Path, typer.Argument(help="results to be judged")],
    runtime: Annotated[str, typer.Option(help="only this one; default: each in both files")] = "",
) -> None:
    """Exit 1 when a figure grows faster than it did, in class, for some runtime, or fails now."""
    screen = console()
    changes = judge_change(load_figures([baseline]), load_figures([results]), runtime)
    table = Table(title=f"{results} against {baseline}", title_justify="left")
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
    for state, what in ((State.WORSE, "grow faster than they did"), (State.FAILED, "fail")):
        found = [f"{c.title} on {c.case}" for c in changes if c.state is state]
        if found:
            screen.print(f"Of {len(changes)} figures {what}: {', '.join(found)}.")
    if any(change.state.bad for change in changes):
        raise typer.Exit(1)
    screen.print(f"None of {len(changes)} figures surely grows faster than it did.")
