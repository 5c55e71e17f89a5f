# SPDX-License-Identifier: Apache-2.0
"""How often the growth class of a known law is recognised in noisy points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from bobbin_lab.model.fit import Fits, Points
from bobbin_lab.model.hypotheses import CONSTANT, HYPOTHESES, Floats, Growth

CLASSES = (
    Growth.CONSTANT,
    Growth.LOGARITHMIC,
    Growth.SUBLINEAR,
    Growth.LINEAR,
    Growth.SUPERLINEAR,
)
THREADS = tuple(2.0**k for k in range(8))
NOISE = 0.05
DRAWS = 1000


class Pool(Enum):
    """The set from which laws are drawn."""

    PURE = "powers and logarithms alone, those of other classes farther away than the noise"
    APART = "all 39 hypotheses, those of other classes farther away than the noise"
    ALL = "all 39 hypotheses that grow by more than the noise"


@dataclass(frozen=True)
class Draw:
    growth: Growth
    points: Points


def _distances(threads: Floats, law: Floats) -> Floats:
    """The mean relative distance of each hypothesis to the law without noise."""
    fits = Fits.to(Points(threads, law, floor=0))
    return np.asarray(np.sqrt(fits.rss / len(threads)))


def _told_apart(pool: Pool, growth: Growth, distance: Floats, noise: float) -> bool:
    if growth is Growth.CONSTANT:
        return True  # it is a special case of every other, and simplicity decides between them
    if pool is Pool.ALL:
        return bool(distance[CONSTANT] > noise)
    rivals = [
        k
        for k, h in enumerate(HYPOTHESES)
        if h.growth is not growth and (h.pure or pool is Pool.APART)
    ]
    return bool(distance[rivals].min() > noise)


def draw(
    rng: np.random.Generator, pool: Pool, noise: float = NOISE, threads: Floats | None = None
) -> Draw:
    """Draws a class, one of its laws, and a growth from a tenth to a thousand times the constant
    part, until the law belongs to the pool. Then adds noise to its points.
    """
    t = np.array(THREADS) if threads is None else threads
    while True:
        growth = CLASSES[rng.integers(len(CLASSES))]
        members = [
            h for h in HYPOTHESES if h.growth is growth and (h.pure or pool is not Pool.PURE)
        ]
        term = members[rng.integers(len(members))](t)
        share = 0.0 if growth is Growth.CONSTANT else 10 ** rng.uniform(-1, 3)
        law = 1 + share * term / term.max()
        if _told_apart(pool, growth, _distances(t, law), noise):
            noisy = law * np.maximum(1 + noise * rng.standard_normal(len(t)), 0.01)
            return Draw(growth, Points(t, noisy))


@dataclass
class Confusion:
    """Rows: the law's class; columns: the class found."""

    counts: dict[Growth, dict[Growth, int]]

    @property
    def draws(self) -> int:
        return sum(sum(row.values()) for row in self.counts.values())

    @property
    def recovered(self) -> float:
        return sum(row.get(true, 0) for true, row in self.counts.items()) / self.draws


def confusion(
    pool: Pool,
    find: Callable[[Points], Growth],
    draws: int = DRAWS,
    seed: int = 1,
    noise: float = NOISE,
) -> Confusion:
    rng = np.random.default_rng(seed)
    counts: dict[Growth, dict[Growth, int]] = {growth: {} for growth in CLASSES}
    for _ in range(draws):
        one = draw(rng, pool, noise)
        found = find(one.points)
        counts[one.growth][found] = counts[one.growth].get(found, 0) + 1
    return Confusion(counts)


def markdown(pool: Pool, matrix: Confusion) -> str:
    columns = (Growth.FALLING, *CLASSES)
    shown = [c for c in columns if any(c in row for row in matrix.counts.values()) or c in CLASSES]
    lines = [
        f"{pool.value[0].upper()}{pool.value[1:]}: {100 * matrix.recovered:.1f} % of "
        f"{matrix.draws:,} draws found again.",
        "",
        "| law \\ found | " + " | ".join(str(c) for c in shown) + " | right |",
        "|---|" + "---|" * (len(shown) + 1),
    ]
    for growth, row in matrix.counts.items():
        total = sum(row.values())
        right = f"{100 * row.get(growth, 0) / total:.0f} %" if total else "none drawn"
        cells = " | ".join(str(row.get(c, 0)) for c in shown)
        lines.append(f"| {growth} | {cells} | {right} |")
    return "\n".join(lines) + "\n"
