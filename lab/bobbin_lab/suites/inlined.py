# SPDX-License-Identifier: Apache-2.0
"""Programs built by `bobbin cc`, on Bobbin and on libgomp, beside the same ones built as usual."""

from __future__ import annotations

from dataclasses import replace

from bobbin_lab.experiments.plan import (
    Case,
    Experiment,
    Figure,
    Relation,
    Role,
    Target,
    at_least,
    at_most,
)
from bobbin_lab.places import Compiler, program

_PLAIN = "not inlined"
_DEPTHS = (3, 4, 5, 6, 8)


def _both(
    name: str, *arguments: str, compiler: Compiler = Compiler.GCC, threads: int
) -> tuple[Case, Case]:
    inlined = (program(name, compiler, inlined=True), *arguments)
    plain = (program(name, compiler), *arguments)
    return (
        Case("bobbin", "bobbin", inlined, Role.SUBJECT, threads=threads),
        Case(_PLAIN, "bobbin", plain, Role.REFERENCE, threads=threads),
    )


def _threads(count: int) -> str:
    return f"{count} thread{'s' if count > 1 else ''}"


def _fib(compiler: Compiler, threads: int, limit: float) -> Experiment:
    label = f"fib(30), a task a call, {compiler}, {_threads(threads)}"
    figure = Figure(label, "task_ns", "ns a task", at_most(limit))
    return Experiment(
        label, _both("fib", "n=30", compiler=compiler, threads=threads), (figure,), repeat=2
    )


def _dynamic(compiler: Compiler, threads: int, target: Target | None) -> Experiment:
    label = f"dynamic,1 loop, {compiler}, {_threads(threads)}"
    figure = Figure(label, "dynamic_ns", "ns an iteration", target)
    return Experiment(
        label, _both("region", "op=dynamic", compiler=compiler, threads=threads), (figure,)
    )


def _uts(tree: str, wanted: float) -> Experiment:
    label = f"UTS {tree}, a task a child, 2 threads"
    serial = Case(
        "serial", "gomp", (program("uts"), f"tree={tree}", "mode=serial"), Role.REFERENCE, threads=1
    )
    figure = Figure(
        label, "time_ms", "x of serial", at_least(wanted), Relation.SPEEDUP, serial.name
    )
    return Experiment(
        label, (*_both("uts", f"tree={tree}", "mode=wait", threads=2), serial), (figure,)
    )


def _uncut(name: str) -> Experiment:
    """The tree of tasks to its leaves, against the program that makes tasks down to a depth."""
    label = f"{name} without cutoff, 2 threads"
    by_depth = [
        Case(
            f"cut off at {depth}",
            "bobbin",
            (program(name), "cutoff=manual", f"depth={depth}"),
            Role.REFERENCE,
            threads=2,
        )
        for depth in _DEPTHS
    ]
    figure = Figure(label, "time_ms", "ms")
    return Experiment(label, (*_both(name, threads=2), *by_depth), (figure,))


def _on_libgomp(name: str, *arguments: str, threads: int) -> Experiment:
    label = f"{name} on libgomp, {_threads(threads)}"
    inlined, plain = (
        replace(case, runtime="gomp") for case in _both(name, *arguments, threads=threads)
    )
    inlined = replace(inlined, name="gomp")
    figure = Figure(label, "time_ms", "ms", at_most(1.02, _PLAIN))
    return Experiment(label, (inlined, plain), (figure,), repeat=2)


def experiments() -> list[Experiment]:
    return [
        _fib(Compiler.GCC, 1, 3.2),
        _fib(Compiler.GCC, 2, 2.2),
        _fib(Compiler.CLANG, 1, 4.0),
        _fib(Compiler.CLANG, 2, 2.5),
        _uts("T1", 1.95),
        _uts("T3", 1.85),
        _uncut("nqueens"),
        _uncut("sort"),
        _uncut("floorplan"),
        _dynamic(Compiler.GCC, 1, at_most(1.0)),
        _dynamic(Compiler.GCC, 2, None),
        _dynamic(Compiler.CLANG, 2, None),
        _on_libgomp("fib", "n=25", threads=1),
        _on_libgomp("sort", threads=2),
    ]
