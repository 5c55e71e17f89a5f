# SPDX-License-Identifier: Apache-2.0
"""Models of all series of some results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.model.behaviour import Branch, branches
from bobbin_lab.model.fit import (
    LEAST_POINTS,
    Model,
    Points,
    choose_against_line,
    standard_error,
    trimmed_mean,
)
from bobbin_lab.model.hypotheses import Growth, Hypothesis
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.results.records import Better, Results
from bobbin_lab.results.series import Series, collect


@dataclass(frozen=True)
class PerThread:
    """The time divided by the number of threads, where there are more threads than processors.
    There each thread does its own part, so the total time always grows at least linearly.

    A model of the total is also a model of this, because relative residuals stay the same when both
    sides are divided by t. It can also say that a cost levels off, which c0 + c1 t^i cannot.
    """

    model: Model

    @property
    def rises(self) -> bool:
        """Whether it rises from the smallest measured number of threads to the largest."""
        threads = self.model.points.threads[[0, -1]]
        first, last = self.model(threads) / threads
        return bool(last > first)

    @property
    def growth(self) -> Growth:
        """The class of f(t) / t. A function that falls over the whole measured range is called
        falling, even if its law rises in the end. A function that rises there, although its law
        falls in the end, counts at most as a power of the logarithm.
        """
        hypothesis = self.model.hypothesis
        if self.model.growth < Growth.LINEAR:
            return Growth.LOGARITHMIC if self.rises and hypothesis.j else Growth.FALLING
        growth = Hypothesis(hypothesis.i - 1, hypothesis.j).growth
        return growth if growth is Growth.CONSTANT or self.rises else Growth.FALLING

    def __str__(self) -> str:
        return f"({self.model}) / t"


@dataclass(frozen=True)
class SeriesModel:
    series: Series
    branches: list[Branch]
    per_thread: PerThread | None  # only where the time grows faster than logarithmically

    @property
    def growth(self) -> Growth:
        """The growth of the behavioural class that grows fastest."""
        return max(branch.model.growth for branch in self.branches)

    @property
    def verdict(self) -> Verdict:
        """One for the figure, whatever its classes and its time per thread say one by one."""
        found = {judge(branch.model) for branch in self.branches}
        if Verdict.PROBLEM in found:
            return Verdict.SHARED if self._only_shares() else Verdict.PROBLEM
        return Verdict.NO_MODEL if Verdict.NO_MODEL in found else Verdict.FINE

    def _only_shares(self) -> bool:
        per_thread = self.per_thread
        return per_thread is not None and judge(per_thread.model, per_thread.growth) is Verdict.FINE


def points_of(series: Series) -> Points:
    """Values that are not above zero are lost in the noise, and are left out. So are those of runs
    that are not trusted, where the others are enough for a model.
    """
    trusted = {t: values for t, values in series.samples.items() if series.trusted_at(t)}
    samples = sorted((trusted if len(trusted) >= LEAST_POINTS else series.samples).items())
    points = Points.of(
        [float(threads) for threads, _ in samples],
        [trimmed_mean(values) for _, values in samples],
        [standard_error(values) for _, values in samples],
    )
    return points.where(points.values > 0)


def _per_thread(points: Points, processors: int) -> PerThread | None:
    crowded = points.threads > processors
    if crowded.sum() < LEAST_POINTS:
        return None
    return PerThread(choose_against_line(points.where(crowded)))


def analyse_series(series: Series, processors: int, partition: str = "auto") -> SeriesModel | None:
    """Returns None where there are too few points, or they are not times."""
    points = points_of(series)
    if len(points) < LEAST_POINTS or series.info.better is not Better.LOWER:
        return None
    found = branches(points, processors, partition)
    steep = any(branch.model.growth > Growth.LOGARITHMIC for branch in found)
    return SeriesModel(series, found, _per_thread(points, processors) if steep else None)


def processors_of(results: Results) -> int:
    return int(results.sessions[-1].machine.get("processors", 1))


def analyse(results: Results, partition: str = "auto") -> list[SeriesModel]:
    processors = processors_of(results)
    models = (analyse_series(s, processors, partition) for s in collect(results).values())
    return [model for model in models if model is not None]


def by_construct(models: Sequence[SeriesModel]) -> dict[tuple[str, str], dict[str, SeriesModel]]:
    """Benchmark and metric, with the model on each runtime."""
    table: dict[tuple[str, str], dict[str, SeriesModel]] = {}
    for model in models:
        key = model.series.key
        table.setdefault((key.benchmark, key.metric), {})[key.case] = model
    return table
