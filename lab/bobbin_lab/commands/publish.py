# SPDX-License-Identifier: Apache-2.0
"""The results that `bobbin lab run` shows, and writes into documents."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from bobbin_lab.analysis.verdict import Row, evaluate
from bobbin_lab.commands import model
from bobbin_lab.experiments.plan import Experiment
from bobbin_lab.host import machine
from bobbin_lab.measure.schedule import Outcome
from bobbin_lab.model.analyse import analyse
from bobbin_lab.output import ablation
from bobbin_lab.output.captions import caption, command_line
from bobbin_lab.output.summary import markdown, tables
from bobbin_lab.output.tables import fitted, markdown_table, terminal_table
from bobbin_lab.results.records import Results
from bobbin_lab.suites import TABLES
from bobbin_lab.suites.ablation import NAME as ABLATION

# The suite whose result is how costs grow.
MODELS = "models"


def _rows(experiments: Sequence[Experiment], results: Results) -> list[Row]:
    """Figures with their targets, as far as they have been measured."""
    return [
        evaluate(outcome, figure)
        for experiment in experiments
        if (outcome := Outcome.of(experiment, results.runs)).count()
        for figure in experiment.figures
    ]


def show(screen: Console, target: str, experiments: Sequence[Experiment], results: Results) -> None:
    """Prints to the terminal."""
    if target in TABLES:
        title = f"bobbin lab run {target}\n{machine.sentence(results.sessions[-1].machine)}"
        rows = _rows(experiments, results)
        table = terminal_table(title, rows, TABLES[target].runtimes)
        screen.print(fitted(table, screen.width))
        return
    if target == ABLATION:
        shown = ablation.tables(ablation.matrix(results), screen.width)
    else:
        shown = tables(results, screen.width)
    for table in shown:
        screen.print(fitted(table, screen.width))


def _markdown(target: str, experiments: Sequence[Experiment], results: Results) -> str:
    if target in TABLES:
        return markdown_table(_rows(experiments, results), TABLES[target].runtimes)
    if target == ABLATION:
        return ablation.markdown(ablation.matrix(results))
    if target == MODELS:
        return model.markdown(analyse(results), list(results.sessions[0].runtimes))
    return markdown(results)


def document(target: str, experiments: Sequence[Experiment], results: Results) -> str:
    """The text of a document about the results: the command, the machine, a table."""
    return f"{caption(command_line(target), results)}\n\n{_markdown(target, experiments, results)}"
