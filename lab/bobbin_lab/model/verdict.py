# SPDX-License-Identifier: Apache-2.0
"""The judgement of a construct by its model."""

from __future__ import annotations

from enum import Enum

from bobbin_lab.model.fit import Model
from bobbin_lab.model.hypotheses import Growth

# The share of the variation that a growth must explain to be called a problem.
LEAST_R2 = 0.95
# If the mean distance of the points to the model is larger, there is no verdict.
MOST_SCATTER = 0.3


class Verdict(Enum):
    FINE = "fine"
    PROBLEM = "scalability problem"
    # It grows only because the threads share processors: the time per thread does not.
    SHARED = "fine per thread"
    NO_MODEL = "no model"


def judge(model: Model, growth: Growth | None = None) -> Verdict:
    """Compares with the model's own class of growth, or with that of a quantity derived from it."""
    if (model.growth if growth is None else growth) <= Growth.LOGARITHMIC:
        return Verdict.FINE if model.scatter <= MOST_SCATTER else Verdict.NO_MODEL
    return Verdict.PROBLEM if model.adjusted_r2 >= LEAST_R2 else Verdict.NO_MODEL
