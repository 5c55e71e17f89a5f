# SPDX-License-Identifier: Apache-2.0
"""Numbers of threads that behave alike get one model each, where one model for all does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bobbin_lab.model.fit import LEAST_POINTS, Model, Points, choose
from bobbin_lab.model.hypotheses import Growth

# For each additional model, separate models must predict left-out points better than the single one
# by this much, in n log(error / error).
SPLIT_MARGIN = 12.0
# The share of points that a partition must leave in classes large enough for a model.
LEAST_SHARE = 0.5

Namer = Callable[[int], str]


def _three_ways(processors: int) -> Namer:
    def name(threads: int) -> str:
        if threads & (threads - 1) == 0:
            return "powers of two"
        return f"multiples of {processors}" if threads % processors == 0 else "the rest"

    return name


def _period(period: int, offset: int) -> Namer:
    """The classes of Iwainsky et al.: PO2, EVEN and ODD."""

    def name(threads: int) -> str:
        if threads & (threads - 1) == 0:
            return "powers of two"
        classes = {0: f"multiples of {period}", offset: f"{offset} beyond multiples of {period}"}
        return classes.get(threads % period, "the rest")

    return name


def _eights(threads: int) -> str:
    return "multiples of 8" if threads % 8 == 0 else "linear"


def _crowd(processors: int) -> Namer:
    return lambda threads: "a processor each" if threads <= processors else "oversubscribed"


def _all(_threads: int) -> str:
    return "all"


def partitions(processors: int) -> dict[str, Namer]:
    """The partitions, by the names under which the user can ask for them."""
    return {
        "all": _all,
        "powers": _three_ways(max(processors, 2)),
        "eights": _eights,
        "crowd": _crowd(processors),
    }


# A partition by a period and an offset of the user's own, such as 16+8.
_BY_PERIOD = re.compile(r"(\d+)\+(\d+)")


def partition_of(text: str, processors: int) -> Namer:
    """By its name, or by a period and an offset. Raises ValueError where it is neither."""
    known = partitions(processors)
    if text in known:
        return known[text]
    numbers = _BY_PERIOD.fullmatch(text)
    period, offset = map(int, numbers.groups()) if numbers else (0, 0)
    if not 0 < offset < period:
        raise ValueError(
            f"no partition {text!r}: auto, {', '.join(known)}, or PERIOD+OFFSET such as 16+8"
        )
    return _period(period, offset)


@dataclass(frozen=True)
class Branch:
    """A behavioural class with its model."""

    name: str
    model: Model


def _split(points: Points, namer: Namer) -> dict[str, NDArray[np.bool_]]:
    """The points of each class that has enough points for a model."""
    names = np.array([namer(int(threads)) for threads in points.threads])
    classes = {str(name): names == name for name in dict.fromkeys(names)}
    return {name: mask for name, mask in classes.items() if mask.sum() >= LEAST_POINTS}


def _gain(
    points: Points, single: Model, parts: dict[str, NDArray[np.bool_]], models: list[Branch]
) -> float:
    """By how much the separate models are better than the single one, on the points they share."""
    scale = points.scale
    kept = np.logical_or.reduce(list(parts.values()))
    before = ((single.left_out / scale)[kept] ** 2).sum()
    after = sum(
        ((branch.model.left_out / scale[mask]) ** 2).sum()
        for branch, mask in zip(models, parts.values(), strict=True)
    )
    # Points left without a model cost as much as a model.
    extra = len(models) - 1 + (not kept.all())
    return float(kept.sum() * np.log((before + 1e-24) / (after + 1e-24)) - SPLIT_MARGIN * extra)


def branches(
    points: Points,
    processors: int,
    partition: str = "auto",
    at_most: Growth = Growth.SUPERLINEAR,
) -> list[Branch]:
    """The models of a series: one model, or one for each behavioural class. Numbers of threads in a
    class with too few points have no model.
    """
    auto = partition == "auto"
    single = choose(points, at_most)
    best, gained = [Branch("all", single)], 0.0
    known = partitions(processors).values() if auto else [partition_of(partition, processors)]
    for namer in known:
        parts = _split(points, namer)
        if sum(mask.sum() for mask in parts.values()) < LEAST_SHARE * len(points):
            continue
        models = [Branch(n, choose(points.where(mask), at_most)) for n, mask in parts.items()]
        if not auto:
            return models
        gain = _gain(points, single, parts, models)
        if gain > gained:
            best, gained = models, gain
    return best
