# SPDX-License-Identifier: Apache-2.0
"""The predictions of a model beyond the measured numbers of threads, and their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bobbin_lab.model.analyse import SeriesModel
from bobbin_lab.model.fit import Model, choose
from bobbin_lab.model.verdict import Verdict, judge

TARGETS = (128, 1024, 65536)
RESAMPLES = 200


@dataclass(frozen=True)
class Extrapolation:
    """A prediction, with the interval that holds nine of ten resampled predictions."""

    threads: int
    value: float
    low: float
    high: float


def extrapolate(
    model: Model, targets: tuple[int, ...] = TARGETS, seed: int = 1
) -> list[Extrapolation]:
    """Redistributes the residuals and chooses a hypothesis again each time. So the interval
    includes the uncertainty of the hypothesis, which far outside of the measured range is the
    largest part.
    """
    beyond = np.array([t for t in targets if t > model.points.threads.max()], dtype=np.float64)
    if not len(beyond):
        return []
    rng = np.random.default_rng(seed)
    points = model.points
    fitted, scale = model(points.threads), points.scale
    # Residuals of a fit are smaller than the errors. This factor corrects that in the mean.
    parameters = 1 if model.c1 == 0 else 2
    inflation = np.sqrt(len(points) / max(len(points) - parameters, 1))
    residuals = (points.values - fitted) / scale * inflation
    predicted = []
    for _ in range(RESAMPLES):
        drawn = np.maximum(
            fitted + scale * rng.choice(residuals, len(points)), 0.01 * points.values
        )
        predicted.append(choose(replace(points, values=drawn))(beyond))
    low, high = np.percentile(np.array(predicted), [5, 95], axis=0)
    values = model(beyond)
    return [
        Extrapolation(int(t), float(max(v, 0)), float(max(lo, 0)), float(max(hi, 0)))
        for t, v, lo, hi in zip(beyond, values, low, high, strict=True)
    ]


@dataclass(frozen=True)
class Beyond:
    """Predictions of the models of some results, at numbers of threads where none was measured."""

    measured: int
    targets: tuple[int, ...]
    # A model, the name of its behavioural class, and a value for each of the targets.
    rows: list[tuple[SeriesModel, str, list[Extrapolation]]]


def beyond(models: Sequence[SeriesModel]) -> Beyond:
    """All models have the same targets, also a model that ends at fewer threads."""
    measured = max((max(model.series.samples) for model in models), default=0)
    targets = tuple(t for t in TARGETS if t > measured)
    rows = [
        (model, branch.name, extrapolate(branch.model, targets))
        for model in models
        for branch in model.branches
        if judge(branch.model) is not Verdict.NO_MODEL
    ]
    return Beyond(measured, targets, rows)
