# SPDX-License-Identifier: Apache-2.0
"""Task graphs that are made, not recorded, in the format of docs/notes/graph-format.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bobbin_lab.graph.task_graph import KIND_SHIFT, NODE, VERSION, EdgeKind

CONTINUATION, CREATION, DEPENDENCE, WAIT, FORK = EdgeKind


class MadeError(Exception):
    """A graph of that name, or with such arguments, cannot be made."""


@dataclass
class Builder:
    work: list[float] = field(default_factory=list)
    task: list[int] = field(default_factory=list)
    before: list[Sequence[tuple[int, int]]] = field(default_factory=list)
    tasks: int = 0

    def new_task(self) -> int:
        self.tasks += 1
        return self.tasks

    def node(self, task: int, work: float, *before: tuple[int, int]) -> int:
        """`before`: nodes and kinds of edges. Returns the number, from 1."""
        self.work.append(work)
        self.task.append(task)
        self.before.append(before)
        return len(self.work)

    def join(self, *before: tuple[int, int]) -> int:
        return self.node(0, 0.0, *before)

    def write(self, path: Path, name: str) -> None:
        nodes = np.zeros(len(self.work), NODE)
        nodes["work"], nodes["task"] = self.work, self.task
        nodes["edges"] = [len(before) for before in self.before]
        edges = [kind << KIND_SHIFT | origin for before in self.before for origin, kind in before]
        head = {
            "bobbin_graph": VERSION,
            "command": name,
            "nodes": len(nodes),
            "edges": len(edges),
            "tasks": self.tasks,
            "work_seconds": float(sum(self.work)) * 1e-9,
            "sites": {},
        }
        text = json.dumps(head).encode()
        padding = b" " * (-(len(text) + 1) % 16)
        with path.open("wb") as file:
            file.write(text + padding + b"\n")
            nodes.tofile(file)
            np.array(edges, "<u8").tofile(file)


def _tree(depth: int, work: int) -> Builder:
    """A binary tree of tasks, which wait for their children. `work` ns at each node."""
    graph = Builder()

    def grow(task: int, left: int, *before: tuple[int, int]) -> int:
        """Returns the last node."""
        here = graph.node(task, work, *before)
        if left == 0:
            return here
        ends = []
        for _ in range(2):
            ends.append(grow(graph.new_task(), left - 1, (here, CREATION)))
            here = graph.node(task, 0.0, (here, CONTINUATION))
        joined = graph.join(*((end, WAIT) for end in ends))
        return graph.node(task, 0.0, (here, CONTINUATION), (joined, WAIT))

    grow(graph.new_task(), depth)
    return graph


def _regions(regions: int, threads: int, work: int) -> Builder:
    """Parallel regions, one after the other. `work` ns for each thread."""
    graph = Builder()
    program = graph.new_task()
    here = graph.node(program, 0.0)
    for _ in range(regions):
        # The primary thread takes part, too.
        parts = [graph.node(graph.new_task(), work, (here, FORK)) for _ in range(threads)]
        joined = graph.join(*((part, WAIT) for part in parts))
        here = graph.node(program, 0.0, (here, CONTINUATION), (joined, WAIT))
    return graph


def _chains(chains: int, steps: int, work: int) -> Builder:
    """Chains of dependent tasks, which one thread makes step by step. `work` ns for each task."""
    graph = Builder()
    program = graph.new_task()
    here = graph.node(program, 0.0)
    last: dict[int, int] = {}  # by chain
    for _ in range(steps):
        for chain in range(chains):
            before = [(here, CREATION)]
            if chain in last:
                before.append((last[chain], DEPENDENCE))
            last[chain] = graph.node(graph.new_task(), work, *before)
            here = graph.node(program, 0.0, (here, CONTINUATION))
    joined = graph.join(*((end, WAIT) for end in last.values()))
    graph.node(program, 0.0, (here, CONTINUATION), (joined, WAIT))
    return graph


@dataclass(frozen=True)
class Maker:
    make: Callable[..., Builder]
    arguments: Mapping[str, int]  # with the values that they have if they are not given


MAKERS = {
    "tree": Maker(_tree, {"depth": 12, "work": 1000}),
    "regions": Maker(_regions, {"regions": 10, "threads": 16, "work": 0}),
    "chains": Maker(_chains, {"chains": 64, "steps": 50, "work": 1000}),
}


def make(name: str, given: Mapping[str, int]) -> Builder:
    maker = MAKERS.get(name)
    if maker is None:
        raise MadeError(f"no graph is called {name!r}: there are {', '.join(MAKERS)}")
    unknown = given.keys() - maker.arguments.keys()
    if unknown:
        raise MadeError(
            f"{name} has no {', '.join(sorted(unknown))}: it has {', '.join(maker.arguments)}"
        )
    if any(value < 0 for value in given.values()):
        raise MadeError(f"the arguments of {name} are whole numbers from 0 on")
    return maker.make(**{**maker.arguments, **given})
