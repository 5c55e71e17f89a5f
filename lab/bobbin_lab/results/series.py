# SPDX-License-Identifier: Apache-2.0
"""Results as series: one metric of one benchmark on one runtime, over the numbers of threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bobbin_lab.results.records import BenchmarkInfo, MetricInfo, Reading, Results, rule_of
from bobbin_lab.results.stats import LEAST_SAMPLES, Summary, summarise


@dataclass(frozen=True, order=True)
class Key:
    benchmark: str
    metric: str  # with its labels, if it has any
    case: str  # the runtime, or the name of a reference


@dataclass
class Series:
    key: Key
    info: MetricInfo
    title: str
    group: str
    # By threads. Where enough runs are trusted, only they are here.
    samples: dict[int, list[float]] = field(default_factory=dict)
    disturbed: dict[int, int] = field(default_factory=dict)  # how many of them are not trusted

    @property
    def labels(self) -> dict[str, str]:
        """The labels that distinguish it, as in `metric{label=value,...}`."""
        inner = self.key.metric.partition("{")[2].rstrip("}")
        return dict(word.split("=", 1) for word in inner.split(",") if word)

    @property
    def count(self) -> int:
        return sum(len(values) for values in self.samples.values())

    def trusted(self) -> bool:
        """Returns whether at most a quarter of the runs that it rests on were disturbed."""
        return 4 * sum(self.disturbed.values()) <= self.count

    def trusted_at(self, threads: int) -> bool:
        """The same of the runs with that number of threads."""
        return 4 * self.disturbed.get(threads, 0) <= len(self.samples.get(threads, ()))

    def summaries(self) -> dict[int, Summary]:
        return {threads: summarise(values) for threads, values in sorted(self.samples.items())}


def _title(info: BenchmarkInfo, metric: MetricInfo, reading: Reading) -> str:
    """The benchmark's title, with the labels that distinguish its figures."""
    labels = [(label, reading.labels[label]) for label in info.by if label in reading.labels]
    told = [f"{label} {value}" if value.isdigit() else value for label, value in labels]
    told += [metric.title] if metric.title else []
    return f"{info.title}: {', '.join(told)}" if told else info.title


def collect(results: Results) -> dict[Key, Series]:
    """The declared metrics only. A program may print more, which stay in the file."""
    found: dict[Key, Series] = {}
    trusted: dict[tuple[Key, int], list[float]] = {}
    counts = rule_of(results.runs)
    for run in results.runs:
        info = results.benchmark(run.experiment)
        if info is None or run.threads is None:
            continue
        for reading in run.readings:
            declared = info.metrics.get(reading.metric)
            if declared is None:
                continue
            name = reading.name(info.by)
            key = Key(run.experiment, name, run.column)
            series = found.setdefault(
                key, Series(key, declared, _title(info, declared, reading), info.group)
            )
            series.samples.setdefault(run.threads, []).append(reading.value)
            if counts(run):
                trusted.setdefault((key, run.threads), []).append(reading.value)
    for key, series in found.items():
        for threads, values in series.samples.items():
            calm = trusted.get((key, threads), [])
            enough = len(calm) >= LEAST_SAMPLES
            series.disturbed[threads] = 0 if enough else len(values) - len(calm)
            series.samples[threads] = calm if enough else values
    return _in_order(results, found)


def _in_order(results: Results, found: Mapping[Key, Series]) -> dict[Key, Series]:
    """The order of the results, except that values of an argument stand in its own order."""
    first = {name: place for place, name in enumerate(dict.fromkeys(k.benchmark for k in found))}

    def place(key: Key) -> tuple[int, ...]:
        info, labels = results.benchmark(key.benchmark), found[key].labels
        values = info.over.items() if info else ()
        return (first[key.benchmark], *(v.index(labels[label]) for label, v in values))

    return {key: found[key] for key in sorted(found, key=place)}


def benchmarks(found: dict[Key, Series]) -> Iterator[tuple[str, str, dict[str, Series]]]:
    """Benchmark and metric with the series of each case, in the order of the results."""
    order = list(dict.fromkeys((key.benchmark, key.metric) for key in found))
    for benchmark, metric in order:
        cases = {
            key.case: series
            for key, series in found.items()
            if (key.benchmark, key.metric) == (benchmark, metric)
        }
        yield benchmark, metric, cases
