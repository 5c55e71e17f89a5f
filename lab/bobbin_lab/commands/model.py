# SPDX-License-Identifier: Apache-2.0
"""bobbin lab model: how each figure grows with the number of threads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.commands import model_own
from bobbin_lab.commands.options import console, load_figures, updated
from bobbin_lab.host import machine
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.model import imported, synthetic
from bobbin_lab.model.analyse import SeriesModel, analyse, by_construct
from bobbin_lab.model.behaviour import partition_of
from bobbin_lab.model.extrapolate import beyond
from bobbin_lab.model.fit import LEAST_POINTS, Model, choose
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.output.captions import caption, command_line
from bobbin_lab.output.tables import fitted, markdown_rows, number
from bobbin_lab.results.records import Results, ResultsError

STYLES = {
    Verdict.FINE: "green",
    Verdict.SHARED: "green",
    Verdict.PROBLEM: "red",
    Verdict.NO_MODEL: "yellow",
}
# Marked sections of documents.
MODELS, CONFUSION = "models", "confusion"
HEADINGS = ("figure", "runtime", "threads", "model", "growth", "adj. R²", "scatter", "verdict")


def _texts(model: SeriesModel, name: str, fitted: Model, what: str, growth: Growth) -> list[str]:
    return [
        model.series.title,
        model.series.key.case,
        name,
        f"{what} {model.series.info.unit}",
        str(growth),
        f"{fitted.adjusted_r2:.3f}" if fitted.c1 else "-",
        f"{100 * fitted.scatter:.0f} %",
    ]


def _notes(model: SeriesModel) -> str:
    """The verdict on the figure, in its first row only."""
    return model.verdict.value + ("" if model.series.trusted() else ", disturbed")


def rows(model: SeriesModel) -> list[list[str]]:
    """A row for each behavioural class, and one for the time per thread."""
    found = [_texts(model, b.name, b.model, str(b.model), b.model.growth) for b in model.branches]
    per_thread = model.per_thread
    if per_thread is not None:
        fitted, growth = per_thread.model, per_thread.growth
        found.append(_texts(model, "time / threads", fitted, str(per_thread), growth))
    return [[*row, "" if number else _notes(model)] for number, row in enumerate(found)]


def _model_table(models: list[SeriesModel], title: str) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, overflow="fold")
    for model in models:
        for texts in rows(model):
            table.add_row(*texts, style=STYLES[model.verdict])
    return table


def _extrapolation_table(models: list[SeriesModel]) -> Table:
    said = beyond(models)
    table = Table(
        title=f"EXTRAPOLATED beyond the {said.measured} threads that were measured: what the "
        "models would say, with 90 % intervals",
        title_justify="left",
    )
    for heading in ("figure", "runtime", "class", *(f"{t:,} threads" for t in said.targets)):
        table.add_column(heading, overflow="fold")
    for model, name, values in said.rows:
        texts = (
            f"{number(e.value)} ({number(e.low)} to {number(e.high)}) {model.series.info.unit}"
            if e.value > 0
            else "-"  # a falling model ends before
            for e in values
        )
        table.add_row(model.series.title, model.series.key.case, name, *texts)
    return table


def _cell(model: SeriesModel | None) -> str:
    """As much as a document has room for."""
    if model is None:
        return "-"
    said = []
    for branch in model.branches:
        fitted = branch.model
        text = "no model" if judge(fitted) is Verdict.NO_MODEL else f"{fitted}: {fitted.growth}"
        said.append(text if branch.name == "all" else f"{text} ({branch.name})")
    per_thread = model.per_thread
    if per_thread and judge(per_thread.model, per_thread.growth) is not Verdict.NO_MODEL:
        said.append(f"per thread {per_thread.growth}")
    return "; ".join(said)


def markdown(models: list[SeriesModel], cases: Sequence[str]) -> str:
    """A row for each figure, the cases side by side."""
    rows = []
    for by_case in by_construct(models).values():
        first = next(iter(by_case.values())).series
        figure = f"{first.title}, {first.info.unit}"
        rows.append([figure, *(_cell(by_case.get(case)) for case in cases)])
    return markdown_rows(["figure", *cases], rows)


def _check(screen: Console, update: Path | None) -> None:
    """The synthetic test of the fitter, whatever its result."""
    text = "\n".join(
        synthetic.markdown(pool, synthetic.confusion(pool, lambda points: choose(points).growth))
        for pool in synthetic.Pool
    )
    screen.print(text)
    if update is not None:
        update.write_text(updated(update, CONFUSION, text), encoding="utf-8")


def _partition(text: str) -> str:
    """Refuses what is no partition. "auto" tries those with a name."""
    if text != "auto":
        try:
            partition_of(text, 1)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
    return text


def show(screen: Console, read: Results, partition: str) -> list[SeriesModel]:
    models = analyse(read, partition)
    if not models:
        raise ResultsError(f"a model needs times at {LEAST_POINTS} numbers of threads")
    table = _model_table(models, machine.sentence(read.sessions[-1].machine))
    screen.print(fitted(table, screen.width))
    screen.print(fitted(_extrapolation_table(models), screen.width))
    return models


def _show_imported(screen: Console, paths: Sequence[Path]) -> None:
    found = [measured for path in paths for measured in imported.load(path)]
    alone = [one for one in found if len(one.parameters) == 1]
    models = [model for one in alone if (model := model_own.of_one_parameter(one)) is not None]
    if alone and not models:
        raise ResultsError(f"a model needs {LEAST_POINTS} values of its parameter")
    if models:
        names = ", ".join(dict.fromkeys(one.parameters[0] for one in alone))
        table = _model_table(models, f"Models, with t for {names}")
        screen.print(fitted(table, screen.width))
    of_two = [one for one in found if len(one.parameters) == 2]
    if of_two:
        model_own.show_two(screen, of_two, "")


def model(
    results: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RESULTS", help="files that `run` has written, CSV, or JSON lines of Extra-P"
        ),
    ] = None,
    program: Annotated[
        str, typer.Option(help="instead: a command to be run, in quotes if it has arguments")
    ] = "",
    threads: Annotated[str, typer.Option(help="of the program: 1..16, or 1,2,4,8")] = "1..16",
    arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=N,N,...",
            help="a second parameter: in the place of {NAME} in the command, or as its last word",
        ),
    ] = None,
    runtimes: Annotated[str, typer.Option(help="of the program; default: bobbin")] = "",
    reps: Annotated[int, typer.Option(min=1, help="runs of the program at each point")] = 5,
    timeout: Annotated[float, typer.Option(min=0, help="seconds, for one run")] = 600,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="of the program's results")
    ] = None,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 20,
    retries: Annotated[int, typer.Option(min=0, help="of a run that others disturbed")] = 2,
    partition: Annotated[
        str,
        typer.Option(
            help="behavioural classes: found (auto), none (all), powers, eights, crowd, or "
            "PERIOD+OFFSET, such as 16+8"
        ),
    ] = "auto",
    check: Annotated[
        bool, typer.Option("--check", help="instead: find known laws again in noisy points")
    ] = False,
    update: Annotated[Path | None, typer.Option(help="replace the table in this document")] = None,
) -> None:
    """Model how each figure grows with the number of threads, and judge it. With --program, run a
    program of your own first; with --arg, model it over a size of its problem, too.
    """
    screen = console()
    partition = _partition(partition)
    if update is not None:
        updated(update, CONFUSION if check else MODELS)
    if check:
        _check(screen, update)
        return
    if program:
        wanted = model_own.wanted_of(program, threads, arg or (), runtimes, timeout)
        settings = Settings(rounds=reps, retries=retries, quiet_wait=quiet_wait)
        read = model_own.run_program(wanted, settings, output, screen)
        if wanted.argument is None:
            show(screen, read, partition)
        else:
            model_own.two_of_program(screen, wanted, read)
        return
    if not results:
        raise typer.BadParameter("which results? (or --program COMMAND, or --check)")
    foreign = [path for path in results if imported.is_foreign(path)]
    if foreign:
        if len(foreign) < len(results):
            raise typer.BadParameter("results of the lab and of other tools: one kind at a time")
        _show_imported(screen, foreign)
        return
    read = load_figures(results)
    models = show(screen, read, partition)
    if update is not None:
        table = markdown(models, list(read.sessions[0].runtimes))
        text = f"{caption(command_line(), read)}\n\n{table}"
        update.write_text(updated(update, MODELS, text), encoding="utf-8")
