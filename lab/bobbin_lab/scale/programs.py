# SPDX-License-Identifier: Apache-2.0
"""What `bobbin lab scale` measures: benchmarks of the catalogue, at sizes that take a fraction of a
second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bobbin_lab.arguments import parse
from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.host import machine
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.measure.session import Work
from bobbin_lab.places import Compiler
from bobbin_lab.results.records import Session
from bobbin_lab.results.stats import LEAST_SAMPLES
from bobbin_lab.runtimes import present, serving_library, usable_runtimes

SUITE = "scale"

_BRIEF = "samples=10 sample_us=500"
# The name of a benchmark, and arguments that replace those of the catalogue.
_PROGRAMS = (
    ("overhead-parallel", _BRIEF),
    ("overhead-barrier", _BRIEF),
    ("overhead-single", _BRIEF),
    ("overhead-reduction", _BRIEF),
    ("overhead-critical", _BRIEF),
    ("overhead-dynamic", f"{_BRIEF} value=1"),
    ("overhead-guided", f"{_BRIEF} value=1"),
    ("overhead-parallel-tasks", _BRIEF),
    ("overhead-taskwait", _BRIEF),
    ("nested-parallel", _BRIEF),
    ("fib", ""),
    ("uts-T3-tasks", ""),
    ("producer-1", ""),
    ("jacobi", "blocks=32 size=32"),
    ("cluster-nested", "records=1000 stop=300 outer=2"),
    ("cluster-flat", "records=1000 stop=300"),
)
# A run that takes longer than its share of the time is given up, but none is before this.
_LEAST_PATIENCE_S = 4.0


def threads_of(processors: int) -> tuple[int, ...]:
    """Powers of two up to the number of processors, and that number itself."""
    powers = [1 << k for k in range(processors.bit_length())]
    return tuple(dict.fromkeys([*powers, processors]))


def _benchmark(name: str, words: str) -> Benchmark:
    """Without other programs, and without the sizes in its heading."""
    (found,) = catalogue.chosen(name)
    return replace(found.with_arguments(parse(words.split()), Compiler.GCC), others={}, given={})


def work_of(
    runtimes: Sequence[str], threads: tuple[int, ...], seconds: float, settings: Settings
) -> Work:
    usable = usable_runtimes(runtimes or present(("gomp", "omp", "bobbin")))
    benchmarks = [_benchmark(name, words) for name, words in _PROGRAMS]
    experiments = [catalogue.experiment(b, list(usable), threads) for b in benchmarks]
    cases = sum(len(experiment.cases) for experiment in experiments)
    patience = max(seconds / cases, _LEAST_PATIENCE_S)
    session = Session(
        suite=SUITE,
        runtimes={name: serving_library(runtime) for name, runtime in usable.items()},
        threads=threads,
        rounds=LEAST_SAMPLES,  # as many more as there is time for
        seed=settings.seed,
        benchmarks={b.name: b.info() for b in benchmarks},
        machine=machine.describe(),
        wanted=tuple(usable),
    )
    return Work(session, [replace(e, timeout=patience) for e in experiments], usable, settings)
