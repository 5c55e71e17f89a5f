# SPDX-License-Identifier: Apache-2.0
"""How much can be tried in the time that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.advice.settings import Setting

# Runs on each side, below which an interval says nothing.
ENOUGH = 5


@dataclass(frozen=True)
class Plan:
    """Each setting but the first, which has been, is looked at once; then all run by turns."""

    settings: Sequence[Setting]  # the first is what the user has
    rounds: int  # that there is time for
    wanted: int  # rounds to make if runs are shorter than the first
    once: float  # seconds for a run, of what the user has
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
    """Rather few settings than too few rounds, which would show nothing, but all settings rather
    than more rounds. None if there is no time even for the first other setting.
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
    """The seconds without which `plan` is None."""
    return _runs(2, 1) * once


def spoken(seconds: float) -> str:
    """About."""
    if seconds < 10:
        return f"{max(seconds, 1):.0f} s"
    return f"{round(seconds, -1):.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
