# SPDX-License-Identifier: Apache-2.0
"""bobbin lab run: measures a suite on several runtimes, by turns."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bobbin_lab import catalogue, machine
from bobbin_lab.commands.options import console
from bobbin_lab.noise import load_average, wait_until_quiet
from bobbin_lab.places import program
from bobbin_lab.plan import Experiment
from bobbin_lab.progress import Board
from bobbin_lab.records import BenchmarkInfo, Results, ResultsError, Session, Writer, load
from bobbin_lab.runtimes import Runtime, present, serving_library, usable_runtimes
from bobbin_lab.schedule import Outcome, Settings, run_experiment, turns
from bobbin_lab.suites import TABLES, experiments
from bobbin_lab.summary import summary_table
from bobbin_lab.tables import markdown_table, terminal_table, with_section
from bobbin_lab.verdict import Row, evaluate


@dataclass
class Plan:
    """All that decides which runs are made."""

    target: str
    runtimes: dict[str, Runtime]
    threads: tuple[int, ...]
    settings: Settings
    only: str = ""
    experiments: list[Experiment] = field(default_factory=list)

    def __post_init__(self) -> None:
        every = experiments(self.target, list(self.runtimes), self.threads or None)
        self.experiments = [e for e in every if self.only in e.name]
        if not self.experiments:
            raise ResultsError(f"{self.target} has no experiment whose name contains {self.only!r}")

    def session(self) -> Session:
        names = {experiment.name for experiment in self.experiments}
        probe = (program("region"), "op=parallel", "seconds=0.001")
        infos: dict[str, BenchmarkInfo] = {}
        if self.target not in TABLES:
            infos = {b.name: b.info() for b in catalogue.load() if b.name in names}
        return Session(
            suite=self.target,
            runtimes={n: serving_library(r, probe) for n, r in self.runtimes.items()},
            threads=self.threads,
            rounds=self.settings.rounds,
            seed=self.settings.seed,
            benchmarks=infos,
            machine=machine.describe(),
            only=self.only,
        )


def _numbers(text: str) -> tuple[int, ...]:
    try:
        numbers = tuple(int(word) for word in text.split(",") if word)
    except ValueError:
        numbers = (0,)
    if any(number < 1 for number in numbers):
        raise typer.BadParameter(f"{text!r}: numbers of threads with commas between are wanted")
    return numbers


def measure(plan: Plan, path: Path, console: Console) -> Results:
    """Makes the runs that the file does not hold yet."""
    done = load(path).runs if path.exists() else []
    if plan.settings.retries and not wait_until_quiet(plan.settings.quiet_wait):
        console.print(
            f"The machine is busy (load {load_average():.2f}): disturbed runs are repeated, "
            "and marked where that does not help.",
            style="yellow",
        )
    writer = Writer(path)
    writer.session(plan.session())
    every = [t for e in plan.experiments for t in turns(e, plan.runtimes, plan.settings)]
    known = {run.identity for run in done}
    try:
        with Board(console, [turn for turn in every if turn.identity not in known]) as board:
            for experiment in plan.experiments:
                for run in run_experiment(
                    experiment, plan.runtimes, plan.settings, lambda t, _o: board.begin(t), done
                ):
                    writer.run(run)
                    board.end(run)
    finally:
        writer.close()
    return load(path)


def _rows(plan: Plan, results: Results) -> list[Row]:
    return [
        evaluate(outcome, figure)
        for experiment in plan.experiments
        if (outcome := Outcome.of(experiment, results.runs)).count()
        for figure in experiment.figures
    ]


def _trust(results: Results, console: Console) -> None:
    untrusted, errors = results.untrusted(), results.errors()
    if untrusted:
        console.print(
            f"{untrusted} of {len(results.runs)} runs were disturbed by other work on the machine; "
            "rows that rest on them say so.",
            style="yellow",
        )
    for failed in errors:
        console.print(f"{failed.experiment}, {failed.case}: {failed.error}", style="red")


def run(
    target: Annotated[
        str,
        typer.Argument(metavar="SUITE|BENCH", help="`list` tells which there are"),
    ] = "list",
    runtimes: Annotated[
        str,
        typer.Option(
            help="of gomp, omp, iomp, bobbin, a library's path, NAME=PATH; default: present"
        ),
    ] = "",
    threads: Annotated[str, typer.Option(help="such as 1,2,4; default: the benchmark's own")] = "",
    reps: Annotated[
        int, typer.Option("--reps", "--rounds", help="at least 5 for a published figure")
    ] = 5,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="of the JSON lines")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with this file, as its first session began it")
    ] = None,
    only: Annotated[str, typer.Option(help="experiments whose name contains this")] = "",
    markdown: Annotated[Path | None, typer.Option(help="also write the table here")] = None,
    update: Annotated[
        Path | None, typer.Option(help="replace the suite's table in this document")
    ] = None,
    quiet_wait: Annotated[float, typer.Option(help="seconds, for an idle machine")] = 20,
    retries: Annotated[int, typer.Option(help="of a run that others disturbed")] = 2,
    seed: Annotated[int, typer.Option(help="of the order of the runs")] = 1,
) -> None:
    """Measure a suite on several runtimes, by turns, and write the results as JSON lines."""
    screen = console()
    if target == "list" and resume is None:
        _list(screen)
        return
    counts = _numbers(threads)
    if resume is not None:
        first = load(resume).sessions[0]
        target, counts, reps, seed = first.suite, first.threads, first.rounds, first.seed
        runtimes = runtimes or ",".join(first.runtimes)
        only = only or first.only
    wanted = runtimes.split(",") if runtimes else present()
    if target in TABLES and not runtimes:
        wanted = [name for name in wanted if name != "iomp"]
    plan = Plan(
        target,
        usable_runtimes(wanted),
        counts,
        Settings(rounds=reps, retries=retries, quiet_wait=quiet_wait, seed=seed),
        only,
    )
    path = resume or output or Path(f"lab-{target}-{datetime.now():%Y%m%d-%H%M%S}.jsonl")
    results = measure(plan, path, screen)
    _trust(results, screen)
    if target in TABLES:
        rows = _rows(plan, results)
        command = f"bobbin lab run {shlex.join(sys.argv[2:])}"
        where = machine.sentence(results.sessions[-1].machine)
        screen.print(terminal_table(f"{command}\n{where}", rows))
        text = f"`{command}`, {where}\n\n{markdown_table(rows)}"
        if markdown:
            markdown.write_text(text)
        if update:
            update.write_text(with_section(update.read_text(), target, text))
    else:
        screen.print(summary_table(results))
    screen.print(f"Results: {path}")
    if results.errors():
        raise typer.Exit(1)


def _list(screen: Console) -> None:
    known = catalogue.load()
    screen.print("Tables of docs/performance.md: " + ", ".join(TABLES))
    for suite in catalogue.suites(known):
        members = ", ".join(b.name for b in known if suite in b.suites)
        screen.print(f"Suite {suite}: {members}")
