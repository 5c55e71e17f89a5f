# SPDX-License-Identifier: Apache-2.0
"""Which construct a thread is in, by the entry point of the runtime that its code has called."""

from __future__ import annotations

import enum
import re


class State(enum.Enum):
    """What a thread does. The values are what the user reads."""

    RUNNING = "runs"
    BARRIER = "barrier"
    REGION_END = "end of region"
    TASKWAIT = "taskwait"
    TASKGROUP = "end of taskgroup"
    CRITICAL = "critical"
    LOCK = "lock"
    ATOMIC = "atomic"
    ORDERED = "ordered"
    TASK = "task construct"
    BLOCKED = "blocked"
    OTHER = "in the runtime"
    READY = "ready, no worker is free"
    UNBEGUN = "not begun"
    ENDED = "has ended its part"

    @property
    def waits(self) -> bool:
        return self in _WAITS


_WAITS = {
    State.BARRIER,
    State.REGION_END,
    State.TASKWAIT,
    State.TASKGROUP,
    State.CRITICAL,
    State.LOCK,
    State.ATOMIC,
    State.ORDERED,
    State.BLOCKED,
}

# The first that matches the whole name counts. What is in none of them waits for nobody.
_ENTRIES = [
    (
        State.TASKGROUP,
        r"GOMP_taskgroup_end|__kmpc_end_taskgroup|GOMP_taskloop\w*|__kmpc_taskloop\w*|bobbin_sync\w*",
    ),
    (State.TASKWAIT, r"GOMP_taskwait\w*|__kmpc_omp_(task)?wait\w*"),
    (
        State.BARRIER,
        r"GOMP_barrier\w*|__kmpc_(cancel_)?barrier\w*|GOMP_(loop|sections)_end(_cancel)?|GOMP_single_copy_\w+"
        r"|__kmpc_copyprivate\w*|__kmpc_(end_)?reduce|GOMP_workshare_task_reduction_unregister"
        r"|GOMP_reduction_end|GOMP_\w*worksharing_end",
    ),
    (
        State.ORDERED,
        r"GOMP_ordered_start|__kmpc_ordered|GOMP_doacross_(ull_)?wait|__kmpc_doacross_wait",
    ),
    (State.CRITICAL, r"GOMP_critical_(name_)?start|__kmpc_critical\w*"),
    (State.LOCK, r"omp_set_(nest_)?lock_?|__kmpc_set_(nest_)?lock"),
    (State.ATOMIC, r"GOMP_atomic_start|__kmpc_atomic\w*|__kmpc_reduce_nowait"),
    (State.BLOCKED, r"bobbin_block|alpi_task_block"),
    (State.TASK, r"GOMP_task|__kmpc_omp_task\w*|bobbin_spawn\w*"),
    (
        State.REGION_END,
        r"GOMP_parallel\w*|__kmpc_fork_\w+|GOMP_teams\w*|GOMP_target\w*|__kmpc_end_serialized_parallel|fortran_parallel",
    ),
]
_PATTERNS = [(state, re.compile(pattern)) for state, pattern in _ENTRIES]


def state_in(entry: str) -> State | None:
    """The state of a thread that has called this entry point; None: it tells none."""
    for state, pattern in _PATTERNS:
        if pattern.fullmatch(entry):
            return state
    return None
