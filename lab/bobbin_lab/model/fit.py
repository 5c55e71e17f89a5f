# SPDX-License-Identifier: Apache-2.0
"""Fits every hypothesis to the points of a series, and chooses among them.

Errors of measurement are proportional to the value, so the least squares use relative residuals:
each point counts the same, however large its value. Two kinds of points count less: those whose own
samples scatter more than usual, and those far below the largest value, which no model of one term
can be expected to match to the per cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bobbin_lab.model.hypotheses import (
    CONSTANT,
    HYPOTHESES,
    LINE,
    Floats,
    Growth,
    Hypothesis,
    terms,
)

LEAST_POINTS = 5
# How far apart, in n log(error / error), two hypotheses must be in cross-validation. A growth is
# found only when it beats the constant by the first value. A more complicated growth is found only
# when it beats all simpler ones by the second value. Set by synthetic data:
# docs/results/model-check.md.
GROWTH_MARGIN = 12.0
TIE_MARGIN = 4.0


# The relative error of a point with which all count the same.
USUAL_ERROR = 0.05
# Below this share of the largest value, errors are taken as shares of that value.
FLOOR = 0.1


@dataclass(frozen=True)
class Points:
    threads: Floats
    values: Floats
    errors: Floats | None = None  # standard errors of the values, where they are known
    floor: float = FLOOR

    @staticmethod
    def of(
        threads: Sequence[float], values: Sequence[float], errors: Sequence[float] | None = None
    ) -> Points:
        return Points(
            np.array(threads, dtype=np.float64),
            np.array(values, dtype=np.float64),
            None if errors is None else np.array(errors, dtype=np.float64),
        )

    @property
    def scale(self) -> Floats:
        """The divisors of the residuals."""
        least = np.maximum(self.values, self.floor * self.values.max())
        if self.errors is None:
            return np.asarray(least)
        return np.asarray(np.hypot(least, self.errors / USUAL_ERROR))

    def where(self, chosen: NDArray[np.bool_]) -> Points:
        errors = None if self.errors is None else self.errors[chosen]
        return Points(self.threads[chosen], self.values[chosen], errors, self.floor)

    def __len__(self) -> int:
        return len(self.threads)


@dataclass(frozen=True)
class Fits:
    """All hypotheses on the same points, in the order of HYPOTHESES."""

    c0: Floats
    c1: Floats
    rss: Floats  # sum of squares of the relative residuals
    loo: Floats  # the same, with each point predicted from the others
    left_out: Floats  # by hypothesis and point: the error of the others' prediction

    @staticmethod
    def to(points: Points) -> Fits:
        """Least squares with two columns, 1 and the term, each row divided by its scale."""
        scale = points.scale
        values = points.values / scale
        ones = 1 / scale
        grown = terms(points.threads) / scale
        s00, s01, s11 = (ones * ones).sum(), grown @ ones, (grown * grown).sum(axis=1)
        b0, b1 = values @ ones, grown @ values
        determinant = s00 * s11 - s01**2
        determinant[CONSTANT] = 1  # both of its columns are the same
        c0 = (s11 * b0 - s01 * b1) / determinant
        c1 = (s00 * b1 - s01 * b0) / determinant
        leverage = (
            s11[:, None] * ones**2 - 2 * s01[:, None] * ones * grown + s00 * grown**2
        ) / determinant[:, None]
        c0[CONSTANT], c1[CONSTANT], leverage[CONSTANT] = b0 / s00, 0, ones**2 / s00
        residuals = values - (c0[:, None] * ones + c1[:, None] * grown)
        left_out = residuals / np.maximum(1 - leverage, 1e-9)
        # With a perfect fit of made-up points a later division must not be by zero.
        floor = 1e-24
        return Fits(
            c0,
            c1,
            (residuals**2).sum(axis=1) + floor,
            (left_out**2).sum(axis=1) + floor,
            left_out * scale,
        )


@dataclass(frozen=True)
class Model:
    """The hypothesis chosen for some points."""

    points: Points
    hypothesis: Hypothesis
    c0: float
    c1: float
    rss: float
    loo: float
    constant_rss: float
    left_out: Floats

    @property
    def growth(self) -> Growth:
        return Growth.FALLING if self.c1 < 0 else self.hypothesis.growth

    @property
    def adjusted_r2(self) -> float:
        """The share of the variation that the model explains. A constant explains none."""
        n = len(self.points)
        if self.hypothesis.growth is Growth.CONSTANT or n < 3:
            return 0.0
        return 1 - (self.rss / (n - 2)) / (self.constant_rss / (n - 1))

    @property
    def scatter(self) -> float:
        """The typical relative distance of a point to the model."""
        n, parameters = len(self.points), 1 if self.c1 == 0 else 2
        return float(np.sqrt(self.rss / max(n - parameters, 1)))

    def __call__(self, threads: Floats) -> Floats:
        return self.c0 + self.c1 * self.hypothesis(threads)

    def __str__(self) -> str:
        if self.c1 == 0:
            return f"{self.c0:.3g}"
        sign = "-" if self.c1 < 0 else "+"
        return f"{self.c0:.3g} {sign} {abs(self.c1):.3g} {self.hypothesis}"


def _choice(fits: Fits, n: int, at_most: Growth) -> int:
    allowed = np.array([h.growth <= at_most for h in HYPOTHESES])
    rising = np.where(allowed & (fits.c1 >= 0), fits.loo, np.inf)
    falling = np.where(fits.c1 < 0, fits.loo, np.inf)
    constant = fits.loo[CONSTANT]
    errors = rising if rising.min() <= falling.min() else falling
    best = errors.min()
    if n * np.log(constant / best) < GROWTH_MARGIN:
        # A slight fall is called constant, too.
        return CONSTANT
    distance = n * np.log(errors / best)
    near = [k for k in np.flatnonzero(distance <= TIE_MARGIN) if k != CONSTANT]
    return int(min(near, key=lambda k: (HYPOTHESES[k].complexity, errors[k])))


def _fits(points: Points) -> Fits:
    if len(points) < LEAST_POINTS:
        raise ValueError(f"a model needs {LEAST_POINTS} points, not {len(points)}")
    if not (points.values > 0).all():
        raise ValueError("a model needs values above zero")
    return Fits.to(points)


def _model(points: Points, fits: Fits, k: int) -> Model:
    return Model(
        points,
        HYPOTHESES[k],
        float(fits.c0[k]),
        float(fits.c1[k]),
        float(fits.rss[k]),
        float(fits.loo[k]),
        float(fits.rss[CONSTANT]),
        fits.left_out[k],
    )


def choose(points: Points, at_most: Growth = Growth.SUPERLINEAR) -> Model:
    """The simplest of the hypotheses that predict left-out points about as well as the best."""
    fits = _fits(points)
    return _model(points, fits, _choice(fits, len(points), at_most))


def choose_against_line(points: Points) -> Model:
    """The same where growth along a line is expected: another law must beat the line as clearly as
    growth must beat the constant elsewhere.
    """
    fits = _fits(points)
    k = _choice(fits, len(points), Growth.SUPERLINEAR)
    surely = len(points) * np.log(fits.loo[LINE] / fits.loo[k]) >= GROWTH_MARGIN
    grows = k != CONSTANT and fits.c1[k] > 0 and fits.c1[LINE] > 0
    return _model(points, fits, LINE if grows and not surely else k)


def trimmed_mean(samples: Sequence[float]) -> float:
    """The mean without the fastest and slowest quarter; the median of fewer than four samples."""
    ordered = np.sort(np.array(samples, dtype=np.float64))
    if len(ordered) < 4:
        return float(np.median(ordered))
    cut = len(ordered) // 4
    return float(ordered[cut : len(ordered) - cut].mean())


def standard_error(samples: Sequence[float]) -> float:
    """The error of such a mean of the samples, from the distance of their quartiles."""
    low, high = np.percentile(np.array(samples, dtype=np.float64), [25, 75])
    return float((high - low) / 1.35 / np.sqrt(len(samples)))
