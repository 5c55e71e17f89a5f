# SPDX-License-Identifier: Apache-2.0
"""Numbers of threads that behave alike: one model for each, where one for all does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bobbin_lab.model.fit import LEAST_POINTS, Model, Points, choose
from bobbin_lab.model.hypotheses import Growth

# Separate models must beat the single one in cross-validation by this much, in n log(error /
# error), for each model more.
SPLIT_MARGIN = 12.0

Namer = Callable[[int], str]


def _three_ways(processors: int) -> Namer:
    def name(threads: int) -> str:
        if threads & (threads - 1) == 0:
            return "powers of two"
        return f"multiples of {processors}" if threads % processors == 0 else "the rest"

    return name


def _eights(threads: int) -> str:
    return "multiples of 8" if threads % 8 == 0 else "linear"


def _all(_threads: int) -> str:
    return "all"


def partitions(processors: int) -> dict[str, Namer]:
    """By the name under which the user can ask for them."""
    return {
        "all": _all,
        "powers": _three_ways(max(processors, 2)),
        "eights": _eights,
    }


@dataclass(frozen=True)
class Branch:
    """A behavioural class with its model."""

    name: str
    model: Model


def _split(points: Points, namer: Namer) -> dict[str, Points]:
    """By class; a class with too few points for a model goes to the largest."""
    names = np.array([namer(int(threads)) for threads in points.threads])
    sizes = {str(name): int((names == name).sum()) for name in dict.fromkeys(names)}
    largest = max(sizes, key=lambda name: sizes[name])
    for name, size in sizes.items():
        if size < LEAST_POINTS:
            names[names == name] = largest
    return {
        str(name): Points(points.threads[names == name], points.values[names == name])
        for name in dict.fromkeys(names)
    }


def _models(points: Points, namer: Namer, at_most: Growth) -> list[Branch]:
    parts = _split(points, namer)
    if len(parts) == 1:
        return [Branch("all", choose(points, at_most))]
    return [Branch(name, choose(part, at_most)) for name, part in parts.items()]


def branches(
    points: Points,
    processors: int,
    partition: str = "auto",
    at_most: Growth = Growth.SUPERLINEAR,
) -> list[Branch]:
    """The models of a series: one, or one for each behavioural class."""
    known = partitions(processors)
    if partition != "auto":
        return _models(points, known[partition], at_most)
    best = _models(points, known["all"], at_most)
    single = best[0].model.loo
    gained = 0.0
    for namer in known.values():
        candidate = _models(points, namer, at_most)
        extra = len(candidate) - 1
        if extra == 0:
            continue
        error = sum(branch.model.loo for branch in candidate)
        gain = len(points) * float(np.log(single / error)) - SPLIT_MARGIN * extra
        if gain > gained:
            best, gained = candidate, gain
    return best
