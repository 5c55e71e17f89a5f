# SPDX-License-Identifier: Apache-2.0
"""Whether figures have come to grow faster than they did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from bobbin_lab.model.analyse import SeriesModel, analyse, points_of
from bobbin_lab.model.fit import GROWTH_MARGIN, choose
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.records import Results, ResultsError


class State(Enum):
    WORSE = "worse"
    SAME = "same"
    BETTER = "better"
    UNSURE = "differs within the noise"


@dataclass(frozen=True)
class Change:
    title: str
    case: str
    was: Growth
    now: Growth
    state: State


def _surely_above(model: SeriesModel, other: Growth) -> bool:
    """The points rule out the class of another time; a tie must not turn a gate."""
    points = points_of(model.series)
    held = choose(points, at_most=other)
    free = choose(points)
    return len(points) * float(np.log(held.loo / free.loo)) >= GROWTH_MARGIN


def _state(before: SeriesModel, after: SeriesModel) -> State:
    # What falls is no better than what is constant: neither costs more with more threads.
    was, now = (max(model.growth, Growth.CONSTANT) for model in (before, after))
    if now == was:
        return State.SAME
    if now < was:
        return State.BETTER if _surely_above(before, now) else State.UNSURE
    return State.WORSE if _surely_above(after, was) else State.UNSURE


def judge_change(baseline: Results, results: Results, runtime: str = "") -> list[Change]:
    before = {model.series.key: model for model in analyse(baseline, "all")}
    after = {model.series.key: model for model in analyse(results, "all")}
    common = [key for key in after if key in before and runtime in ("", key.case)]
    if not common:
        raise ResultsError("the two files hold no modelled figure in common")
    return [
        Change(
            after[key].series.title,
            key.case,
            before[key].growth,
            after[key].growth,
            _state(before[key], after[key]),
        )
        for key in common
    ]
