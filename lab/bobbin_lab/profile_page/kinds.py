# SPDX-License-Identifier: Apache-2.0
"""What threads do, as the pictures of a profile tell it apart: by the names of docs/inside.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    title: str
    colour: str  # distinguishable by readers who cannot distinguish red and green
    activities: tuple[str, ...]  # of threads
    sites: tuple[str, ...]  # places in the source

    def spent(self, seconds: Mapping[str, float]) -> float:
        return sum(seconds[activity] for activity in self.activities)


KINDS = (
    Kind(
        "work in regions",
        "#0072b2",
        ("work",),
        ("region", "loop", "sections", "single", "task"),
    ),
    Kind("outside of regions", "#56b4e9", ("serial",), ("serial",)),
    Kind(
        "the runtime's work",
        "#e69f00",
        ("fork", "task_creation", "dependence_check", "dependence_release", "reduction"),
        ("fork", "creation", "depend check", "depend release", "reduction"),
    ),
    Kind(
        "waits for threads and tasks",
        "#d55e00",
        ("barrier", "taskwait", "taskgroup", "dependence_wait"),
        ("barrier", "taskwait", "taskgroup", "depend wait"),
    ),
    Kind(
        "waits for locks",
        "#cc79a7",
        ("critical", "lock", "ordered", "atomic"),
        ("critical", "lock", "ordered", "atomic"),
    ),
    Kind("idle between regions", "#d9d9d9", ("idle",), ("idle",)),
)


def kind_of_site(what: str) -> Kind:
    return next(kind for kind in KINDS if what in kind.sites)
