# SPDX-License-Identifier: Apache-2.0
"""The benchmarks that catalogue.toml declares, and how they become experiments."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bobbin_lab.places import program
from bobbin_lab.plan import SHOWN, Case, Experiment, Role
from bobbin_lab.records import BenchmarkInfo, MetricInfo

CATALOGUE = Path(__file__).with_name("catalogue.toml")
# The case that runs on one thread for others to be held against.
SERIAL = "serial"


@dataclass(frozen=True)
class Benchmark:
    """One stanza of the catalogue; docs/lab.md tells the keys."""

    name: str
    title: str
    group: str
    program: str
    arguments: tuple[str, ...]
    suites: tuple[str, ...]
    threads: tuple[int, ...]
    metrics: dict[str, MetricInfo]
    serial: tuple[str, ...] = ()
    timeout: float = 120.0

    def info(self) -> BenchmarkInfo:
        return BenchmarkInfo(self.title, self.group, self.metrics)


class CatalogueError(Exception):
    """A stanza that cannot be used."""


def _benchmark(stanza: dict[str, Any], threads: dict[str, list[int]]) -> Benchmark:
    try:
        counts = stanza.get("threads", "default")
        return Benchmark(
            name=stanza["name"],
            title=stanza.get("title", stanza["name"]),
            group=stanza["group"],
            program=stanza["program"],
            arguments=tuple(stanza.get("arguments", ())),
            suites=tuple(stanza.get("suites", ())),
            threads=tuple(threads[counts] if isinstance(counts, str) else counts),
            metrics={
                name: MetricInfo(metric["unit"], metric["better"], metric.get("title", ""))
                for name, metric in stanza["metrics"].items()
            },
            serial=tuple(stanza.get("serial", ())),
            timeout=stanza.get("timeout", 120.0),
        )
    except KeyError as missing:
        raise CatalogueError(f"{stanza.get('name', stanza)}: no {missing}") from missing


def parse(text: str) -> list[Benchmark]:
    document = tomllib.loads(text)
    return [_benchmark(stanza, document["threads"]) for stanza in document["benchmark"]]


@cache
def load(path: Path = CATALOGUE) -> list[Benchmark]:
    return parse(path.read_text())


def suites(benchmarks: Iterable[Benchmark]) -> list[str]:
    """The names of the suites, in the order in which they first stand."""
    return list(dict.fromkeys(suite for b in benchmarks for suite in b.suites))


def experiment(
    benchmark: Benchmark, runtimes: Sequence[str], threads: Sequence[int] | None = None
) -> Experiment:
    """Each runtime at each number of threads, all taking turns."""
    argv = (program(benchmark.program), *benchmark.arguments)
    cases = [
        Case(f"{runtime}, {count}", runtime, argv, SHOWN.get(runtime, Role.RIVAL), threads=count)
        for count in threads or benchmark.threads
        for runtime in runtimes
    ]
    if benchmark.serial:
        serial = (program(benchmark.program), *benchmark.serial)
        cases.append(Case(SERIAL, runtimes[0], serial, Role.REFERENCE, threads=1))
    return Experiment(benchmark.name, tuple(cases), (), timeout=benchmark.timeout)
