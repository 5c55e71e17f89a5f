# SPDX-License-Identifier: Apache-2.0
"""Everything that can be measured: the tables of docs/results and the catalogue's sweeps."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bobbin_lab.arguments import Values
from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.experiments.plan import Experiment, widened
from bobbin_lab.places import Compiler
from bobbin_lab.suites import (
    ablation,
    bound,
    foundation,
    inlined,
    kmp,
    quota,
    tasks,
    translated,
)


@dataclass(frozen=True)
class Table:
    """A table of docs/results: experiments with targets, on the programs of one compiler."""

    experiments: Callable[[], list[Experiment]]
    compiler: Compiler
    runtimes: tuple[str, ...]


TABLES = {
    "foundation": Table(foundation.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "tasks": Table(tasks.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "quota": Table(quota.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "bound": Table(bound.experiments, Compiler.GCC, ("gomp", "omp", "bobbin")),
    "inlined": Table(inlined.experiments, Compiler.GCC, ("gomp", "bobbin")),
    "translated": Table(translated.experiments, Compiler.TRANSLATE_GCC, ("bobbin",)),
    "kmp": Table(kmp.experiments, Compiler.CLANG, ("omp", "iomp", "bobbin")),
}


class UnknownError(Exception):
    """A suite or benchmark that does not exist."""


def benchmarks(
    target: str,
    arguments: Mapping[str, Values] = MappingProxyType({}),
    compiler: Compiler = Compiler.GCC,
) -> list[Benchmark]:
    """Of the ablation, of a suite of the catalogue, or one of the catalogue's."""
    found = ablation.benchmarks() if target == ablation.NAME else catalogue.chosen(target)
    return [b.with_arguments(arguments, compiler) for b in found] if arguments else found


def own_runtimes(target: str) -> list[str]:
    """Those that its benchmarks ask for, if any."""
    if target == ablation.NAME:
        return ablation.runtimes()
    return list(dict.fromkeys(name for b in catalogue.chosen(target) for name in b.runtimes))


def experiments(
    target: str,
    runtimes: Sequence[str],
    threads: Sequence[int] | None,
    compiler: Compiler = Compiler.GCC,
    arguments: Mapping[str, Values] = MappingProxyType({}),
) -> list[Experiment]:
    """The experiments of a table, of a suite, or of one of the catalogue's benchmarks."""
    if target in TABLES:
        return [widened(experiment, runtimes) for experiment in TABLES[target].experiments()]
    chosen = benchmarks(target, arguments, compiler)
    if not chosen:
        known = catalogue.load()
        names = [*TABLES, ablation.NAME, *catalogue.suites(known), *(b.name for b in known)]
        near = difflib.get_close_matches(target, names, 3)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownError(
            f"there is no suite or benchmark {target!r}{meant} (`bobbin lab run list` names them)"
        )
    return [catalogue.experiment(b, runtimes, threads, compiler) for b in chosen]
