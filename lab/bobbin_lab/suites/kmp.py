# SPDX-License-Identifier: Apache-2.0
"""Programs built by clang, on the runtimes that serve LLVM's and Intel's compilers."""

from __future__ import annotations

from bobbin_lab.experiments.plan import (
    BEST_RIVAL,
    Case,
    Experiment,
    Figure,
    Relation,
    Role,
    Target,
    at_least,
    at_most,
    on_each_runtime,
)
from bobbin_lab.places import Compiler, program

_RUNTIMES = {"omp": Role.RIVAL, "iomp": Role.RIVAL, "bobbin": Role.SUBJECT}


def _clang(name: str, *arguments: str) -> tuple[str, ...]:
    return (program(name, Compiler.CLANG), *arguments)


def _cases(argv: tuple[str, ...], threads: int) -> tuple[Case, ...]:
    return on_each_runtime(argv, _RUNTIMES, threads=threads)


def _plain(
    label: str, argv: tuple[str, ...], threads: int, metric: str, unit: str, target: Target
) -> Experiment:
    return Experiment(
        label, _cases(argv, threads), (Figure(label, metric, unit, target),), repeat=3
    )


def _construct(op: str, threads: int, metric: str, unit: str, target: Target) -> Experiment:
    return _plain(
        f"{op}, {threads} threads", _clang("region", f"op={op}"), threads, metric, unit, target
    )


def _fib(threads: int, limit: float) -> Experiment:
    label = f"fib(30), a task a call, {threads} thread{'s' if threads > 1 else ''}"
    figure = Figure(label, "task_ns", "ns a task", at_most(limit))
    return Experiment(label, _cases(_clang("fib", "n=30"), threads), (figure,))


def _uts(tree: str) -> Experiment:
    label = f"UTS {tree}, a task a child"
    argv = _clang("uts", f"tree={tree}")
    serial = Case("serial", "omp", (*argv, "mode=serial"), Role.REFERENCE, threads=1)
    figure = Figure(label, "time_ms", "x of serial", at_least(1.93), Relation.SPEEDUP, serial.name)
    return Experiment(label, (*_cases((*argv, "mode=wait"), 2), serial), (figure,))


def experiments() -> list[Experiment]:
    return [
        _fib(1, 12),
        _fib(2, 8),
        _uts("T3"),
        _uts("T1"),
        _plain(
            "nested regions of 32 in 64 tasks of 16 threads",
            _clang("nested", "outer=16", "tasks=64", "inner=32", "seconds=0.2"),
            16,
            "nested_us",
            "us a region",
            at_most(2),
        ),
        _construct("parallel", 2, "parallel_us", "us", at_most(1.0, BEST_RIVAL)),
        _construct("barrier", 2, "barrier_us", "us", at_most(1.1, BEST_RIVAL)),
        _plain(
            "parallel with reduction, 16 threads",
            _clang("overheads", "construct=reduction"),
            16,
            "overhead_us",
            "us",
            at_most(2.5),
        ),
        _construct("critical", 16, "critical_ns", "ns", at_most(50)),
        _construct("dynamic", 2, "dynamic_ns", "ns", at_most(7)),
        _plain(
            "chain of depend(inout)",
            _clang("chain", "tasks=1000000", "addresses=1"),
            2,
            "task_ns",
            "ns a task",
            at_most(70),
        ),
        _plain(
            "taskloop grainsize(1), empty",
            _clang("taskloop", "iterations=1000000", "turns=0"),
            2,
            "iteration_ns",
            "ns",
            at_most(20),
        ),
    ]
