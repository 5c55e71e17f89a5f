# SPDX-License-Identifier: Apache-2.0
"""bobbin lab advise: finds out what the user of a slow program should do."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.advice import words
from bobbin_lab.advice.allowed import Allowed, allowed
from bobbin_lab.advice.asked import Asked, asked
from bobbin_lab.advice.budget import least, plan, spoken
from bobbin_lab.advice.candidates import candidates
from bobbin_lab.advice.look import must_be_built
from bobbin_lab.advice.recommendation import needs_its_threads, recommend
from bobbin_lab.advice.settings import as_it_is, must_be_served
from bobbin_lab.advice.trials import Bench, Outcome, Session, Trial
from bobbin_lab.causes.watch import MOST_RUNS, Watcher
from bobbin_lab.causes.words import unseen, why
from bobbin_lab.commands.options import console
from bobbin_lab.experiments.given_input import given_input
from bobbin_lab.measure.progress import Board
from bobbin_lab.output.tables import cell, fitted, number
from bobbin_lab.runtimes import MissingError

_INTERRUPTED = 130
# At most this part of the budget is for the runs that show where the time goes.
_TO_SEE_WHY = 0.25


def _rows(trials: Sequence[Trial]) -> Sequence[Trial]:
    """The fastest first. The dropped settings come after them, and the failed ones at the end."""
    return sorted(
        (trial for trial in trials if trial.walls or trial.dropped or trial.error),
        key=lambda t: (bool(t.error), bool(t.dropped), t.summary.median if t.walls else 0),
    )


def _table(outcome: Outcome) -> Table:
    usual = outcome.usual
    table = Table(title="Wall time of the program, fastest first", title_justify="left")
    for heading in ("runtime", "threads", "set", "s", "CPU s", "runs", "as fast", ""):
        table.add_column(heading, overflow="fold")
    for trial in _rows(outcome.trials):
        notes = ["what you have"] if trial is usual else []
        notes += [f"dropped: {trial.dropped}"] if trial.dropped else []
        notes += ["disturbed"] if trial.disturbed else []
        figures = ["", "", "", ""]
        if trial.walls and not trial.in_vain:
            gain = usual.summary.median / trial.summary.median
            runs = str(len(trial.times) or 1)
            figures = [cell(trial.summary), number(trial.cpu.median), runs, f"{gain:.2f}x"]
        if trial.error:
            figures[0] = "failed"
            notes.append(trial.error)
        table.add_row(
            trial.look.runtime if trial.look.libraries else trial.setting.runtime.title,
            trial.look.team,
            trial.setting.words,
            *figures,
            ", ".join(notes),
            style="red" if trial.error else "dim" if trial.dropped else "",
        )
    return table


def _first(screen: Console, bench: Bench, limits: Allowed) -> tuple[Trial, float]:
    """Shows the user's setting, and the seconds of one of its runs."""
    setting = as_it_is(bench.asked)
    screen.print(f"Running it once, as it is: {setting.command(bench.asked)}", soft_wrap=True)
    began = time.monotonic()
    trial, _ = bench.look(setting, bench.timeout)
    seconds = time.monotonic() - began
    if trial.error:
        screen.print(f"It failed: {trial.error}", style="red", soft_wrap=True)
        raise typer.Exit(1)
    if not trial.look.in_use and not trial.look.hidden:
        screen.print(words.no_openmp(trial), soft_wrap=True)
        raise typer.Exit
    trial.setting = replace(setting, runtime=replace(setting.runtime, title=trial.look.runtime))
    for sentence in words.seen(trial, limits, bench.asked):
        screen.print(sentence, soft_wrap=True)
    return trial, seconds


def _causes(
    screen: Console,
    watcher: Watcher,
    once: float,
    seconds: float,
    outcome: Outcome,
    limits: Allowed,
) -> list[str]:
    """What keeps the program from being faster, line by line. `once`: seconds for one run."""
    if outcome.ended == "interrupted":
        return []
    if once > seconds:
        return [unseen(f"a run takes {spoken(once)}, and {spoken(seconds)} of --budget are for it")]
    screen.print("Watching where its time goes")
    try:
        watched = watcher.watch(seconds)
    except KeyboardInterrupt:
        outcome.ended = "interrupted"
        return []
    if watched is None:
        return [unseen(watcher.problem)]
    return list(why(replace(watched, needs_its_threads=needs_its_threads(outcome, limits))))


def _say(
    screen: Console, outcome: Outcome, limits: Allowed, asked_for: Asked, causes: Sequence[str]
) -> None:
    if outcome.ended:
        screen.print(words.early_end(outcome), style="yellow")
    for sentence in words.which_is_faster(outcome):
        screen.print(sentence, soft_wrap=True)
    screen.print(fitted(_table(outcome), screen.width))
    for line in causes:
        screen.print(line, soft_wrap=True, markup=False, highlight=False)
    found = recommend(outcome)
    if found is None:
        screen.print("There is nothing to compare.", style="red")
        return
    for sentence in words.conclusion(outcome, found, limits, asked_for):
        screen.print(sentence, soft_wrap=True)
    if found.sure or found.worth_trying:
        # One line, however long, so that it can be pasted as it is.
        screen.print(f"\n  {found.best.setting.command(asked_for)}", soft_wrap=True)


def advise(
    program: Annotated[
        list[str], typer.Argument(metavar="PROGRAM [ARG]", help="as on a command line")
    ],
    budget: Annotated[
        float, typer.Option(min=0, help="seconds that the runs after the first may take")
    ] = 300,
    reps: Annotated[
        int, typer.Option(min=1, help="timed runs of each setting that is still in question")
    ] = 9,
    policies: Annotated[
        bool, typer.Option(help="try more: other runtimes, binding, policies of waiting and tasks")
    ] = False,
    timeout: Annotated[float, typer.Option(min=0, help="seconds, for one run")] = 600,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 5,
) -> None:
    """Find out what makes an OpenMP program faster here: the number of threads, the runtime, how
    threads wait. It is run once as it is, then under other settings, by turns, and watched, to
    tell which lines keep it from being faster; the end is a line to paste. Options stand before
    PROGRAM, which may begin with `env NAME=VALUE`. Each run reads the standard input anew if that
    is a file (< FILE); of a terminal it reads nothing, and a pipe is refused.
    """
    command = asked(program)
    must_be_served(command.words[0])
    must_be_built()
    bench = Bench(command, timeout, given_input())
    screen = console()
    limits = allowed()
    usual, once = _first(screen, bench, limits)
    others = candidates(command, usual.look, limits, policies)
    watcher = Watcher(command, limits, usual.look.threads, timeout, bench.given)
    to_see_why = min(watcher.expected_seconds(once), _TO_SEE_WHY * budget)
    made = plan([usual.setting, *others], reps, once, budget - to_see_why)
    if made is None:
        raise MissingError(
            f"a run takes {spoken(once)}, too long to compare anything within --budget {budget:g}: "
            f"--budget {math.ceil(least(once) / (1 - _TO_SEE_WHY))} is the least, and more would "
            "tell more"
        )
    screen.print(words.outlook(made, budget, MOST_RUNS, to_see_why), soft_wrap=True)
    end = time.monotonic() + budget - to_see_why
    session = Session(bench, usual, made, end, quiet_wait, lambda t: Board(screen, t))
    outcome = session.run()
    causes = _causes(screen, watcher, once, to_see_why, outcome, limits)
    _say(screen, outcome, limits, command, causes)
    if outcome.ended == "interrupted":
        raise typer.Exit(_INTERRUPTED)
    if recommend(outcome) is None:
        raise typer.Exit(1)
