# SPDX-License-Identifier: Apache-2.0
"""Runs the simulator, a program of its own (simulator/main.cpp says what it reads and writes)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bobbin_lab import places
from bobbin_lab.runtimes import MissingError
from bobbin_lab.simulation.costs import Costs


class SimulationError(Exception):
    """The simulator has refused the graph or the machine."""


@dataclass(frozen=True)
class Rules:
    order: str = "nearest"
    theft: str = "one"
    join: str = "counter"

    def request(self) -> dict[str, str]:
        return {"order": self.order, "theft": self.theft, "join": self.join}


@dataclass(frozen=True)
class Outcome:
    processors: int
    rules: Rules
    time: float  # ns, as all that follow
    work: float
    overhead: float
    idle: float
    thefts: tuple[int, ...]  # by level, the nearest first
    in_place: int
    deferred: int
    longest_deque: int

    @property
    def speedup(self) -> float:
        """Against the work alone: a program without tasks on one processor."""
        return self.work / self.time if self.time else 1.0

    def share(self, part: float) -> float:
        """Of the time of all processors."""
        return part / (self.time * self.processors) if self.time else 0.0


def _outcome(answer: Mapping[str, Any]) -> Outcome:
    return Outcome(
        answer["processors"],
        Rules(answer["order"], answer["theft"], answer["join"]),
        answer["time"],
        answer["work"],
        answer["overhead"],
        answer["idle"],
        tuple(answer["thefts"]),
        answer["in_place"],
        answer["deferred"],
        answer["longest_deque"],
    )


def outcomes_of(
    graph: Path, machine: str, processors: Sequence[int], rules: Sequence[Rules], costs: Costs
) -> list[Outcome]:
    """One outcome for each number of processors and each of the rules, in this order."""
    program = places.program("simulate")
    if not Path(program).is_file():
        raise MissingError(f"{program} is not there: `make` builds it")
    request = {
        "graph": str(graph),
        "machine": machine,
        "processors": list(processors),
        "rules": [rule.request() for rule in rules],
        "costs": costs.request(),
    }
    ended = subprocess.run(
        [program], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        raise SimulationError(ended.stderr.strip() or f"{program} ended with {ended.returncode}")
    return [_outcome(answer) for answer in json.loads(ended.stdout)]
