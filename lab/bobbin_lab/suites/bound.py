# SPDX-License-Identifier: Apache-2.0
"""Threads that are bound to places, one processor each: as on most clusters."""

from __future__ import annotations

from bobbin_lab.experiments.plan import BEST_RIVAL, Case, Experiment, Figure, Role, Target, at_most
from bobbin_lab.places import program

_BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}


def _experiment(
    title: str,
    command: tuple[str, ...],
    metric: str,
    threads: int,
    target: Target,
) -> Experiment:
    name, *arguments = command
    argv = (program(name), *arguments)
    cases = [
        Case("gomp", "gomp", argv, threads=threads, env=_BOUND),
        Case("omp", "omp", argv, threads=threads, env=_BOUND),
        Case("bobbin", "bobbin", argv, Role.SUBJECT, threads=threads, env=_BOUND),
        Case("bobbin unbound", "bobbin", argv, Role.REFERENCE, threads=threads),
        Case(
            "bobbin kernel",
            "bobbin",
            argv,
            Role.REFERENCE,
            threads=threads,
            env={**_BOUND, "BOBBIN_PROVIDER": "kernel"},
        ),
    ]
    return Experiment(title, tuple(cases), (Figure(title, metric, "us", target),))


def experiments() -> list[Experiment]:
    made = []
    for threads, target in ((2, at_most(0.8, BEST_RIVAL)), (16, at_most(1.2, "bobbin unbound"))):
        for op in ("parallel", "barrier"):
            title = f"bound: {op}, {threads} threads"
            command = ("region", f"op={op}", "seconds=0.1")
            made.append(_experiment(title, command, f"{op}_us", threads, target))
    nested = ("nested", "seconds=0.1", "outer=2", "inner=8")
    target = at_most(1.2, "bobbin unbound")
    made.append(_experiment("bound: regions of 8 in tasks", nested, "nested_us", 2, target))
    return made
