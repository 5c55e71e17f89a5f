# SPDX-License-Identifier: Apache-2.0
"""Every stanza of the catalogue and every row of the tables runs, at a tiny size, and prints the
figures that are read from it.
"""

from __future__ import annotations

import dataclasses
import subprocess
import warnings
from pathlib import Path

import pytest
from command import PATIENCE_S
from tiny import tiny

from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.experiments.plan import Case, Experiment, Role
from bobbin_lab.measure.execute import Sample, run_case
from bobbin_lab.places import PROGRAMS, Compiler
from bobbin_lab.runtimes import MissingError, known_runtimes, present
from bobbin_lab.suites import TABLES


def cases_of(benchmark: Benchmark) -> tuple[Case, ...]:
    """Of clang's programs only where they are what is measured."""
    compiler = Compiler.CLANG if benchmark.within == catalogue.CALLED else Compiler.GCC
    return catalogue.experiment(benchmark, ("gomp", "bobbin"), [2], compiler).cases


def sample_of(case: Case) -> Sample:
    runtime = known_runtimes()[case.runtime]
    try:
        sample = run_case(tiny(case), runtime, PATIENCE_S)
    except MissingError as missing:
        if case.quota is None:
            raise
        # The program and its figures are the same.
        warnings.warn(f"{case.name}: run without its quota: {missing}", stacklevel=1)
        sample = run_case(tiny(dataclasses.replace(case, quota=None)), runtime, PATIENCE_S)
    assert sample.error is None, f"{case.name}: {' '.join(case.argv)}"
    return sample


@pytest.mark.parametrize("benchmark", catalogue.load(), ids=lambda b: b.name)
def test_a_stanza_measures_what_it_declares(benchmark: Benchmark) -> None:
    for case in cases_of(benchmark):
        sample = sample_of(case)
        if sample.skipped:
            assert case.role is not Role.SUBJECT, sample.skipped
            continue
        declared = [r for r in sample.readings if r.metric in benchmark.metrics]
        units = {r.metric: r.unit for r in declared}
        wanted = {name: metric.unit for name, metric in benchmark.metrics.items()}
        if case.role is Role.REFERENCE:  # a separate program may not support all of it
            assert units.items() <= wanted.items()
            assert units
            continue
        assert units == wanted
        # No figure hides another one: the labels of `by` distinguish them.
        names = [r.name(benchmark.by) for r in declared]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("suite", ["overheads", "overheads-nested", "overheads-oversubscribed"])
def test_every_construct_is_measured(suite: str) -> None:
    """Flat, nested and oversubscribed."""
    done = subprocess.run(
        [PROGRAMS / "overheads", "list=yes"], capture_output=True, text=True, check=True
    )
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("construct=")}
    assert len(listed) >= 45
    assert {b.arguments[0] for b in catalogue.chosen(suite)} == listed


def rows() -> list[tuple[str, Experiment]]:
    return [
        (name, experiment) for name, table in TABLES.items() for experiment in table.experiments()
    ]


def own(case: Case) -> bool:
    """A program of ours, not a distribution's."""
    return PROGRAMS in Path(case.argv[0]).parents


@pytest.mark.parametrize(
    "experiment", [pytest.param(e, id=f"{name}: {e.name}") for name, e in rows()]
)
def test_a_row_of_a_table_finds_its_figures(experiment: Experiment) -> None:
    cases = [c for c in experiment.cases if own(c) and c.runtime in present()]
    if not cases:
        pytest.skip("nothing here runs it")
    for case in cases:
        if not Path(case.argv[0]).exists():
            pytest.skip(f"no {case.argv[0]}")
        metrics = sample_of(case).metrics
        for figure in experiment.figures:
            assert case.role is Role.REFERENCE or figure.metric in metrics
