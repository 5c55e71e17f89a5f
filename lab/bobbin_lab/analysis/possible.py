# SPDX-License-Identifier: Apache-2.0
"""Figures that cannot be true, although they were measured. They are refused, not published."""

from __future__ import annotations

# Above the whole by this factor a figure is impossible; below, it may be noise.
_MOST = 1.05


def refused_speedup(value: float, threads: int, processors: int) -> str:
    """Why so many threads cannot be so much faster than the serial program; nothing if they can."""
    if value <= _MOST * min(threads, processors):
        return ""
    who = f"{threads} thread{'' if threads == 1 else 's'}"
    where = f"{processors} processor{'' if processors == 1 else 's'}"
    return f"a speed-up of {value:.3g} by {who} on {where}"


def refused_share(percent: float) -> str:
    """Why that is no share of the processors' or the threads' time, or of the tasks."""
    return "" if percent <= _MOST * 100 else f"{percent:.3g} % of what there is"
