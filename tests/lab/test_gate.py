# SPDX-License-Identifier: Apache-2.0
"""The classes of growth that are stored for this kind of machine hold, and a regression is found."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from command import CALM, lab
from results import Law, results_of, write
from typer.testing import CliRunner

from bobbin_lab.analysis import baseline
from bobbin_lab.analysis.baseline import Baseline
from bobbin_lab.analysis.gate import State, judge_change, judge_classes
from bobbin_lab.app import app
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.places import NAMES
from bobbin_lab.results.records import ResultsError

HERE = Path(__file__).parent
# Another program may disturb all samples of a point.
ATTEMPTS = 3
QUICK = ("--reps", "3", *CALM)


def statuses(tmp_path: Path, target: str, runtime: str) -> Iterator[int]:
    """Measures and compares with the stored classes, again and again."""
    for attempt in range(ATTEMPTS):
        file = tmp_path / f"{attempt}.jsonl"
        done = lab("run", target, "--runtimes", runtime, *QUICK, "-o", file, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        yield lab("gate", "stored", file, "--runtime", runtime, cwd=tmp_path).returncode


needs_a_baseline = pytest.mark.skipif(
    not (Path(baseline.__file__).parent / "baselines")
    .joinpath(f"processors-{len(os.sched_getaffinity(0))}.json")
    .is_file(),
    reason="no classes are stored for this number of processors",
)


@needs_a_baseline
def test_bobbin_grows_as_it_did(tmp_path: Path) -> None:
    assert 0 in statuses(tmp_path, "gate", "bobbin")


@needs_a_baseline
def test_a_barrier_that_visits_every_thread_is_found(tmp_path: Path) -> None:
    library = tmp_path / "liblinear.so"
    subprocess.run(
        ["gcc", "-O2", "-shared", "-fPIC", "-fopenmp", "-o", library, HERE / "linear_barrier.c",
         "-ldl"],
        check=True,
    )  # fmt: skip
    runtime = f"bobbin+LD_PRELOAD={library}:{NAMES / 'libgomp.so.1'}"
    assert 1 in statuses(tmp_path, "gate-barrier", runtime)


LAWS = {
    "logarithmic": lambda t: 1 + 0.5 * np.log2(t),
    "linear": lambda t: 1 + 0.5 * t,
    "square": lambda t: 1 + 0.05 * t * t,
}
OF_BARRIER = "barrier cost_us"


def of(law: str) -> Mapping[str, Mapping[str, Law]]:
    return {"barrier": {"bobbin": LAWS[law]}}


@pytest.mark.parametrize(
    ("law", "state"),
    [("logarithmic", State.UNSURE), ("linear", State.SAME), ("square", State.WORSE)],
)
def test_results_against_classes(law: str, state: State) -> None:
    held = Baseline(2, {OF_BARRIER: Growth.LINEAR, "other cost_us": Growth.CONSTANT})
    (change,) = judge_classes(held, results_of(of(law)), "bobbin")
    assert change.state is state
    with pytest.raises(ResultsError, match="3 processors"):
        judge_classes(Baseline(3, held.classes), results_of(of(law)), "bobbin")
    with pytest.raises(ResultsError, match="no modelled figure"):
        judge_classes(held, results_of(of(law)), "gomp")


def test_too_few_samples_are_no_success(tmp_path: Path) -> None:
    """Nor too few numbers of threads: what cannot be modelled may be worse."""
    held = Baseline(2, {OF_BARRIER: Growth.LINEAR})
    few = results_of(of("linear"), rounds=2)
    narrow = results_of(of("linear"), threads=(1, 2, 4))
    for made in (few, narrow):
        (change,) = judge_classes(held, made, "bobbin")
        assert (change.state, change.state.bad) == (State.UNKNOWN, True)
        (change,) = judge_change(results_of(of("linear")), made)
        assert change.state is State.UNKNOWN
    file, path = tmp_path / "classes.json", write(few, tmp_path / "few.jsonl")
    file.write_text(held.written())
    done = CliRunner().invoke(app, ["gate", str(file), str(path)])
    assert done.exit_code == 1
    assert "have too few samples: barrier on bobbin" in done.output


def test_classes_are_written_and_held_against(tmp_path: Path) -> None:
    run, file = CliRunner(), tmp_path / "classes.json"
    linear = str(write(results_of(of("linear")), tmp_path / "linear.jsonl"))
    square = str(write(results_of(of("square"), seed=2), tmp_path / "square.jsonl"))
    assert run.invoke(app, ["gate", str(file), linear, "--renew"]).exit_code == 0
    assert baseline.load(file) == Baseline(2, {OF_BARRIER: Growth.LINEAR})
    assert run.invoke(app, ["gate", str(file), linear]).exit_code == 0
    assert run.invoke(app, ["gate", str(file), square]).exit_code == 1
    # A steeper class stays, because the file must hold for every run.
    assert run.invoke(app, ["gate", str(file), square, "--renew"]).exit_code == 0
    assert run.invoke(app, ["gate", str(file), linear, "--renew"]).exit_code == 0
    assert baseline.load(file).classes == {OF_BARRIER: Growth.SUPERLINEAR}


def test_a_damaged_file_of_classes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "classes.json"
    file.write_text('{"processors": 2, "classes": {"barrier cost_us": "cubic"}}')
    with pytest.raises(ResultsError, match="no baseline"):
        baseline.load(file)
