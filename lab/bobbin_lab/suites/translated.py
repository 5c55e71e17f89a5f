# SPDX-License-Identifier: Apache-2.0
"""The papers' programs as `bobbin cc --translate` builds them, beside those of `gcc -fopenmp`."""

from __future__ import annotations

from bobbin_lab.experiments.plan import Case, Experiment, Figure, Role, Target, at_most
from bobbin_lab.places import Compiler, program

_PLAIN = "gcc -fopenmp"

# With words that make a run of each take about a fifth of a second.
_PROGRAMS = (
    ("uts", "tree=T1", "mode=wait"),
    ("uts", "tree=T3", "mode=wait"),
    ("uts_aggregate", "hashes=1000000", "k=8"),
    ("producer", "tasks=400000", "turns=64"),
    ("cluster", "mode=nested", "records=2000", "stop=400"),
    ("nested", "seconds=0.1"),
    ("alignment", "sequences=40"),
    ("cholesky", "blocks=16"),
    ("concom",),
    ("fft",),
    ("floorplan",),
    ("health", "levels=5"),
    ("jacobi",),
    ("knapsack", "items=22"),
    ("lu",),
    ("nqueens", "n=11"),
    ("sort",),
    ("strassen",),
    ("advection", "mode=breadth"),
    ("sweep", "kilobytes=64"),
)
# Of those that do not print their time.
_METRICS = {"nested": ("nested_us", "us")}


def _cases(name: str, words: tuple[str, ...], threads: int) -> tuple[Case, ...]:
    return tuple(
        Case(case, "bobbin", (program(name, compiler), *words), role, threads=threads)
        for case, compiler, role in (
            ("bobbin", Compiler.TRANSLATE_GCC, Role.SUBJECT),
            ("over clang", Compiler.TRANSLATE_CLANG, Role.REFERENCE),
            (_PLAIN, Compiler.GCC, Role.REFERENCE),
        )
    )


def _fib(number: int, tasks: int, threads: int, target: Target) -> Experiment:
    of_two = "each call a task" if tasks == 2 else "one of two calls a task"
    label = f"fib({number}), {of_two}, {threads} thread{'s' if threads > 1 else ''}"
    figure = Figure(label, "call_ns", "ns a call", target)
    return Experiment(
        label, _cases("fib", (f"n={number}", f"tasks={tasks}"), threads), (figure,), repeat=2
    )


def _program(name: str, *words: str) -> Experiment:
    label = f"{' '.join((name, *words))}, 2 threads"
    metric, unit = _METRICS.get(name, ("time_ms", "ms"))
    # What scatters is not more than a tenth.
    figure = Figure(label, metric, unit, at_most(1.1, _PLAIN))
    return Experiment(label, _cases(name, words, 2), (figure,))


def experiments() -> list[Experiment]:
    return [
        _fib(32, 1, 1, at_most(1.6)),
        _fib(32, 1, 2, at_most(1.0)),
        _fib(30, 2, 1, at_most(2.0)),
        _fib(30, 2, 2, at_most(1.3)),
        *(_program(*words) for words in _PROGRAMS),
    ]
