# SPDX-License-Identifier: Apache-2.0
"""The vocabulary of a comparison: cases that are run, figures read from them, and their targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from bobbin_lab.experiments.given_input import Rest


class Role(Enum):
    SUBJECT = "subject"  # Bobbin
    RIVAL = "rival"  # compared with Bobbin
    REFERENCE = "reference"  # a divisor for figures: the serial program, or one thread


class Sense(Enum):
    AT_MOST = "at most"
    AT_LEAST = "at least"


class Relation(Enum):
    PLAIN = "plain"  # the metric itself
    SLOWDOWN = "slowdown"  # case / base
    SPEEDUP = "speedup"  # base / case


BEST_RIVAL = "best rival"
# The case on one thread, with which others are compared.
SERIAL = "serial"


@dataclass(frozen=True)
class Target:
    """A bound on Bobbin's figure: `limit`, or `limit` times the figure of the case `of`."""

    sense: Sense
    limit: float
    of: str | None = None

    def __str__(self) -> str:
        what = f"{self.limit:g}" if self.of is None else f"{self.limit:g}x {self.of}"
        return f"{self.sense.value} {what}"


def at_most(limit: float, of: str | None = None) -> Target:
    return Target(Sense.AT_MOST, limit, of)


def at_least(limit: float, of: str | None = None) -> Target:
    return Target(Sense.AT_LEAST, limit, of)


@dataclass(frozen=True)
class Case:
    """One command on one runtime; `copies` of it start at once."""

    name: str
    runtime: str
    argv: tuple[str, ...]
    role: Role = Role.RIVAL
    threads: int | None = None
    # Of the figures that it prints, such as an argument by whose values they are told apart.
    labels: Mapping[str, str] = field(default_factory=dict)
    within: tuple[str, ...] = ()  # a program that runs it, with its arguments
    env: Mapping[str, str] = field(default_factory=dict)
    copies: int = 1
    # Number of processors of which all copies together may use the time, as in a container.
    quota: float | None = None
    stdin: str = ""
    given: Rest | None = None  # replaces `stdin`; each run reads it from its start
    cwd: Path | None = None
    # Whether it prints the lines of docs/lab.md. Lines of other programs may look like them by
    # chance.
    reports: bool = True
    # Called after a run. Returns what is wrong with its output, or None.
    verify: Callable[[str], str | None] | None = None


@dataclass(frozen=True)
class Figure:
    """One row of the table, read from the cases of an experiment."""

    label: str
    metric: str
    unit: str
    target: Target | None = None
    relation: Relation = Relation.PLAIN
    base: str | None = None
    higher_is_better: bool = False


@dataclass(frozen=True)
class Experiment:
    """Cases that are run alternately, and the figures computed from them."""

    name: str
    cases: tuple[Case, ...]
    figures: tuple[Figure, ...]
    # Short experiments are repeated more often, because they cost little and scatter more.
    repeat: int = 1
    timeout: float = 60.0
    # The measured code is in the program itself, whatever runtime is preloaded.
    of_program: bool = False
    # Makes what the cases need, or raises a MissingError. Called before anything is measured, but
    # not when results are only shown.
    prepare: Callable[[], object] | None = None


def widened(experiment: Experiment, runtimes: Sequence[str]) -> Experiment:
    """Adds the cases of Bobbin for runtimes that the experiment does not name."""
    if experiment.of_program:
        return experiment
    named = {case.runtime for case in experiment.cases}
    shown = [case for case in experiment.cases if case.role is Role.SUBJECT]
    extra = [
        replace(case, name=runtime, runtime=runtime, role=Role.RIVAL)
        for runtime in runtimes
        if runtime not in named
        for case in shown
    ]
    return replace(experiment, cases=(*experiment.cases, *extra))


SHOWN = {"gomp": Role.RIVAL, "omp": Role.RIVAL, "bobbin": Role.SUBJECT}


def on_each_runtime(
    argv: tuple[str, ...], runtimes: Mapping[str, Role] = SHOWN, **options: Any
) -> tuple[Case, ...]:
    """The same command on the rivals and on Bobbin. Each case has the name of its runtime."""
    return tuple(
        Case(name=name, runtime=name, argv=argv, role=role, **options)
        for name, role in runtimes.items()
    )
