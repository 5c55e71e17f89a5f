# SPDX-License-Identifier: Apache-2.0
"""Order statistics of a few samples: a run that others disturbed must not move the figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# With fewer samples the interval of a median says little.
LEAST_SAMPLES = 5


@dataclass(frozen=True)
class Summary:
    """The median of the samples and the quartiles around it."""

    count: int
    low: float
    median: float
    high: float

    def scaled(self, factor: float) -> Summary:
        return Summary(self.count, self.low * factor, self.median * factor, self.high * factor)

    def inverse_scaled(self, dividend: float) -> Summary:
        """dividend / samples; the quartiles change places."""
        return Summary(
            self.count, dividend / self.high, dividend / self.median, dividend / self.low
        )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Interpolates linearly between two neighbours. `ordered` is ascending and not empty."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def summarise(samples: Sequence[float]) -> Summary:
    if not samples:
        raise ValueError("no samples")
    ordered = sorted(samples)
    return Summary(
        len(ordered), quantile(ordered, 0.25), quantile(ordered, 0.5), quantile(ordered, 0.75)
    )


def spread(summary: Summary) -> float:
    """The distance of the quartiles, relative to the median."""
    return (summary.high - summary.low) / summary.median if summary.median else 0.0
