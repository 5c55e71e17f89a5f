# SPDX-License-Identifier: Apache-2.0
"""The parts of `bobbin lab model` about a user's own program and other tools' measurements."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.advice.settings import must_be_served
from bobbin_lab.commands.options import must_be_writable
from bobbin_lab.measure.own_program import Argument, Wanted, by_two, measure, thread_numbers
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.model.analyse import SeriesModel, analyse_series
from bobbin_lab.model.fit import LEAST_POINTS, trimmed_mean
from bobbin_lab.model.imported import Measured
from bobbin_lab.model.two import LEAST_VALUES, choose
from bobbin_lab.output.tables import fitted, number
from bobbin_lab.results.records import Better, MetricInfo, Results, ResultsError
from bobbin_lab.results.series import Key, Series

# Other tools do not say how many processors there were.
_NO_CROWD = 1 << 30


def _argument(text: str) -> Argument:
    name, equals, values = text.partition("=")
    found = tuple(word for word in values.split(",") if word)
    try:
        [float(word) for word in found]
    except ValueError:
        found = ()
    if not equals or not name or not found:
        raise typer.BadParameter(f"{text!r}: --arg wants NAME=NUMBER,NUMBER,...")
    return Argument(name, found)


def _must_be_enough(threads: Sequence[int], argument: Argument | None) -> None:
    """Before anything runs, because the runs may take long."""
    if argument is None:
        if len(set(threads)) < LEAST_POINTS:
            raise typer.BadParameter(f"a model needs {LEAST_POINTS} numbers of --threads")
        return
    values = {float(word) for word in argument.values}
    if min(len(set(threads)), len(values)) < LEAST_VALUES:
        raise typer.BadParameter(
            f"a model of two parameters needs {LEAST_VALUES} numbers of --threads and "
            f"{LEAST_VALUES} of --arg"
        )


def wanted_of(
    program: str, threads: str, arguments: Sequence[str], runtimes: str, timeout: float
) -> Wanted:
    if len(arguments) > 1:
        raise typer.BadParameter("two parameters at most: the threads, and one --arg")
    words = tuple(shlex.split(program))
    try:
        counts = thread_numbers(threads)
    except ValueError:
        counts = ()
    if not words or not counts or min(counts) < 1:
        raise typer.BadParameter("--program wants a command, and --threads 1..16 or 1,2,4,8,16")
    argument = _argument(arguments[0]) if arguments else None
    _must_be_enough(counts, argument)
    must_be_served(words[0])
    named = tuple(word for word in runtimes.split(",") if word) or ("bobbin",)
    return Wanted(words, counts, named, argument, timeout)


def run_program(wanted: Wanted, settings: Settings, path: Path | None, screen: Console) -> Results:
    written = path or Path(f"lab-program-{datetime.now():%Y%m%d-%H%M%S}.jsonl")
    if written.exists():
        raise ResultsError(f"{written} is there already")
    must_be_writable(written)
    results = measure(wanted, settings, written, screen)
    for run in results.errors():
        screen.print(f"{run.experiment}, {run.case}: {run.error}", style="red", soft_wrap=True)
    screen.print(f"Results: {written}", soft_wrap=True)
    return results


def of_one_parameter(measured: Measured) -> SeriesModel | None:
    samples = {place[0]: values for place, values in measured.samples.items()}
    info = MetricInfo("", Better.LOWER)
    key = Key(measured.figure, "value", measured.case)
    # Values of a parameter need not be whole numbers; nothing here depends on that.
    series = Series(key, info, measured.figure, "imported", samples)  # type: ignore[arg-type]
    return analyse_series(series, _NO_CROWD, "all")


def show_two(screen: Console, found: Sequence[Measured], unit: str) -> None:
    """A row for each figure: its model of both parameters, and how far the points are from it."""
    table = Table(title="Models of two parameters", title_justify="left")
    for heading in ("figure", "runtime", "model", "scatter", "largest measured"):
        table.add_column(heading, overflow="fold")
    for measured in found:
        names = (measured.parameters[0], measured.parameters[1])
        places = np.array(list(measured.samples), dtype=np.float64)
        values = np.array([trimmed_mean(v) for v in measured.samples.values()])
        try:
            surface = choose(places[:, 0], places[:, 1], values)
        except ValueError as error:
            raise ResultsError(f"{measured.figure}, {measured.case}: {error}") from error
        last = tuple(measured.samples)[int(values.argmax())]
        at = ", ".join(f"{name} {place:g}" for name, place in zip(names, last, strict=True))
        table.add_row(
            measured.figure,
            measured.case,
            f"{surface.text(names)} {unit}".strip(),
            f"{100 * surface.scatter:.0f} %",
            f"{number(float(values.max()))} {unit}".strip() + f" at {at}",
        )
    screen.print(fitted(table, screen.width))


def two_of_program(screen: Console, wanted: Wanted, results: Results) -> None:
    show_two(screen, by_two(wanted, results), "s")
