# SPDX-License-Identifier: Apache-2.0
"""How much can be tried in the available time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.advice.settings import Setting

# The number of runs per side. With fewer, an interval says nothing.
ENOUGH = 5


@dataclass(frozen=True)
class Plan:
    """The first setting has already run. Each other setting runs once; then all run alternately."""

    settings: Sequence[Setting]  # the first is the user's own
    rounds: int  # for which there is time
    wanted: int  # rounds to make if runs turn out shorter than the first one
    once: float  # seconds for one run with the user's setting
    left_out: int = 0

    @property
    def runs(self) -> int:
        return _runs(len(self.settings), self.rounds)

    @property
    def seconds(self) -> float:
        return self.runs * self.once


def _runs(settings: int, rounds: int) -> int:
    return settings - 1 + settings * rounds


def plan(settings: Sequence[Setting], rounds: int, once: float, budget: float) -> Plan | None:
    """Fewer settings are better than too few rounds, which would show nothing. But keeping all
    settings is better than more rounds. Returns None if there is no time even for one other
    setting.
    """
    for fewer in range(rounds, ENOUGH, -1):
        if _runs(len(settings), fewer) * once <= budget:
            return Plan(settings, fewer, rounds, once)
    for fewer in range(min(rounds, ENOUGH), 0, -1):
        fitting = [
            number
            for number in range(2, len(settings) + 1)
            if _runs(number, fewer) * once <= budget
        ]
        if fitting:
            most = fitting[-1]
            return Plan(settings[:most], fewer, rounds, once, len(settings) - most)
    return None


def least(once: float) -> float:
    """The smallest number of seconds with which `plan` is not None."""
    return _runs(2, 1) * once


def spoken(seconds: float) -> str:
    """A rounded duration as text."""
    if seconds < 10:
        return f"{max(seconds, 1):.0f} s"
    return f"{round(seconds, -1):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
