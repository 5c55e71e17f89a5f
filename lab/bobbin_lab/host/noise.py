# SPDX-License-Identifier: Apache-2.0
"""The other load of the machine during a measurement."""

from __future__ import annotations

import os
import time
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

_TICK = 1.0 / os.sysconf("SC_CLK_TCK")
# The processors that the lab may use, and so measures. Work on others disturbs nothing.
PROCESSORS: Set[int] = os.sched_getaffinity(0)

# Above these shares of the machine a sample is not trusted. /proc/stat counts in ticks, so a short
# run also needs a few ticks of foreign work.
FOREIGN_LIMIT = 0.06
FOREIGN_TICKS = 4
STEAL_LIMIT = 0.02

# A run on several processors is not trusted either where these were farther apart than this, in ns
# for a cache line; farther or nearer than usual in its experiment by this factor; or where two
# together did less than this much of the work of one alone.
TRANSFER_FAR = 100.0
TRANSFER_SPREAD = 1.6
TOGETHER_LEAST = 1.7


@dataclass(frozen=True)
class CpuClock:
    """The time of the usable processors so far, in seconds."""

    busy: float
    stolen: float
    wall: float

    @staticmethod
    def parse(stat: str, wall: float, processors: Set[int] = PROCESSORS) -> CpuClock:
        """From the text of /proc/stat: cpuN user nice system idle iowait irq softirq steal ..."""
        lines = [line.split() for line in stat.splitlines() if line.startswith("cpu")]
        rows = {name: ticks for name, *ticks in lines}
        names = [f"cpu{number}" for number in processors]
        own = [rows[name] for name in names if name in rows]
        if len(own) < len(processors):  # a container may renumber its processors
            own = [rows["cpu"]]
        user, nice, system, _, _, irq, softirq, steal = (
            sum(map(int, column)) for column in list(zip(*own, strict=True))[:8]
        )
        return CpuClock((user + nice + system + irq + softirq) * _TICK, steal * _TICK, wall)

    @staticmethod
    def now() -> CpuClock:
        return CpuClock.parse(Path("/proc/stat").read_text(), time.monotonic())


@dataclass(frozen=True)
class Noise:
    """Shares of the processors' time that others took during a run, and before it.

    transfer_ns: the time of a cache line from one processor to another. together: the work of both
    at once relative to one alone, 2 at best. mhz: the clock, where the kernel tells it.
    """

    foreign: float
    stolen: float
    foreign_ticks: float
    transfer_ns: float | None = None
    together: float | None = None
    mhz: float | None = None

    @staticmethod
    def between(start: CpuClock, end: CpuClock, own_cpu: float) -> Noise:
        machine = max(end.wall - start.wall, 1e-3) * len(PROCESSORS)
        foreign = max(end.busy - start.busy - own_cpu, 0.0)
        return Noise(foreign / machine, (end.stolen - start.stolen) / machine, foreign / _TICK)

    def calm(self) -> bool:
        """Whether no other program disturbed it."""
        busy = self.foreign > FOREIGN_LIMIT and self.foreign_ticks >= FOREIGN_TICKS
        return not busy and self.stolen <= STEAL_LIMIT

    def near(self, usual_ns: float | None) -> bool:
        """Whether the processors were apart, and as near each other as is usual."""
        if self.together is not None and self.together < TOGETHER_LEAST:
            return False
        if self.transfer_ns is None or usual_ns is None:
            return True
        ratio = self.transfer_ns / usual_ns
        spread = 1 / TRANSFER_SPREAD <= ratio <= TRANSFER_SPREAD
        return self.transfer_ns <= TRANSFER_FAR and spread


def load_average() -> float:
    return os.getloadavg()[0]


def foreign_share(interval: float = 0.2) -> float:
    """The share of the machine that is busy while this process only sleeps."""
    start = CpuClock.now()
    time.sleep(interval)
    return Noise.between(start, CpuClock.now(), 0.0).foreign


def wait_until_quiet(limit: float) -> bool:
    """Sleeps until the machine is nearly idle. False: it is not within `limit` seconds."""
    end = time.monotonic() + limit
    while foreign_share() > FOREIGN_LIMIT:
        if time.monotonic() > end:
            return False
        time.sleep(0.5)
    return True


class Patience:
    """Waits for an idle machine. After each unsuccessful wait the next one is half as long, so that
    a session also ends on a machine that is never idle.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._next = limit

    def wait(self) -> bool:
        """Returns False when the machine is still busy."""
        quiet = wait_until_quiet(self._next)
        self._next = self._limit if quiet else self._next / 2
        return quiet


def frequency() -> float | None:
    """The mean clock of the usable processors in MHz, where the kernel tells it."""
    clocks = [
        float(line.split(":", 1)[1])
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("cpu MHz")
    ]
    return sum(clocks) / len(clocks) if clocks else None
