# SPDX-License-Identifier: Apache-2.0
"""Checks whether figures now grow faster than before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from bobbin_lab.analysis.baseline import Baseline, models_of
from bobbin_lab.model.analyse import SeriesModel, analyse, points_of, processors_of
from bobbin_lab.model.fit import GROWTH_MARGIN, choose
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.results.records import Results, ResultsError


class State(Enum):
    WORSE = "worse"
    SAME = "same"
    BETTER = "better"
    UNSURE = "differs within the noise"
    FAILED = "fails"
    UNKNOWN = "not known: too few samples"

    @property
    def bad(self) -> bool:
        return self in (State.WORSE, State.FAILED, State.UNKNOWN)


@dataclass(frozen=True)
class Change:
    title: str
    case: str
    was: Growth
    now: Growth | None  # None where nothing is left to model
    state: State


# Of three samples the fastest and the slowest do not count, so one that was disturbed does not.
LEAST_SAMPLES = 3


def _too_few(model: SeriesModel) -> bool:
    return any(len(samples) < LEAST_SAMPLES for samples in model.series.samples.values())


def _surely_above(model: SeriesModel, other: Growth) -> bool:
    """Returns whether the points rule out the class of the earlier results. A tie must not change
    the verdict.
    """
    points = points_of(model.series)
    held = choose(points, at_most=other)
    free = choose(points)
    return len(points) * float(np.log(held.loo / free.loo)) >= GROWTH_MARGIN


def _state(before: SeriesModel, after: SeriesModel | None) -> State:
    if after is None or _too_few(after):
        return State.UNKNOWN
    # Falling is no better than constant: neither costs more with more threads.
    was, now = (max(model.growth, Growth.CONSTANT) for model in (before, after))
    if now == was:
        return State.SAME
    if now < was:
        return State.BETTER if _surely_above(before, now) else State.UNSURE
    return State.WORSE if _surely_above(after, was) else State.UNSURE


def _state_of(after: SeriesModel | None, was: Growth) -> State:
    """Of figures of which only the class is known."""
    if after is None or _too_few(after):
        return State.UNKNOWN
    now = max(after.growth, Growth.CONSTANT)
    if now <= was:
        return State.SAME if now == was else State.UNSURE
    return State.WORSE if _surely_above(after, was) else State.UNSURE


def judge_classes(baseline: Baseline, results: Results, runtime: str) -> list[Change]:
    """The runtime's figures against the classes of a baseline."""
    if processors_of(results) != baseline.processors:
        raise ResultsError(
            f"the baseline is of {baseline.processors} processors, the results are of "
            f"{processors_of(results)}: classes depend on that"
        )
    after, failed = models_of(results, runtime), results.failed()
    measured = {run.experiment for run in results.runs if run.column == runtime}
    changes = []
    for figure, was in baseline.classes.items():
        now = after.get(figure)
        benchmark = figure.partition(" ")[0]
        if benchmark not in measured:
            continue
        state = State.FAILED if (benchmark, runtime) in failed else _state_of(now, was)
        title = figure if now is None else now.series.title
        changes.append(Change(title, runtime, was, None if now is None else now.growth, state))
    if not changes:
        raise ResultsError(f"the results hold no modelled figure of the baseline on {runtime}")
    return changes


def judge_change(baseline: Results, results: Results, runtime: str = "") -> list[Change]:
    """Pairs the figures of both results, and those whose runs fail now. The failing ones may still
    have a model, from the numbers of threads that do not fail.
    """
    before = {model.series.key: model for model in analyse(baseline, "all")}
    after = {model.series.key: model for model in analyse(results, "all")}
    failed_before, failed = baseline.failed(), results.failed()
    measured = {(run.experiment, run.column) for run in results.runs}
    changes = []
    for key, was in before.items():
        if runtime not in ("", key.case):
            continue
        now, place = after.get(key), (key.benchmark, key.case)
        if place not in measured:
            continue
        fails = failed.get(place, set()) - failed_before.get(place, set())
        state = State.FAILED if fails else _state(was, now)
        growth = None if now is None else now.growth
        changes.append(Change(was.series.title, key.case, was.growth, growth, state))
    if not changes:
        raise ResultsError("the two files hold no modelled figure in common")
    return changes
