# SPDX-License-Identifier: Apache-2.0
"""A comparison of two runtimes, figure by figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bobbin_lab.analysis.bootstrap import Ratio, ratio_of_medians
from bobbin_lab.results.records import Better, Results, ResultsError
from bobbin_lab.results.series import Series, benchmarks, collect
from bobbin_lab.results.stats import LEAST_SAMPLES, Summary, summarise


class Outcome(Enum):
    FASTER = "faster"
    SLOWER = "slower"
    EQUAL = "as fast"
    UNKNOWN = "not known"  # too few samples, or they are not trusted


@dataclass(frozen=True)
class Pair:
    """A figure of A and of B at one number of threads. `cost` is above 1 where A is worse."""

    title: str
    threads: int
    unit: str
    a: Summary
    b: Summary
    cost: Ratio
    trusted: bool

    @property
    def outcome(self) -> Outcome:
        if not self.known:
            return Outcome.UNKNOWN
        if self.cost.above(1):
            return Outcome.SLOWER
        return Outcome.FASTER if self.cost.below(1) else Outcome.EQUAL

    @property
    def enough(self) -> bool:
        return min(self.a.count, self.b.count) >= LEAST_SAMPLES

    @property
    def known(self) -> bool:
        return self.enough and self.trusted

    def slower_by(self, percent: float) -> bool:
        """True if this is certain, not only true of the median."""
        return self.outcome is Outcome.SLOWER and self.cost.above(1 + percent / 100)


def _cost(a: Series, b: Series, threads: int) -> Ratio:
    if a.info.better is Better.HIGHER:
        return ratio_of_medians(b.samples[threads], a.samples[threads])
    return ratio_of_medians(a.samples[threads], b.samples[threads])


def pairs_of(a: Series, b: Series) -> Iterator[Pair]:
    """Of one figure, at each number of threads at which both were taken."""
    for threads in sorted(set(a.samples) & set(b.samples)):
        if not all(value > 0 for s in (a, b) for value in s.samples[threads]):
            continue
        yield Pair(
            a.title,
            threads,
            a.info.unit,
            summarise(a.samples[threads]),
            summarise(b.samples[threads]),
            _cost(a, b, threads),
            a.trusted_at(threads) and b.trusted_at(threads),
        )


def pairs(results: Results, a: str, b: str) -> list[Pair]:
    found = [
        pair
        for _, _, cases in benchmarks(collect(results))
        if a in cases and b in cases and cases[a].info.better is not Better.NEITHER
        for pair in pairs_of(cases[a], cases[b])
    ]
    if not found:
        raise ResultsError(f"the results hold no figure of both {a} and {b}")
    return found
