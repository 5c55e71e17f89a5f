# SPDX-License-Identifier: Apache-2.0
"""The figures that `bobbin run --profile --json` and `--span --json` write, as far as causes of
slowness are found in them. docs/inside.md describes the fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# The program's own work in a region, by what the sites of a profile are called.
WORK = frozenset({"region", "loop", "sections", "single", "task"})


@dataclass(frozen=True)
class Site:
    """What the threads did at one place in the source."""

    what: str
    where: str  # empty: not known
    has_line: bool
    seconds: float  # of all threads
    count: int
    threads: int
    longest: float  # seconds of the thread with most of them


@dataclass(frozen=True)
class Profile:
    """Of one process."""

    wall: float
    start_up: float  # seconds until the first region
    on_processors: float  # share of the time without waits in which threads had a processor
    workers: int  # threads that executed parts of regions
    seconds: Mapping[str, float]  # of all threads, by activity
    counts: Mapping[str, int]
    visits: Mapping[str, int]
    sites: Sequence[Site]  # those with most time come first

    @property
    def work(self) -> float:
        return self.seconds["work"]

    @property
    def serial(self) -> float:
        """The time without a region, from the first one on."""
        return max(self.seconds["serial"] - self.start_up, 0.0)

    @property
    def processed(self) -> float:
        """The work without the time in which other programs used the processors."""
        return self.work * self.on_processors

    def spent_on(self, *activities: str) -> float:
        return sum(self.seconds[activity] for activity in activities)

    def sites_of(self, *what: str) -> Sequence[Site]:
        return [site for site in self.sites if site.what in what]


def _site(record: Mapping[str, Any]) -> Site:
    return Site(
        record["what"],
        record.get("where", ""),
        bool(record.get("line")),
        record["seconds"],
        record["count"],
        record["threads"],
        record["longest_thread_seconds"],
    )


def _profile(record: Mapping[str, Any]) -> Profile:
    total = record["total"]
    return Profile(
        record["seconds"],
        record["start_up_seconds"],
        record["on_processors"],
        sum(thread["seconds"]["work"] > 0 for thread in record["threads"]),
        total["seconds"],
        total["counts"],
        total["visits"],
        [_site(site) for site in record["sites"]],
    )


def parse_profile(text: str) -> Profile | None:
    """Reads the process with most work in regions. None: no process opened a region."""
    profiles = [_profile(record) for record in json.loads(text)["processes"]]
    used = [profile for profile in profiles if profile.visits.get("region")]
    return max(used, key=lambda profile: profile.work, default=None)


@dataclass(frozen=True)
class Span:
    """Of the region with most work."""

    where: str
    work: float
    span: float
    chain: Sequence[tuple[str, str, float]]  # what, where and seconds on the longest chain

    @property
    def parallelism(self) -> float:
        return self.work / self.span if self.span > 0 else 1.0


def parse_span(text: str) -> Span | None:
    """None: no process opened a region."""
    regions = [
        (site, process)
        for process in json.loads(text)["processes"]
        for site in process["sites"]
        if site["what"] == "region" and site["whole_span_seconds"] > 0
    ]
    if not regions:
        return None
    region, process = max(regions, key=lambda pair: float(pair[0]["whole_work_seconds"]))
    chain = [
        (site["what"], site.get("where", ""), site["on_path_seconds"])
        for site in process["sites"]
        if site["what"] in WORK and site["on_path_seconds"] > 0
    ]
    return Span(
        region.get("where", ""), region["whole_work_seconds"], region["whole_span_seconds"], chain
    )
