# SPDX-License-Identifier: Apache-2.0
"""bobbin lab simulate: a task graph on a machine that is only described."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from bobbin_lab import arguments
from bobbin_lab.commands.options import console, must_be_writable
from bobbin_lab.simulation import made
from bobbin_lab.simulation.costs import CostError, Costs, changed
from bobbin_lab.simulation.picture import named, speedups
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


def _table(outcomes: Sequence[Outcome], title: str) -> Table:
    rules = list(dict.fromkeys(outcome.rules for outcome in outcomes))
    table = Table(title=title, title_justify="left")
    headings = ("processors", "rules", "time ms", "speed-up", "idle", "overhead", "deferred")
    for heading in (*headings, "thefts", "of them near"):
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
        )
    return table


def simulate(
    graph: Annotated[
        list[str],
        typer.Argument(
            metavar="GRAPH",
            help="a file that `bobbin run --span --record` has written; or a graph to be made, "
            f"with arguments name=number: {', '.join(made.MAKERS)}",
        ),
    ],
    machine: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="hwloc's synthetic description, or the path of its XML file"
        ),
    ] = _MACHINE,
    processors: Annotated[
        str, typer.Option(metavar="LIST", help="on so many of its processors")
    ] = "1,2,4,8,16,32,64,128",
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
    try:
        costs = changed(Costs(), cost or ())
    except CostError as error:
        raise typer.BadParameter(str(error)) from error
    title = " ".join(graph)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(graph[0])
        if len(graph) > 1 or graph[0] in made.MAKERS:
            path = Path(folder) / "graph"
            _make(graph, path)
        outcomes = outcomes_of(path, machine, counts, rules, costs)
    console().print(_table(outcomes, f"{title} on {machine}, SIMULATED"))
    if picture is not None:
        picture.write_text(speedups(outcomes, title), encoding="utf-8")
    if json_file is not None:
        answer = {
            "graph": title,
            "machine": machine,
            "costs": costs.request(),
            "outcomes": [asdict(outcome) for outcome in outcomes],
        }
        json_file.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")
