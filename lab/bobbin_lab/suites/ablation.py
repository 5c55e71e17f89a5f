# SPDX-License-Identifier: Apache-2.0
"""Bobbin with each of its heuristics off, one at a time, on benchmarks of the other suites."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.experiments.plan import Experiment, Role
from bobbin_lab.places import Compiler
from bobbin_lab.results.records import Better, MetricInfo
from bobbin_lab.runtimes import MissingError, told, usable_runtimes
from bobbin_lab.suites import foundation, tasks

NAME = "ablation"

# Columns of the matrix: the title, and the name of a benchmark of the catalogue or of an experiment
# of the tables.
_COLUMNS = {
    "parallel": "parallel",
    "barrier": "barrier",
    "dynamic loop": "dynamic",
    "reduction": "overhead-reduction",
    "fib": "fib",
    "UTS T1": "uts-T1-wait",
    "UTS T3": "uts-T3-wait",
    "depend chain": "chains of depend(inout) over 1 address",
    "depend free": "overhead-depend-free",
    "depend in": "overhead-depend-in",
    "sparse LU": "lu",
    "producer": "short producer",
    "taskloop": "taskloop grainsize(1), empty",
    "nested": "nested",
    "small regions twice at once": "small regions",
    "gap 100 us sleep": "a region every 100 us, sleep between",
    "gap 1 ms sleep": "a region every 1,000 us, sleep between",
    "gap 1 ms compute": "a region every 1,000 us, compute between",
    "token": "token",
    "own barrier": "own-barrier",
}

_THREADS = 2
# Without a heuristic a program may crawl.
_TIMEOUT = 30.0
# Peak memory is the only figure of the tables that is no time and no rate.
_MEMORY = "rss_mb"


def _of_table(experiment: Experiment) -> Benchmark:
    """What the experiment runs on Bobbin, with its figures but without their targets."""
    case = next(case for case in experiment.cases if case.role is Role.SUBJECT)
    path, *arguments = case.argv
    figures = {f.metric: f for f in experiment.figures if f.metric != _MEMORY}
    metrics = {
        name: MetricInfo(
            figure.unit if figure.base is None else "s",
            Better.HIGHER if figure.higher_is_better else Better.LOWER,
            figure.label.rpartition(": ")[2] if len(figures) > 1 else "",
        )
        for name, figure in figures.items()
    }
    return Benchmark(
        name=experiment.name,
        title=experiment.name,
        group="client",
        program=Path(path).name,
        arguments=tuple(arguments),
        suites=(),
        threads=(_THREADS,),
        metrics=metrics,
        copies=case.copies,
    )


def benchmarks() -> list[Benchmark]:
    known = {e.name: _of_table(e) for e in (*foundation.experiments(), *tasks.experiments())}
    known |= {benchmark.name: benchmark for benchmark in catalogue.load()}
    return [
        replace(
            known[name],
            name=title,  # for --only
            title=title,
            threads=(_THREADS if _THREADS in known[name].threads else min(known[name].threads),),
            serial=(),
            others={},
            timeout=_TIMEOUT,
        )
        for title, name in _COLUMNS.items()
    ]


# A row of what BOBBIN_TUNING=counters prints when a program ends: asked, yes, regretted.
_COUNTS = re.compile(r"^bobbin: (\S+)(?: +\d+){3}", re.MULTILINE)


@cache
def heuristics() -> tuple[str, ...]:
    """The library itself tells their names."""
    bobbin = usable_runtimes(["bobbin"])["bobbin"]
    names = _COUNTS.findall(told(bobbin, Compiler.GCC, BOBBIN_TUNING="counters"))
    if not names:
        raise MissingError("this Bobbin does not tell the names of its heuristics")
    return tuple(names)


def runtimes() -> list[str]:
    """When the user names none."""
    return ["bobbin", *(f"bobbin+BOBBIN_TUNING={name}:off" for name in heuristics())]
