# SPDX-License-Identifier: Apache-2.0
"""A model of two parameters, as Extra-P has them: a sum or a product of a term of each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bobbin_lab.model.fit import FLOOR, GROWTH_MARGIN, TIE_MARGIN
from bobbin_lab.model.hypotheses import HYPOTHESES, Floats, Hypothesis

# The size of a problem may count with a higher power than the threads: a product of matrices.
_MORE = tuple(Hypothesis(Fraction(i), j) for i in ("5/2", "3") for j in (0, 1))
TERMS = tuple(h for h in (*HYPOTHESES, *_MORE) if h.i or h.j)
# With fewer values of a parameter its law cannot be told.
LEAST_VALUES = 4


@dataclass(frozen=True)
class Shape:
    """c0 + c1 a(x) + c2 b(y) or c0 + c1 a(x) b(y), or with one of the terms alone."""

    a: Hypothesis | None = None
    b: Hypothesis | None = None
    product: bool = False

    @property
    def complexity(self) -> int:
        return sum(h.complexity for h in (self.a, self.b) if h is not None)

    def columns(self, x: Floats, y: Floats) -> Floats:
        of_x = [self.a(x)] if self.a is not None else []
        of_y = [self.b(y)] if self.b is not None else []
        terms = [of_x[0] * of_y[0]] if self.product else [*of_x, *of_y]
        return np.array([np.ones_like(x), *terms]).T

    def texts(self, names: tuple[str, str]) -> list[str]:
        told = [
            str(h).replace("t", name)
            for h, name in zip((self.a, self.b), names, strict=True)
            if h is not None
        ]
        return [" ".join(told)] if self.product else told


@dataclass(frozen=True)
class Surface:
    """The shape chosen for some points, with its coefficients."""

    shape: Shape
    coefficients: Floats
    loo: float  # the sum of squares of the relative errors of left-out points
    scatter: float

    def __call__(self, x: Floats, y: Floats) -> Floats:
        return np.asarray(self.shape.columns(x, y) @ self.coefficients)

    def text(self, names: tuple[str, str]) -> str:
        said = f"{self.coefficients[0]:.3g}"
        for c, term in zip(self.coefficients[1:], self.shape.texts(names), strict=True):
            said += f" {'-' if c < 0 else '+'} {abs(c):.3g} {term}"
        return said


def _fitted(shape: Shape, x: Floats, y: Floats, values: Floats) -> Surface | None:
    """Least squares of relative residuals; None where it goes below zero."""
    scale = np.maximum(values, FLOOR * values.max())
    columns = shape.columns(x, y)
    # Columns of one size: a cube beside a constant would lose digits.
    size = np.abs(columns).max(axis=0)
    weighted = columns / size / scale[:, None]
    q, r = np.linalg.qr(weighted)
    if np.abs(np.diag(r)).min() < 1e-9 * np.abs(np.diag(r)).max():
        return None
    coefficients = np.linalg.solve(r, q.T @ (values / scale)) / size
    predicted = columns @ coefficients
    if (predicted <= 0).any():
        return None
    residuals = (values - predicted) / scale
    left_out = residuals / np.maximum(1 - (q**2).sum(axis=1), 1e-9)
    spread = np.sqrt((residuals**2).sum() / max(len(values) - columns.shape[1], 1))
    return Surface(shape, coefficients, float((left_out**2).sum()) + 1e-24, float(spread))


def _levels() -> list[list[Shape]]:
    """From the simplest shapes to those of both parameters."""
    alone = [Shape(a=h) for h in TERMS] + [Shape(b=h) for h in TERMS]
    both = [Shape(a, b, product) for a in TERMS for b in TERMS for product in (True, False)]
    return [[Shape()], alone, both]


def choose(x: Floats, y: Floats, values: Floats) -> Surface:
    """A shape of more parameters must predict left-out points better by the margin that a growth
    must have over the constant. Of those that are as good as the best, the simplest wins.
    """
    if len(set(x)) < LEAST_VALUES or len(set(y)) < LEAST_VALUES:
        raise ValueError(f"a model of two parameters needs {LEAST_VALUES} values of each")
    if not (values > 0).all():
        raise ValueError("a model needs values above zero")
    n = len(values)
    chosen: Surface | None = None
    for level in _levels():
        found = [one for shape in level if (one := _fitted(shape, x, y, values)) is not None]
        if not found:
            continue
        best = min(one.loo for one in found)
        if chosen is not None and n * np.log(chosen.loo / best) < GROWTH_MARGIN:
            continue
        near = [one for one in found if n * np.log(one.loo / best) <= TIE_MARGIN]
        chosen = min(near, key=lambda one: (one.shape.complexity, one.loo))
    assert chosen is not None  # the constant is always possible
    return chosen
