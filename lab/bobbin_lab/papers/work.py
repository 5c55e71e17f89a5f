# SPDX-License-Identifier: Apache-2.0
"""The runs that the figures of a paper need. Figures that need the same ones share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.experiments.plan import Case, Experiment
from bobbin_lab.host import machine
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.measure.session import Work
from bobbin_lab.papers.declared import Entry, Figure, Paper
from bobbin_lab.places import Compiler
from bobbin_lab.presets import presets
from bobbin_lab.results.records import Session
from bobbin_lab.runtimes import Runtime, known_runtimes, parted, serving_library, usable_runtimes


@cache
def benchmark_of(entry: Entry, quick: bool) -> Benchmark:
    (found,) = catalogue.chosen(entry.benchmark)
    found = found.with_arguments(entry.given(quick), entry.compiler)
    if not entry.others:
        found = replace(found, others={})
    if entry.compiler is Compiler.GCC:
        return found
    return replace(found, name=f"{found.name} ({entry.compiler.value})")


def name_of(entry: Entry, quick: bool) -> str:
    """Of its experiment: the command line's words, so each size has a name of its own."""
    return benchmark_of(entry, quick).name


def _present(runtimes: Sequence[str]) -> list[str]:
    """Those whose library is installed."""
    known = known_runtimes()

    def library(word: str) -> str:
        plain, _ = parted(word)
        return presets()[plain].of if plain in presets() else plain

    return [word for word in runtimes if known[library(word)].missing() is None]


@dataclass
class Needed:
    """What the figures need of the machine."""

    runtimes: dict[str, Runtime]
    experiments: list[Experiment]
    benchmarks: dict[str, Benchmark]


def _serving(entry: Entry, figure: Figure) -> list[str]:
    found = _present(entry.runtimes or figure.runtimes)
    # The names by which clang's programs call a runtime are not in libgomp.
    return [r for r in found if entry.compiler is Compiler.GCC or parted(r)[0] != "gomp"]


def needed(figures: Sequence[Figure], quick: bool) -> Needed:
    """An experiment for each benchmark, with all cases that any figure asks for."""
    cases: dict[str, dict[str, Case]] = {}
    benchmarks: dict[str, Benchmark] = {}
    runtimes: dict[str, Runtime] = {}
    for figure in figures:
        for entry in figure.entries:
            words = _serving(entry, figure)
            if not words:
                continue
            benchmark = benchmark_of(entry, quick)
            new = [word for word in words if word not in runtimes]
            runtimes |= usable_runtimes(new, entry.compiler)
            benchmarks[benchmark.name] = benchmark
            made = catalogue.experiment(
                benchmark, words, figure.threads_at(quick), entry.compiler
            ).cases
            cases.setdefault(benchmark.name, {}).update({case.name: case for case in made})
    experiments = [
        Experiment(name, tuple(by_name.values()), (), timeout=benchmarks[name].timeout)
        for name, by_name in cases.items()
    ]
    return Needed(runtimes, experiments, benchmarks)


def suite_of(paper: Paper) -> str:
    return f"paper {paper.name}"


def work_of(paper: Paper, figures: Sequence[Figure], quick: bool, settings: Settings) -> Work:
    need = needed(figures, quick)
    session = Session(
        suite=suite_of(paper),
        runtimes={n: serving_library(r) for n, r in need.runtimes.items()},
        threads=(),
        rounds=settings.rounds,
        seed=settings.seed,
        benchmarks={name: b.info() for name, b in need.benchmarks.items()},
        machine=machine.describe(),
        wanted=tuple(need.runtimes),
    )
    return Work(session, need.experiments, need.runtimes, settings)
