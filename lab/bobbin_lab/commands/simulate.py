# SPDX-License-Identifier: Apache-2.0
"""bobbin lab simulate: a task graph on a machine that is only described."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab import arguments
from bobbin_lab.commands.options import console, must_be_writable
from bobbin_lab.simulation import made
from bobbin_lab.simulation.costs import CostError, Costs, changed, words_of
from bobbin_lab.simulation.measured import measured_costs
from bobbin_lab.simulation.picture import named, speedups
from bobbin_lab.simulation.recording import record, wall_ns
from bobbin_lab.simulation.simulator import Outcome, Rules, outcomes_of

_WORDS = {
    "--order": ("nearest", "number"),
    "--theft": ("one", "half"),
    "--join": ("counter", "tree"),
}
# Two packages of 64 cores, of which 8 share a last-level cache.
_MACHINE = "pack:2 l3:8 core:8 pu:1"


def _choices(option: str, text: str) -> list[str]:
    words = text.split(",")
    if not set(words) <= set(_WORDS[option]):
        raise typer.BadParameter(f"{text!r}: {' or '.join(_WORDS[option])} is wanted, or both")
    return words


def _counts(text: str) -> list[int]:
    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        counts = [0]
    if min(counts) < 1:
        raise typer.BadParameter(f"{text!r}: numbers of processors with commas between are wanted")
    return counts


def _make(words: Sequence[str], path: Path) -> None:
    name, *given = words
    try:
        numbers = {key: int(value) for key, (value,) in arguments.parse(given).items()}
        made.make(name, numbers).write(path, " ".join(words))
    except ValueError as error:
        raise typer.BadParameter(f"{' '.join(given)}: name=number is wanted") from error
    except made.MadeError as error:
        raise typer.BadParameter(str(error)) from error


def _graph(words: Sequence[str], command: Sequence[str], threads: int, folder: Path) -> Path:
    if command:
        return record(command, threads, folder)
    if len(words) == 1 and words[0] not in made.MAKERS:
        return Path(words[0])
    path = folder / "graph"
    _make(words, path)
    return path


def _costs(screen: Console, given: Sequence[str], folder: Path | None) -> Costs:
    """`folder`: where to measure those that are not given."""
    try:
        changed(Costs(), given)  # mistakes are told before anything is measured
        if folder is None:
            return changed(Costs(), given)
        costs = measured_costs(folder)
    except CostError as error:
        raise typer.BadParameter(str(error)) from error
    screen.print(f"Measured here: {' '.join(words_of(costs))}", soft_wrap=True)
    return changed(costs, given)


def _beside(outcome: Outcome, real: Mapping[int, float]) -> list[str]:
    """What the run took, and how far the simulation is off."""
    taken = real.get(outcome.processors)
    if taken is None:
        return ["-", "-"] if real else []
    return [f"{taken * 1e-6:,.3f}", f"{100 * (outcome.time / taken - 1):+.0f} %"]


def _table(outcomes: Sequence[Outcome], title: str, real: Mapping[int, float]) -> Table:
    rules = list(dict.fromkeys(outcome.rules for outcome in outcomes))
    table = Table(title=title, title_justify="left")
    headings = ("processors", "rules", "time ms", "speed-up", "idle", "overhead", "deferred")
    measured = ("really ms", "off") if real else ()
    for heading in (*headings, "thefts", "of them near", *measured):
        table.add_column(heading, justify="left" if heading == "rules" else "right")
    for outcome in outcomes:
        thefts = sum(outcome.thefts)
        near = sum(outcome.thefts[:-1])
        table.add_row(
            str(outcome.processors),
            named(outcome.rules, rules) if len(rules) > 1 else "",
            f"{outcome.time * 1e-6:,.3f}",
            f"{outcome.speedup:.2f}",
            f"{100 * outcome.share(outcome.idle):.0f} %",
            f"{100 * outcome.share(outcome.overhead):.0f} %",
            f"{outcome.deferred:,}",
            f"{thefts:,}",
            f"{100 * near / thefts:.0f} %" if near else "-",
            *_beside(outcome, real),
        )
    return table


def simulate(
    graph: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GRAPH",
            help="a file that `bobbin run --span --record` has written; or a graph to be made, "
            f"with arguments name=number: {', '.join(made.MAKERS)}",
        ),
    ] = None,
    program: Annotated[
        str,
        typer.Option(
            metavar="COMMAND",
            help="instead: record its graph, run it on as many of this machine's processors as "
            "there are, and show both times",
        ),
    ] = "",
    machine: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="hwloc's synthetic description, or the path of its XML file"
        ),
    ] = _MACHINE,
    processors: Annotated[
        str, typer.Option(metavar="LIST", help="on so many of its processors")
    ] = "1,2,4,8,16,32,64,128",
    reps: Annotated[int, typer.Option(min=1, help="runs of the program at each number")] = 7,
    order: Annotated[
        str, typer.Option(metavar="LIST", help="who is asked first: nearest, number")
    ] = "nearest,number",
    theft: Annotated[str, typer.Option(metavar="LIST", help="tasks stolen: one, half")] = "one",
    join: Annotated[
        str, typer.Option(metavar="LIST", help="how threads tell that they end: counter, tree")
    ] = "counter",
    cost: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NS", help="another cost, with colons between levels; repeatable"
        ),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure-costs", help="measure those of the nearest level here, instead of defaults"
        ),
    ] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the curves as SVG")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="write the outcomes as JSON")
    ] = None,
) -> None:
    """Simulates the workers that execute a task graph, by the runtime's own order of search."""
    for path in (picture, json_file):
        if path is not None:
            must_be_writable(path)
    words = itertools.product(
        _choices("--order", order), _choices("--theft", theft), _choices("--join", join)
    )
    rules = [Rules(*word) for word in words]
    counts = _counts(processors)
    command = shlex.split(program)
    if bool(graph) == bool(command):
        raise typer.BadParameter("a GRAPH is wanted, or --program")
    screen = console()
    title = program or " ".join(graph or ())
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        costs = _costs(screen, cost or (), folder if measure else None)
        path = _graph(graph or (), command, max(counts), folder)
        if graph and path.parent == folder:
            costs = replace(costs, recording=0.0)  # its work is what was asked for
        outcomes = outcomes_of(path, machine, counts, rules, costs)
    here = [count for count in counts if count <= len(os.sched_getaffinity(0))]
    real = wall_ns(command, here, reps) if command else {}
    screen.print(_table(outcomes, f"{title} on {machine}, SIMULATED", real))
    if picture is not None:
        picture.write_text(speedups(outcomes, title), encoding="utf-8")
    if json_file is not None:
        answer = {
            "graph": title,
            "machine": machine,
            "costs": costs.request(),
            "measured": real,
            "outcomes": [asdict(outcome) for outcome in outcomes],
        }
        json_file.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
