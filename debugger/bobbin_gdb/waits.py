# SPDX-License-Identifier: Apache-2.0
"""Which construct a thread is in, by the entry point of the runtime that its code has called."""

from __future__ import annotations

import enum
import re
from pathlib import Path


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

def _patterns() -> list[tuple[State, re.Pattern[str]]]:
    lines = Path(__file__).with_name("entry_points.txt").read_text().splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    return [(State[name], re.compile(pattern)) for name, pattern in words]


_PATTERNS = _patterns()


def state_in(entry: str) -> State | None:
    """The state of a thread that has called this entry point; None: it tells none."""
    for state, pattern in _PATTERNS:
        if pattern.fullmatch(entry):
            return state
    return None
