# SPDX-License-Identifier: Apache-2.0
"""The points of a figure, read from runs. Only trusted runs count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bobbin_lab.analysis.possible import refused_share, refused_speedup
from bobbin_lab.arguments import Values
from bobbin_lab.experiments.plan import SERIAL, Relation
from bobbin_lab.output.tables import TITLES
from bobbin_lab.papers.declared import Curves, Dimensions, Entry, Figure, HeatMap, Quantity
from bobbin_lab.papers.work import benchmark_of, name_of
from bobbin_lab.places import Compiler
from bobbin_lab.results.records import Results, Run, rule_of
from bobbin_lab.results.stats import LEAST_SAMPLES, Summary, summarise
from bobbin_lab.runtimes import parted

# Dimensions whose values need no name beside them.
_BARE = ("entry", "runtime", "compiler", "metric", "policy", "setting", "part")
# What tells programs of the same source apart; those of gcc have no name.
_COMPILERS = {
    Compiler.CLANG: "by clang",
    Compiler.TRANSLATE_GCC: "by `bobbin translate` and gcc",
    Compiler.TRANSLATE_CLANG: "by `bobbin translate` and clang",
}


@dataclass(frozen=True)
class Point:
    at: Mapping[str, str]  # its place, by dimension
    summary: Summary
    sure: bool  # whether enough trusted runs were made
    refused: str = ""  # why it cannot be true, although it was measured

    def place(self, dimensions: Dimensions) -> tuple[str, ...]:
        return tuple(self.at.get(dimension, "") for dimension in dimensions)


@dataclass
class _Samples:
    calm: list[float] = field(default_factory=list)
    disturbed: list[float] = field(default_factory=list)

    def point(self, at: Mapping[str, str]) -> Point:
        """Where no run is trusted, the others are shown, but not for publication."""
        return Point(at, summarise(self.calm or self.disturbed), len(self.calm) >= LEAST_SAMPLES)


def title_of(runtime: str, names: Mapping[str, str]) -> str:
    if runtime in names:
        return names[runtime]
    plain, settings = parted(runtime)
    return " ".join([TITLES.get(plain, plain), *settings])


def _place(figure: Figure, entry: Entry, run: Run) -> dict[str, str]:
    plain, settings = parted(run.column)
    policy = "+".join([plain, *settings[:-1]]) if settings else plain
    return {
        "entry": entry.title,
        "runtime": run.column,
        "compiler": _COMPILERS.get(entry.compiler, ""),
        "threads": str(run.threads),
        "policy": title_of(policy, figure.names),
        "setting": settings[-1] if settings else "",
    }


def _collected(figure: Figure, results: Results, quick: bool) -> Iterator[tuple[Point, int]]:
    """Each point, with the place of its entry."""
    trusted = rule_of(results.runs)
    for number, entry in enumerate(figure.entries):
        name, wanted = name_of(entry, quick), entry.runtimes or figure.runtimes
        info = results.benchmark(name)
        samples: dict[tuple[tuple[str, str], ...], _Samples] = {}
        for run in results.runs:
            of_runtime = run.column == run.runtime
            if info is None or run.experiment != name or (of_runtime and run.column not in wanted):
                continue
            serial = run.column == SERIAL
            if not (of_runtime or serial or entry.others):
                continue
            if run.threads not in figure.threads_at(quick) and not serial:
                continue
            for reading in run.readings:
                if reading.metric not in figure.quantity.metrics:
                    continue
                if any(reading.labels.get(n, v) != v for n, v in figure.quantity.where.items()):
                    continue
                at = _place(figure, entry, run)
                at["metric"] = info.metrics[reading.metric].title or reading.metric
                at |= {label: reading.labels[label] for label in info.by if label in reading.labels}
                found = samples.setdefault(tuple(at.items()), _Samples())
                (found.calm if trusted(run) else found.disturbed).append(reading.value)
        for place, one in samples.items():
            yield one.point(dict(place)), number


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _ordered(
    figure: Figure, found: Iterable[tuple[Point, int]], orders: Sequence[Mapping[str, Values]]
) -> list[Point]:
    """As declared: entries, metrics, arguments, threads, runtimes. Labels that are no arguments are
    in numeric order. `orders`: of each entry, the values of its arguments.
    """
    usual = [*figure.runtimes, *(r for e in figure.entries for r in e.runtimes)]

    def key(pair: tuple[Point, int]) -> tuple[object, ...]:
        point, entry = pair
        others = [
            orders[entry][d].index(v) if d in orders[entry] else _number(v)
            for d, v in point.at.items()
            if d not in (*_BARE, "threads")
        ]
        runtime = point.at["runtime"]
        return (
            entry,
            *others,
            int(point.at["threads"]),
            usual.index(runtime) if runtime in usual else len(usual),
        )

    return [point for point, _ in sorted(found, key=key)]


def _related(points: Sequence[Point], quantity: Quantity) -> Iterator[Point]:
    """Each point in relation to its base; the bases themselves and points without one are left
    out.
    """
    dimensions = tuple(
        dict.fromkeys(d for point in points for d in point.at if d not in ("policy", "setting"))
    )
    by_place = {point.place(dimensions): point for point in points}
    for point in points:
        if all(point.at.get(d) == value for d, value in quantity.base.items()):
            continue
        base = by_place.get(tuple(quantity.base.get(d, point.at.get(d, "")) for d in dimensions))
        if base is None:
            continue
        if base.summary.low <= 0 or point.summary.low <= 0:
            yield replace(point, refused="no ratio: it, or what it is divided by, may be zero")
            continue
        summary = (
            point.summary.inverse_scaled(base.summary.median)
            if quantity.relation is Relation.SPEEDUP
            else point.summary.scaled(1 / base.summary.median)
        )
        yield Point(point.at, summary, point.sure and base.sure)


def _judged(point: Point, quantity: Quantity, processors: int) -> Point:
    value, refused = point.summary.median, point.refused
    if quantity.is_speedup:
        refused = refused or refused_speedup(value, int(point.at["threads"]), processors)
    if quantity.is_share:
        refused = refused or refused_share(value)
    return replace(point, refused=refused)


def points_of(figure: Figure, results: Results, quick: bool) -> list[Point]:
    orders = [benchmark_of(entry, quick).over for entry in figure.entries]
    points = _ordered(figure, _collected(figure, results, quick), orders)
    if isinstance(figure.shown, HeatMap):  # a grid of policies has no place for the serial program
        points = [point for point in points if point.at["runtime"] != SERIAL]
    if figure.quantity.relation is not Relation.PLAIN:
        points = list(_related(points, figure.quantity))
    processors = int(results.sessions[-1].machine["processors"])
    return [_judged(point, figure.quantity, processors) for point in points]


def varying(points: Sequence[Point], dimensions: Dimensions) -> Dimensions:
    """Those of the dimensions in which the points differ."""
    return tuple(d for d in dimensions if len({point.at.get(d) for point in points}) > 1)


def spoken(point: Point, dimensions: Dimensions, figure: Figure) -> str:
    """The point's place in these dimensions, in words."""
    show = figure.shown
    counted = {show.x: show.x_title} if isinstance(show, Curves) and show.x_title else {}
    said = []
    for dimension in dimensions:
        value = point.at.get(dimension, "")
        if dimension == "runtime":
            said.append(title_of(value, figure.names))
        elif dimension in _BARE:
            said.append(value)
        elif dimension == "threads":
            said.append(f"{value} thread{'' if value == '1' else 's'}")
        elif dimension in counted:
            said.append(f"{value} {counted[dimension]}")
        else:
            said.append(f"{dimension} {value}")
    return ", ".join(word for word in said if word)
