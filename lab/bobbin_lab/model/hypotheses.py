# SPDX-License-Identifier: Apache-2.0
"""The performance model normal form with one term: f(t) = c0 + c1 t^i log2(t)^j."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Growth(IntEnum):
    """Classes of growth, from the best to the worst."""

    FALLING = 0
    CONSTANT = 1
    LOGARITHMIC = 2
    SUBLINEAR = 3
    LINEAR = 4
    SUPERLINEAR = 5

    def __str__(self) -> str:
        return {
            Growth.FALLING: "falling",
            Growth.CONSTANT: "constant",
            Growth.LOGARITHMIC: "logarithmic",
            Growth.SUBLINEAR: "sub-linear",
            Growth.LINEAR: "linear",
            Growth.SUPERLINEAR: "super-linear",
        }[self]


_DIGITS = str.maketrans("0123456789/", "⁰¹²³⁴⁵⁶⁷⁸⁹ᐟ")


@dataclass(frozen=True)
class Hypothesis:
    i: Fraction
    j: int

    @property
    def growth(self) -> Growth:
        if self.i == 0:
            return Growth.LOGARITHMIC if self.j else Growth.CONSTANT
        if self.i < 1:
            return Growth.SUBLINEAR
        return Growth.LINEAR if self.i == 1 and self.j == 0 else Growth.SUPERLINEAR

    @property
    def pure(self) -> bool:
        """Whether it is a power or a logarithm alone. The others lie between two of these."""
        return self.i == 0 or self.j == 0

    @property
    def complexity(self) -> int:
        """The smallest wins among hypotheses that describe the points equally well."""
        if self.i == 0:
            return (0, 1, 3)[self.j]
        if self.i == 1:
            return 2 if self.j == 0 else 5 + self.j
        if self.j:
            return 7 + self.j
        common = {Fraction(1, 2): 3, Fraction(2): 3, Fraction(3, 2): 4}
        return common.get(self.i, 5 if self.i.denominator in (1, 2, 4) else 6)

    def __call__(self, threads: Floats) -> Floats:
        power: Floats = threads ** float(self.i)
        grown: Floats = power * np.log2(threads) ** self.j
        return grown

    def __str__(self) -> str:
        factors = []
        if self.i:
            factors.append("t" if self.i == 1 else "t" + str(self.i).translate(_DIGITS))
        if self.j:
            factors.append(("log₂", "log₂²")[self.j - 1] + " t")
        return " ".join(factors) or "1"


_EXPONENTS = ("0", "1/4", "1/3", "1/2", "2/3", "3/4", "1", "5/4", "4/3", "3/2", "5/3", "7/4", "2")
HYPOTHESES = tuple(Hypothesis(Fraction(i), j) for i in _EXPONENTS for j in (0, 1, 2))
# Their indices among the hypotheses.
CONSTANT = 0
LINE = HYPOTHESES.index(Hypothesis(Fraction(1), 0))


def terms(threads: Floats) -> Floats:
    """The growing term of each hypothesis at each number of threads."""
    return np.array([hypothesis(threads) for hypothesis in HYPOTHESES])
