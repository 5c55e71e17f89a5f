# SPDX-License-Identifier: Apache-2.0
"""What a simulated machine's operations cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any


class CostError(Exception):
    """A cost that was given is not known, or is no number."""


@dataclass(frozen=True)
class Costs:
    """Nanoseconds. A tuple has one number for each level of the machine's tree, the nearest first;
    further levels cost as much as the last one.

    docs/lab.md tells where the numbers come from. Those of farther levels are estimates for a
    machine of several caches and packages.
    """

    in_place: float = 3.0  # a task that its maker executes at once
    defer: float = 20.0  # a task that goes into the deque
    begin: float = 12.0  # one taken from the own deque
    probe: float = 10.0  # one look at another worker's deque
    fork: float = 30.0  # a thread's part of a region, beside what wakes its worker
    # No cost, but what recording has added to each part's work; it is taken away again.
    recording: float = 0.0
    steal: tuple[float, ...] = (150.0, 300.0, 600.0)  # a theft
    # Until an idle worker that spins knows of work.
    wake: tuple[float, ...] = (300.0, 600.0, 1200.0)
    transfer: tuple[float, ...] = (60.0, 120.0, 240.0)  # one update of a line of another processor

    def request(self) -> dict[str, float | Sequence[float]]:
        return asdict(self)


def changed(costs: Costs, words: Sequence[str]) -> Costs:
    """Each word is name=ns, with colons between the numbers of levels."""
    known: dict[str, Any] = {field.name: getattr(costs, field.name) for field in fields(costs)}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or name not in known:
            raise CostError(f"no cost is called {word!r}: there are {', '.join(known)}")
        try:
            numbers = tuple(float(number) for number in text.split(":"))
        except ValueError:
            numbers = ()
        by_level = isinstance(known[name], tuple)
        if not numbers or min(numbers) < 0 or (len(numbers) > 1 and not by_level):
            wanted = "nanoseconds, with colons between levels" if by_level else "nanoseconds"
            raise CostError(f"{word!r}: {wanted} are wanted")
        known[name] = numbers if by_level else numbers[0]
    return Costs(**known)


def words_of(costs: Costs) -> list[str]:
    """As --cost takes them."""
    return [f"--cost {name}={_numbers(value)}" for name, value in costs.request().items()]


def _numbers(value: float | Sequence[float]) -> str:
    levels = [value] if isinstance(value, float) else value
    return ":".join(f"{level:.3g}" for level in levels)
