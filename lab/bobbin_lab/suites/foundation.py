# SPDX-License-Identifier: Apache-2.0
"""The costs of constructs, and programs that share the machine: the runtime core's purpose."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bobbin_lab.experiments.pages import prepare_tesseract, tesseract_cases
from bobbin_lab.experiments.plan import (
    BEST_RIVAL,
    Case,
    Experiment,
    Figure,
    Relation,
    Role,
    Target,
    at_most,
    on_each_runtime,
)
from bobbin_lab.places import program


def _construct(op: str, threads: int, metric: str, unit: str, target: Target) -> Experiment:
    label = f"{op}, {threads} threads"
    return Experiment(
        label,
        on_each_runtime((program("region"), f"op={op}"), threads=threads),
        (Figure(label, metric, unit, target),),
        repeat=3,
    )


def _constructs() -> list[Experiment]:
    return [
        _construct("parallel", 2, "parallel_us", "us", at_most(1.0, BEST_RIVAL)),
        _construct("barrier", 2, "barrier_us", "us", at_most(1.1, BEST_RIVAL)),
        _construct("parallel", 16, "parallel_us", "us", at_most(2.0)),
        _construct("barrier", 16, "barrier_us", "us", at_most(1.5)),
        _construct("critical", 16, "critical_ns", "ns", at_most(50)),
        _construct("ordered", 16, "ordered_ns", "ns", at_most(400)),
        _construct("ordered_static", 16, "ordered_static_ns", "ns", at_most(400)),
        _construct("dynamic", 2, "dynamic_ns", "ns", at_most(10)),
    ]


def _nested() -> Experiment:
    return Experiment(
        "nested",
        on_each_runtime((program("nested"), "seconds=0.2")),
        (Figure("nested regions of 32 in tasks", "nested_us", "us", at_most(2)),),
    )


def _fiber_switch() -> list[Experiment]:
    path = program("fiber_switch")
    if not Path(path).exists():
        return []
    case = Case("bobbin", "bobbin", (path,), role=Role.SUBJECT)
    figure = Figure("fiber switch with TLS swap", "fiber_switch_ns", "ns", at_most(25))
    return [Experiment("fiber switch", (case,), (figure,), of_program=True)]


def _token() -> Experiment:
    return Experiment(
        "token",
        on_each_runtime((program("token"), "threads=4", "handovers=400")),
        (Figure("4 threads spin for a token", "token_us", "us a hand-over", at_most(3, "gomp")),),
    )


def _tesseract() -> Experiment:
    figure = Figure(
        "Tesseract, six pages, two at once",
        "wall_s",
        "x of OMP_THREAD_LIMIT=1",
        at_most(1.1),
        Relation.SLOWDOWN,
        "limit 1",
    )
    count, lines = 6, 24
    cases = tesseract_cases(count, lines, at_once=2, reference=True)
    prepare = partial(prepare_tesseract, count, lines)
    return Experiment("tesseract", cases, (figure,), timeout=300, prepare=prepare)


def _small_regions() -> Experiment:
    argv = (program("small_regions"), "regions=30000", "work=5")
    alone = Case("1 thread each", "gomp", argv, Role.REFERENCE, threads=1, copies=2)
    figure = Figure(
        "regions of 5 us, the program twice at once",
        "wall_s",
        "x of 1 thread each",
        at_most(1.15),
        Relation.SLOWDOWN,
        alone.name,
    )
    return Experiment(
        "small regions", (*on_each_runtime(argv, threads=2, copies=2), alone), (figure,)
    )


def _gap(period_us: int, idle: str) -> Experiment:
    name = f"a region every {period_us:,} us, {idle} between"
    argv = (program("gap"), f"period={period_us}", f"idle={idle}", "work=20", "seconds=0.5")
    passive = {"OMP_WAIT_POLICY": "passive"}
    cases = (
        *on_each_runtime(argv, threads=2),
        Case("gomp passive", "gomp", argv, threads=2, env=passive),
        Case("omp passive", "omp", argv, threads=2, env=passive),
    )
    return Experiment(
        name,
        cases,
        (
            Figure(f"{name}: time", "region_us", "us", at_most(1.05, BEST_RIVAL)),
            Figure(f"{name}: CPU", "cpu_us", "us a region", at_most(1.3, BEST_RIVAL)),
        ),
        repeat=2,
    )


def experiments() -> list[Experiment]:
    gaps = [_gap(period, idle) for idle in ("sleep", "compute") for period in (100, 1000, 10000)]
    return [
        *_constructs(),
        _nested(),
        *_fiber_switch(),
        _token(),
        _tesseract(),
        _small_regions(),
        *gaps,
    ]
