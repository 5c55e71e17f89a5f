# SPDX-License-Identifier: Apache-2.0
"""bobbin lab run: measures a suite alternately on several runtimes."""

from __future__ import annotations

import shlex
from collections.abc import Set
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab import arguments
from bobbin_lab.commands import publish
from bobbin_lab.commands.options import console, must_be_writable, numbers_of_threads, updated
from bobbin_lab.commands.report import report
from bobbin_lab.experiments import catalogue
from bobbin_lab.measure import outlook
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.measure.session import Plan, Request, measure
from bobbin_lab.output.summary import clock_note
from bobbin_lab.output.tables import fitted
from bobbin_lab.places import Compiler
from bobbin_lab.results.records import Results, ResultsError, load
from bobbin_lab.runtimes import absent
from bobbin_lab.suites import TABLES, benchmarks
from bobbin_lab.suites.ablation import NAME as ABLATION


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def _given_parameters(context: typer.Context) -> set[str]:
    """The parameters given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, by in sources.items() if by is not None and by.name == "COMMANDLINE"}


def _spelled(name: str, value: str) -> str:
    if name == "target":
        return value
    if name == "words":
        return value or "no arguments"
    return f"--{name} {value}" if value else f"no --{name}"


def _resumed(path: Path, asked: Request, given: Set[str]) -> Request:
    """The parameters of the interrupted session. Different ones would have no effect, so they are
    refused.
    """
    begun = Request.of(load(path).sessions[0], asked.settings)
    for name, value in begun.words().items():
        other = asked.words()[name]
        if name in given and other != value:
            raise typer.BadParameter(
                f"{path} was begun with {_spelled(name, value)}, not {_spelled(name, other)}; "
                "--resume goes on as it was begun"
            )
    return begun


def _must_be_free(request: Request) -> None:
    """The rows of a table keep the threads and programs for which its targets are set."""
    if request.arguments and request.target in (*TABLES, ABLATION):
        raise typer.BadParameter(f"the benchmarks of {request.target} have their own arguments")
    table = TABLES.get(request.target)
    if table is None:
        return
    if request.threads:
        raise typer.BadParameter(f"the table {request.target} has its own numbers of threads")
    if request.compiler not in (Compiler.GCC, table.compiler):
        raise typer.BadParameter(
            f"the table {request.target} is of programs built by {table.compiler.value}"
        )


def _list(screen: Console, only: str, rounds: int) -> None:
    """The suites; with `--only`, the benchmarks of a suite or with that in their name."""
    if only:
        table = Table(title=f"Benchmarks of {only}", title_justify="left")
        table.add_column("name", overflow="fold")
        table.add_column("is", overflow="fold")
        found = benchmarks(only) or [b for b in catalogue.load() if only in b.name]
        for benchmark in found:
            table.add_row(benchmark.name, benchmark.heading)
        screen.print(fitted(table, screen.width))
        return
    table = Table(title=f"Suites, with the runtimes here and {rounds} rounds", title_justify="left")
    for heading in ("suite", "takes about", "is"):
        table.add_column(heading, overflow="fold")
    for row in outlook.rows(outlook.suites(), rounds):
        table.add_row(*row)
    screen.print(fitted(table, screen.width))
    screen.print(
        "Benchmarks one by one: bobbin lab run list --only SUITE. A start: bobbin lab run quick"
    )


def _say_left_out(screen: Console, request: Request) -> None:
    """Names what is not installed, if the user has not chosen the runtimes."""
    if request.runtimes:
        return
    for missing in absent(request.fitting()):
        if missing.name == "iomp" and request.target not in TABLES:
            continue  # it comes with a gigabyte of MKL, which few want only for a comparison
        screen.print(
            f"{missing.title} is not installed, so it is left out. To get it: {missing.hint}",
            style="yellow",
            soft_wrap=True,
        )


def _tell_plan(screen: Console, plan: Plan, path: Path) -> None:
    """Everything that a session would do."""
    settings = plan.request.settings
    runs = outlook.planned(plan, settings)
    seconds = runs * outlook.run_seconds(plan.request.target)
    for name, library in plan.session().runtimes.items():
        screen.print(f"runtime {name}: {library}", soft_wrap=True)
    for experiment in plan.experiments:
        threads = sorted({case.threads for case in experiment.cases if case.threads is not None})
        at = f", threads {','.join(map(str, threads))}" if threads else ""
        screen.print(f"{experiment.name}: {len(experiment.cases)} cases{at}", soft_wrap=True)
    screen.print(
        f"{runs} runs in {settings.rounds} rounds, about {outlook.spoken(seconds)}, into {path}",
        soft_wrap=True,
    )


def say_trust(screen: Console, results: Results) -> None:
    untrusted = results.untrusted()
    if untrusted:
        screen.print(
            f"{untrusted} of {len(results.runs)} runs were disturbed by other work on the machine; "
            "rows that rest on them say so.",
            style="yellow",
        )
    clock = clock_note(results)
    if clock:
        screen.print(clock, style="yellow")
    for failed in results.errors():
        screen.print(f"{failed.experiment}, {failed.case}: {failed.error}", style="red")
    for what in dict.fromkeys(run.skipped for run in results.runs if run.skipped):
        screen.print(f"Left out: {what}.", style="yellow")


def run(
    context: typer.Context,
    target: Annotated[
        str, typer.Argument(metavar="SUITE|BENCH", help="`list` tells which there are")
    ] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE[,VALUE...]",
            help="arguments of the benchmark; each of several values is measured",
        ),
    ] = None,
    runtimes: Annotated[
        str,
        typer.Option(
            help="of gomp, omp, iomp, bobbin, PATH, NAME=PATH, each perhaps +SETTING=VALUE; "
            "default: present"
        ),
    ] = "",
    threads: Annotated[
        str,
        typer.Option(
            help="such as 1,2,4, or a list, such as classes; default: the benchmark's own"
        ),
    ] = "",
    reps: Annotated[
        int, typer.Option("--reps", "--rounds", min=1, help="at least 5 for a published figure")
    ] = 5,
    compiler: Annotated[Compiler, typer.Option(help="whose programs")] = Compiler.GCC,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="of the JSON lines")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with this file, as its first session began it")
    ] = None,
    only: Annotated[str, typer.Option(help="experiments whose name contains this")] = "",
    markdown: Annotated[Path | None, typer.Option(help="also write the table here")] = None,
    update: Annotated[
        Path | None, typer.Option(help="replace the suite's table in this document")
    ] = None,
    page: Annotated[Path | None, typer.Option("--report", help="also write the report")] = None,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 20,
    retries: Annotated[int, typer.Option(min=0, help="of a run that others disturbed")] = 2,
    seed: Annotated[int, typer.Option(help="of the order of the runs")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would be run and for how long; run nothing")
    ] = False,
) -> None:
    """Measure a suite on several runtimes, by turns, and write the results as JSON lines."""
    screen = console()
    settings = Settings(rounds=reps, retries=retries, quiet_wait=quiet_wait, seed=seed)
    named = tuple(word for word in runtimes.split(",") if word)
    given = arguments.parse(words or ())
    request = Request(target, named, numbers_of_threads(threads), compiler, settings, only, given)
    if resume is not None:
        if output not in (None, resume):
            raise typer.BadParameter(f"--resume {_quoted(resume)} writes into that file, to no -o")
        request = _resumed(resume, request, _given_parameters(context))
    elif target == "list":
        _list(screen, only, reps)
        return
    else:
        _must_be_free(request)
    if resume is None and output is not None and output.exists():
        raise ResultsError(f"{output} is there already; --resume {_quoted(output)} goes on with it")
    # Errors that would appear after minutes of measuring are found now.
    if update is not None:
        updated(update, request.target)
    for later in (page, markdown):
        if later is not None:
            must_be_writable(later)
    path = resume or output or Path(f"lab-{target}-{datetime.now():%Y%m%d-%H%M%S}.jsonl")
    plan = Plan(request)
    _say_left_out(screen, request)
    if dry_run:
        _tell_plan(screen, plan, path)
        return
    try:
        results = measure(plan.work(), path, screen)
    except KeyboardInterrupt:
        if path.exists():
            screen.print(
                f"Stopped. What was measured is kept: bobbin lab run --resume {_quoted(path)}",
                soft_wrap=True,
            )
        raise
    say_trust(screen, results)
    publish.show(screen, request.target, plan.experiments, results)
    if markdown is not None or update is not None:
        text = publish.document(request.target, plan.experiments, results)
        if markdown is not None:
            markdown.write_text(text, encoding="utf-8")
        if update is not None:
            update.write_text(updated(update, request.target, text), encoding="utf-8")
    screen.print(f"Results: {path}")
    if page:
        report([path], page)
    if results.errors():
        raise typer.Exit(1)
