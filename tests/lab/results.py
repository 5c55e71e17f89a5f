# SPDX-License-Identifier: Apache-2.0
"""Invented results for the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from bobbin_lab.host.noise import Noise
from bobbin_lab.results.records import (
    BenchmarkInfo,
    Better,
    MetricInfo,
    Reading,
    Results,
    Run,
    Session,
    Writer,
)

THREADS = (1, 2, 4, 8, 16, 24, 32, 48, 64)
CALM = Noise(0.0, 0.0, 0.0)
MACHINE = {
    "at": "2026-01-01T00:00:00+00:00",
    "processor": "made up",
    "processors": 2,
    "virtual": False,
    "kernel": "6.1",
    "libc": "glibc 2.36",
    "compiler": "gcc 12",
    "governor": "not told",
    "memory_gib": 4.0,
    "version": "0",
    "libbobbin": "0",
    "load": 0.0,
    "environment": {},
}

Law = Callable[[float], float]


def runs_of(
    benchmark: str,
    metric: str,
    laws: Mapping[str, Law],
    threads: Sequence[int] = THREADS,
    rounds: int = 5,
    noise: float = 0.02,
    seed: int = 1,
) -> list[Run]:
    rng = np.random.default_rng(seed)
    return [
        Run(
            experiment=benchmark,
            case=f"{runtime}, {count}",
            runtime=runtime,
            threads=count,
            round=turn,
            command=("x",),
            readings=(
                Reading(metric, float(law(count) * (1 + noise * rng.standard_normal())), "us"),
            ),
            noise=CALM,
        )
        for turn in range(1, rounds + 1)
        for runtime, law in laws.items()
        for count in threads
    ]


def results_of(
    laws: Mapping[str, Mapping[str, Law]], better: Better = Better.LOWER, **options: object
) -> Results:
    """By benchmark and runtime. Each benchmark has one metric, cost_us."""
    runtimes = {runtime: "lib" for by_runtime in laws.values() for runtime in by_runtime}
    session = Session(
        suite="made up",
        runtimes=runtimes,
        threads=(),
        rounds=5,
        seed=1,
        benchmarks={
            name: BenchmarkInfo(name, "construct", {"cost_us": MetricInfo("us", better)})
            for name in laws
        },
        machine=MACHINE,
    )
    results = Results([session], name="made-up")
    for name, by_runtime in laws.items():
        results.runs += runs_of(name, "cost_us", by_runtime, **options)  # type: ignore[arg-type]
    return results


def write(results: Results, path: Path) -> Path:
    writer = Writer(path)
    for session in results.sessions:
        writer.session(session)
    for run in results.runs:
        writer.run(run)
    writer.close()
    return path
