# SPDX-License-Identifier: Apache-2.0
"""Since when threads and tasks wait.

The runtime notes the processor's counter where a thread suspends, or has spun for long:
runtime/sched/workers/wait_begin.h. What time that was follows from two readings of the counter and
of CLOCK_MONOTONIC together: at start-up, and the latest one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import gdb

from .memory import Layout, u64


class Clock:
    """How long ago the counter had a value, when the process was stopped or its core written."""

    def __init__(self, layout: Layout) -> None:
        start = layout["clocks_at_start"]
        start_ticks = layout.u64(start, "ClockReading.ticks")
        start_ns = layout.u64(start, "ClockReading.ns")
        ticks = u64(layout["coarse_clock.ticks"])
        ns = u64(layout["coarse_clock.ns"])
        self._ns_per_tick = 0.0  # nobody has read the clocks a second time
        if ticks > start_ticks and ns > start_ns:
            self._ns_per_tick = (ns - start_ns) / (ticks - start_ticks)
        # The clock goes on for a process, which gdb has just stopped. A core file was written soon
        # after the runtime had read it.
        self._ticks = ticks
        self._ns_later = max(time.monotonic_ns() - ns, 0) if _is_process_here() else 0

    def seconds_since(self, ticks: int) -> float | None:
        """None: not known."""
        if ticks == 0 or self._ns_per_tick == 0:
            return None
        return max((self._ticks - ticks) * self._ns_per_tick + self._ns_later, 0.0) / 1e9


def _is_process_here() -> bool:
    connection = getattr(gdb.selected_inferior(), "connection", None)
    return connection is not None and connection.type == "native"


def _text(seconds: float) -> str:
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def how_long(waits: Sequence[float | None]) -> str:
    """Of things that wait alike: ` for 3.2 s to 5.1 s`; empty: not known."""
    known = [seconds for seconds in waits if seconds is not None]
    if not known:
        return ""
    shortest, longest = _text(min(known)), _text(max(known))
    return f" for {shortest}" if shortest == longest else f" for {shortest} to {longest}"
