# SPDX-License-Identifier: Apache-2.0
"""Programs in a container whose cpu quota is smaller than the machine."""

from __future__ import annotations

from typing import NamedTuple

from bobbin_lab.experiments.plan import Experiment, Figure, on_each_runtime
from bobbin_lab.places import program

# Quotas of one processor, and of a share that matches no number of threads.
_QUOTAS = (1.0, 1.5)


class _Program(NamedTuple):
    title: str
    command: tuple[str, ...]
    metric: str
    unit: str


_PROGRAMS = (
    _Program("regions of 20 us", ("small_regions", "regions=20000", "work=20"), "region_us", "us"),
    _Program(
        "200 us in a region every ms, computing between",
        ("gap", "period=1000", "work=200", "idle=compute", "seconds=0.5"),
        "period_us",
        "us",
    ),
    _Program("Jacobi, 32x32 blocks of 8x8", ("jacobi", "sweeps=50"), "task_ns", "ns a task"),
    _Program("UTS T1, a task a child", ("uts", "tree=T1", "mode=wait"), "time_ms", "ms"),
)


def _experiment(quota: float, what: _Program, threads: int | None = None) -> Experiment:
    asked = f", {threads} threads asked for" if threads else ""
    label = f"quota {quota:g}{asked}: {what.title}"
    name, *arguments = what.command
    cases = on_each_runtime((program(name), *arguments), threads=threads, quota=quota)
    return Experiment(label, cases, (Figure(label, what.metric, what.unit),))


def experiments() -> list[Experiment]:
    by_default = [_experiment(quota, what) for quota in _QUOTAS for what in _PROGRAMS]
    # For a user who counts processors and does not know of the quota.
    asked_for = [_experiment(1.0, what, threads=2) for what in _PROGRAMS]
    return [*by_default, *asked_for]
