# SPDX-License-Identifier: Apache-2.0
"""bobbin lab scale: how this machine's processors are used, in a few minutes."""

from __future__ import annotations

import os
import shlex
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bobbin_lab.commands import model, publish_scale
from bobbin_lab.commands.compare import couples_of, hold_all
from bobbin_lab.commands.options import console, numbers_of_threads, updated
from bobbin_lab.commands.run import say_trust
from bobbin_lab.measure.execute import TIMED_OUT
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.model.analyse import analyse
from bobbin_lab.output.captions import command_line
from bobbin_lab.output.summary import tables
from bobbin_lab.output.tables import fitted
from bobbin_lab.results.records import Results, ResultsError
from bobbin_lab.results.stats import LEAST_SAMPLES
from bobbin_lab.scale.programs import SUITE, threads_of, work_of
from bobbin_lab.scale.rounds import fit_to_be_shown, measure_for, rounds_of


def _show(screen: Console, results: Results) -> None:
    say_trust(screen, results)
    for table in tables(results, screen.width):
        screen.print(fitted(table, screen.width))
    couples = couples_of(results)
    if couples:
        hold_all(screen, results, couples, None)
    if analyse(results):
        model.show(screen, results, "auto")
    else:
        screen.print(publish_scale.NO_MODELS)


def scale(
    minutes: Annotated[
        float, typer.Option(min=0.01, help="all that it may take; each round has every case once")
    ] = 9,
    rounds: Annotated[
        int, typer.Option("--rounds", "--reps", min=1, help="at most; fewer where the time ends")
    ] = 15,
    runtimes: Annotated[
        str, typer.Option(help="as for `run`; default: those present of gomp, omp, bobbin")
    ] = "",
    threads: Annotated[
        str,
        typer.Option(help="such as 1,2,4; default: powers of two up to the processors, and these"),
    ] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="of the JSON lines")] = None,
    update: Annotated[
        Path | None, typer.Option(help="replace the tables of `scale` in this document")
    ] = None,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 10,
    seed: Annotated[int, typer.Option(help="of the order of the runs")] = 1,
) -> None:
    """Measure constructs and programs at 1, 2, 4, 8 ... processors on several runtimes, by turns,
    for at most some minutes: for a machine that is lent for a short time.
    """
    screen = console()
    if update is not None:
        updated(update, SUITE)
    path = output or Path(f"lab-scale-{datetime.now():%Y%m%d-%H%M%S}.jsonl")
    if path.exists():
        raise ResultsError(f"{path} is there already")
    counts = numbers_of_threads(threads) or threads_of(len(os.sched_getaffinity(0)))
    settings = Settings(retries=0, quiet_wait=quiet_wait, seed=seed)
    named = [word for word in runtimes.split(",") if word]
    seconds = 60 * minutes
    work = work_of(named, counts, seconds, settings)
    try:
        results = measure_for(work, path, seconds, rounds, screen)
    except KeyboardInterrupt:
        if path.exists():
            screen.print(
                f"Stopped. What was measured is kept: bobbin lab report {shlex.quote(str(path))}",
                soft_wrap=True,
            )
        raise
    if not results.runs:
        raise ResultsError(f"{minutes:g} minutes are too few for a single run")
    made = rounds_of(results)
    results = fit_to_be_shown(results)
    _show(screen, results)
    screen.print(f"Results: {path}", soft_wrap=True)
    few = made < LEAST_SAMPLES
    if few:
        screen.print(
            f"Only {made} rounds were made: tables of {LEAST_SAMPLES} or more are published. More "
            "--minutes or fewer --threads help.",
            style="red",
        )
    elif update is not None:
        command = command_line()
        text = publish_scale.section(results, command, made, couples_of(results))
        update.write_text(updated(update, SUITE, text), encoding="utf-8")
    # A rival that takes too long is a result, not a failure.
    failed = [run for run in results.errors() if run.error != TIMED_OUT]
    if failed or (few and update is not None):
        raise typer.Exit(1)
