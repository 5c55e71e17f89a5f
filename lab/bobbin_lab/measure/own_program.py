# SPDX-License-Identifier: Apache-2.0
"""Runs of a user's own program over numbers of threads, and over values of an argument."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from bobbin_lab.experiments.plan import Case, Experiment
from bobbin_lab.host import machine
from bobbin_lab.host.noise import Patience
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.measure.session import carry_out
from bobbin_lab.model.imported import Measured
from bobbin_lab.results.records import (
    BenchmarkInfo,
    Better,
    MetricInfo,
    Results,
    Session,
    Writer,
    load,
)
from bobbin_lab.runtimes import Runtime, known_runtimes, resolve

_WALL = "wall_s"


@dataclass(frozen=True)
class Argument:
    """NAME=VALUE,VALUE,...: in the place of {NAME} in the command, or as a last word NAME=VALUE."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    words: tuple[str, ...]
    threads: tuple[int, ...]
    runtimes: tuple[str, ...]
    argument: Argument | None = None
    timeout: float = 600

    def command(self, value: str) -> tuple[str, ...]:
        if self.argument is None:
            return self.words
        place = f"{{{self.argument.name}}}"
        if any(place in word for word in self.words):
            return tuple(word.replace(place, value) for word in self.words)
        return (*self.words, f"{self.argument.name}={value}")

    def title(self, value: str) -> str:
        return shlex.join(self.command(value))


def thread_numbers(text: str) -> tuple[int, ...]:
    """1..16: 1, 2, 3, 4, 6, 8, 12, 16. Between powers of two their mean shows other behaviour."""
    low, dots, high = text.partition("..")
    if not dots:
        return tuple(int(word) for word in text.split(",") if word)
    first, last = int(low), int(high)
    steps = {1 << k for k in range(last.bit_length())} | {3 << k for k in range(last.bit_length())}
    return tuple(sorted({first, last} | {n for n in steps if first <= n <= last}))


def _experiments(wanted: Wanted, names: Sequence[str]) -> list[Experiment]:
    values = wanted.argument.values if wanted.argument else ("",)
    return [
        Experiment(
            wanted.title(value),
            tuple(
                Case(f"{name}, {n}", name, wanted.command(value), threads=n, reports=False)
                for n in wanted.threads
                for name in names
            ),
            (),
            timeout=wanted.timeout,
        )
        for value in values
    ]


def measure(wanted: Wanted, settings: Settings, path: Path, screen: Console) -> Results:
    """All runs, by turns, written as results that `compare` and `report` also read."""
    known = known_runtimes(of=wanted.words[0])
    runtimes: dict[str, Runtime] = {r.name: r for r in (resolve(w, known) for w in wanted.runtimes)}
    experiments = _experiments(wanted, list(runtimes))
    info = {_WALL: MetricInfo("s", Better.LOWER)}
    writer = Writer(path)
    try:
        writer.session(
            Session(
                suite="program",
                runtimes={name: ":".join(map(str, r.preload)) for name, r in runtimes.items()},
                threads=wanted.threads,
                rounds=settings.rounds,
                seed=settings.seed,
                benchmarks={e.name: BenchmarkInfo(e.name, "program", info) for e in experiments},
                machine=machine.describe(),
                wanted=wanted.runtimes,
            )
        )
        patience = Patience(settings.quiet_wait)
        carry_out(experiments, runtimes, settings, (), patience, writer, screen)
    finally:
        writer.close()
    return load(path)


def by_two(wanted: Wanted, results: Results) -> list[Measured]:
    """The wall time of each runtime over the threads and the argument's values."""
    assert wanted.argument is not None
    value_of = {wanted.title(value): float(value) for value in wanted.argument.values}
    found: dict[str, Measured] = {}
    for run in results.runs:
        for reading in run.readings:
            if reading.metric == _WALL and run.threads is not None:
                one = found.setdefault(
                    run.column,
                    Measured(
                        shlex.join(wanted.words), run.column, ("threads", wanted.argument.name)
                    ),
                )
                place = (float(run.threads), value_of[run.experiment])
                one.samples.setdefault(place, []).append(reading.value)
    return list(found.values())
