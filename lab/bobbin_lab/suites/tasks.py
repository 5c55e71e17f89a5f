# SPDX-License-Identifier: Apache-2.0
"""Explicit tasks: many small ones, trees, one producer, and dependences."""

from __future__ import annotations

from bobbin_lab.experiments.plan import (
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
from bobbin_lab.places import program


def _reference(name: str, argv: tuple[str, ...], threads: int = 1) -> Case:
    return Case(name, "gomp", argv, role=Role.REFERENCE, threads=threads)


# Linked with bench/calls_alone.c: the time on one thread that no runtime can save.
_CALLS_ALONE = "calls alone, 1 thread"


def _fib(threads: int, target: Target) -> Experiment:
    label = f"fib(30), a task a call, {threads} thread{'s' if threads > 1 else ''}"
    figures = [Figure(label, "task_ns", "ns a task", target)]
    if threads == 2:
        figures.append(Figure("fib(30): peak memory", "rss_mb", "MB", at_most(10)))
    cases = (
        *on_each_runtime((program("fib"), "n=30"), threads=threads),
        _reference(_CALLS_ALONE, (program("fib_calls_alone"), "n=30")),
    )
    return Experiment(label, cases, tuple(figures))


def _uts(tree: str, mode: str, targets: bool) -> Experiment:
    how = {"wait": "a task a child", "tasks": "a task a child, no taskwait"}[mode]
    label = f"UTS {tree}, {how}"
    argv = (program("uts"), f"tree={tree}")
    cases = (
        *on_each_runtime((*argv, f"mode={mode}"), threads=2),
        _reference("serial", (*argv, "mode=serial")),
        _reference("by hand", (*argv, "mode=steal"), threads=2),
        _reference(_CALLS_ALONE, (program("uts_calls_alone"), f"tree={tree}", f"mode={mode}")),
    )
    speedup = Figure(
        f"{label}: speedup",
        "time_ms",
        "x of serial",
        at_least(1.95) if targets else None,
        Relation.SPEEDUP,
        "serial",
    )
    by_hand = Figure(
        f"{label}: time", "time_ms", "ms", at_most(1.03, "by hand") if targets else None
    )
    memory = Figure(f"{label}: peak memory", "rss_mb", "MB", at_most(10) if targets else None)
    return Experiment(label, cases, (speedup, by_hand, memory) if targets else (speedup,))


def _short_producer() -> Experiment:
    argv = (program("producer"), "tasks=1600000", "turns=64")
    cases = (*on_each_runtime(argv, threads=2), _reference("gomp 1 thread", argv))
    target = at_least(0.95, "gomp 1 thread")
    figure = Figure(
        "one producer, tasks of 64 turns",
        "rate_mtasks",
        "Mtasks/s",
        target,
        higher_is_better=True,
    )
    return Experiment("short producer", cases, (figure,))


def _speedup(label: str, argv: tuple[str, ...], base: Case, wanted: float) -> Experiment:
    figure = Figure(
        label, "time_ms", f"x of {base.name}", at_least(wanted), Relation.SPEEDUP, base.name
    )
    return Experiment(label, (*on_each_runtime(argv, threads=2), base), (figure,))


def _against_one_thread(label: str, argv: tuple[str, ...], wanted: float) -> Experiment:
    return _speedup(label, argv, _reference("gomp 1 thread", argv), wanted)


def _against_serial(label: str, argv: tuple[str, ...], wanted: float) -> Experiment:
    return _speedup(label, argv, _reference("serial", (*argv, "mode=serial")), wanted)


def _per_task(label: str, argv: tuple[str, ...], metric: str, limit: float) -> Experiment:
    figure = Figure(label, metric, "ns", at_most(limit))
    return Experiment(label, on_each_runtime(argv, threads=2), (figure,), repeat=2)


def _chain(addresses: int) -> Experiment:
    label = f"chains of depend(inout) over {addresses:,} address{'es' if addresses > 1 else ''}"
    figures = [Figure(label, "task_ns", "ns a task", at_most(60))]
    if addresses == 1:
        figures.append(Figure(f"{label}: peak memory", "rss_mb", "MB", at_most(100)))
    argv = (program("chain"), "tasks=1000000", f"addresses={addresses}")
    return Experiment(label, on_each_runtime(argv, threads=2), tuple(figures))


def experiments() -> list[Experiment]:
    return [
        _fib(1, at_most(7)),
        _fib(2, at_most(5)),
        _uts("T3", "wait", targets=True),
        _uts("T1", "wait", targets=True),
        _uts("T3", "tasks", targets=False),
        _uts("T1", "tasks", targets=False),
        _short_producer(),
        _against_one_thread(
            "one producer, tasks of 1,000 turns",
            (program("producer"), "tasks=400000", "turns=1000"),
            1.8,
        ),
        _chain(1),
        _chain(1024),
        _chain(65536),
        _per_task("Jacobi, 32x32 blocks of 8x8", (program("jacobi"),), "task_ns", 120),
        _per_task("wavefront, 32x32 blocks of 8x8", (program("wavefront"),), "task_ns", 120),
        _against_serial(
            "Jacobi, 16x16 blocks of 32x32", (program("jacobi"), "blocks=16", "size=32"), 1.7
        ),
        _against_serial("LU, 32x32 blocks of 8x8", (program("lu"), "blocks=32"), 1.3),
        _against_serial(
            "sparse LU, 60x60 blocks of 8x8", (program("lu"), "blocks=60", "fill=0.15"), 1.3
        ),
        _against_one_thread(
            "taskloop grainsize(1), 5,000 turns",
            (program("taskloop"), "iterations=20000", "turns=5000"),
            1.85,
        ),
        _per_task(
            "taskloop grainsize(1), empty",
            (program("taskloop"), "iterations=1000000", "turns=0"),
            "iteration_ns",
            12,
        ),
        _per_task(
            "taskgroup with task_reduction, empty",
            (program("taskgroup_reduction"),),
            "task_ns",
            15,
        ),
    ]
