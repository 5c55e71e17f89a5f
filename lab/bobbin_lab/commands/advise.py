# SPDX-License-Identifier: Apache-2.0
"""bobbin lab advise: which runtime and setting suits a program."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.advice import Trial, recommendation, try_settings
from bobbin_lab.commands.options import console
from bobbin_lab.given_input import given_input
from bobbin_lab.progress import Board
from bobbin_lab.settings import candidates, must_be_served
from bobbin_lab.tables import cell, fitted, number


def _table(trials: list[Trial]) -> Table:
    table = Table(title="Wall time of the program, fastest first", title_justify="left")
    for heading in ("setting", "s", "CPU s", "runs", "of the fastest", ""):
        table.add_column(heading, overflow="fold")
    ranked = sorted((t for t in trials if t.times), key=lambda trial: trial.summary.median)
    for trial in ranked:
        notes = ["dropped after the first round"] if trial.dropped else []
        notes += ["disturbed"] if trial.disturbed else []
        table.add_row(
            trial.setting.name,
            cell(trial.summary),
            number(trial.cpu.median),
            str(len(trial.times)),
            f"{trial.summary.median / ranked[0].summary.median:.2f}x",
            ", ".join(notes),
        )
    for trial in trials:
        if trial.error:
            table.add_row(trial.setting.name, "failed", "", "", "", trial.error, style="red")
    return table


def _say(screen: Console, trials: list[Trial], argv: list[str]) -> None:
    advice = recommendation(trials)
    if advice is None:
        screen.print("The program failed with every setting.", style="red")
        raise typer.Exit(1)
    screen.print(advice.sentence)
    # One line, however long, to be taken as it is.
    screen.print(f"  {advice.best.setting.command(argv)}", soft_wrap=True)


def advise(
    program: Annotated[
        list[str], typer.Argument(metavar="PROGRAM [ARG]", help="as on a command line")
    ],
    reps: Annotated[
        int, typer.Option(min=1, help="runs of each setting that is still in question")
    ] = 5,
    policies: Annotated[bool, typer.Option(help="try settings, too, not only runtimes")] = True,
    timeout: Annotated[float, typer.Option(min=0, help="seconds, for one run")] = 600,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 5,
) -> None:
    """Run a program on the runtimes that are present, with settings that may suit it, and tell
    which was fastest and by how much. Options stand before PROGRAM. Each run reads the standard
    input anew if that is a file (< FILE); of a terminal it reads nothing, and a pipe is refused.
    """
    must_be_served(program[0])
    given = given_input()
    screen = console()
    argv = [str(Path(shutil.which(program[0]) or program[0]).absolute()), *program[1:]]
    settings = candidates(program[0], policies)
    trials = try_settings(
        settings, tuple(argv), reps, timeout, quiet_wait, lambda turns: Board(screen, turns), given
    )
    screen.print(fitted(_table(trials), screen.width))
    _say(screen, trials, program)
