# SPDX-License-Identifier: Apache-2.0
"""bobbin lab gate: fails when a construct's growth class got worse."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bobbin_lab.commands.options import console
from bobbin_lab.gate import State, judge_change
from bobbin_lab.records import load

STYLES = {State.WORSE: "red", State.BETTER: "green", State.SAME: "", State.UNSURE: "yellow"}


def gate(
    baseline: Annotated[Path, typer.Argument(help="results to be held against")],
    results: Annotated[Path, typer.Argument(help="results to be judged")],
    runtime: Annotated[str, typer.Option(help="only this one; default: each in both files")] = "",
) -> None:
    """Exit 1 when a figure grows faster than it did, in class, for some runtime."""
    screen = console()
    changes = judge_change(load(baseline), load(results), runtime)
    table = Table(title=f"{results} against {baseline}", title_justify="left")
    for heading in ("figure", "runtime", "was", "is", ""):
        table.add_column(heading, overflow="fold")
    for change in changes:
        table.add_row(
            change.title,
            change.case,
            str(change.was),
            str(change.now),
            change.state.value,
            style=STYLES[change.state],
        )
    screen.print(table)
    worse = [f"{c.title} on {c.case}" for c in changes if c.state is State.WORSE]
    if worse:
        screen.print(f"Of {len(changes)} figures grow faster than they did: {', '.join(worse)}.")
        raise typer.Exit(1)
    screen.print(f"None of {len(changes)} figures surely grows faster than it did.")
