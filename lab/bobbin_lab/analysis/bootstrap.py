# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals by resampling, without assumptions about the distribution of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 4000


@dataclass(frozen=True)
class Ratio:
    """A ratio of medians with its 95 % interval."""

    value: float
    low: float
    high: float

    def above(self, limit: float) -> bool:
        return self.low > limit

    def below(self, limit: float) -> bool:
        return self.high < limit


def ratio_of_medians(
    numerator: Sequence[float], denominator: Sequence[float], of: int = 1
) -> Ratio:
    """Resamples both sides with replacement. The seed is fixed, so the answer is reproducible. For
    a ratio chosen from `of` candidates the interval is wider, so that it holds for all of them.
    """
    # Bonferroni's correction.
    tail = 2.5 / of
    rng = np.random.default_rng(1)
    top, bottom = np.array(numerator), np.array(denominator)
    tops = np.median(rng.choice(top, (RESAMPLES, len(top))), axis=1)
    bottoms = np.median(rng.choice(bottom, (RESAMPLES, len(bottom))), axis=1)
    low, high = np.percentile(tops / bottoms, [tail, 100 - tail])
    return Ratio(float(np.median(top) / np.median(bottom)), float(low), float(high))
