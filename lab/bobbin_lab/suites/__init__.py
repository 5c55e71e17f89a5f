# SPDX-License-Identifier: Apache-2.0
"""Everything that can be measured: the tables of docs/performance.md and the catalogue's sweeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bobbin_lab import catalogue
from bobbin_lab.places import Compiler
from bobbin_lab.plan import Experiment, widened
from bobbin_lab.suites import foundation, kmp, quota, tasks


@dataclass(frozen=True)
class Table:
    """A table of docs/performance.md: experiments with targets, on the programs of one compiler."""

    experiments: Callable[[], list[Experiment]]
    compiler: Compiler
    runtimes: tuple[str, ...]


TABLES = {
    "foundation": Table(foundation.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "tasks": Table(tasks.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "quota": Table(quota.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "kmp": Table(kmp.experiments, Compiler.CLANG, ("omp", "iomp", "bobbin")),
}


class UnknownError(Exception):
    """A suite or benchmark that does not exist."""


def experiments(
    target: str,
    runtimes: Sequence[str],
    threads: Sequence[int] | None,
    compiler: Compiler = Compiler.GCC,
) -> list[Experiment]:
    """The experiments of a table, of a suite of the catalogue, or of one of its benchmarks."""
    if target in TABLES:
        return [widened(experiment, runtimes) for experiment in TABLES[target].experiments()]
    chosen = catalogue.chosen(target)
    if not chosen:
        known = catalogue.load()
        raise UnknownError(
            f"there is no suite or benchmark {target!r}; suites: "
            f"{', '.join([*TABLES, *catalogue.suites(known)])}; benchmarks: "
            f"{', '.join(b.name for b in known)}"
        )
    return [catalogue.experiment(b, runtimes, threads, compiler) for b in chosen]
