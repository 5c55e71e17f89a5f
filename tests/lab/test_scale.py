# SPDX-License-Identifier: Apache-2.0
"""bobbin lab scale: which cases are measured in the time, and the tables of a tiny session."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from tiny import tiny
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.experiments.plan import Case
from bobbin_lab.host.noise import Noise
from bobbin_lab.measure import execute
from bobbin_lab.measure.execute import TIMED_OUT, Sample
from bobbin_lab.results.records import load
from bobbin_lab.results.stats import LEAST_SAMPLES
from bobbin_lab.runtimes import Runtime
from bobbin_lab.scale.programs import threads_of
from bobbin_lab.scale.rounds import rounds_of, too_long


@pytest.mark.parametrize(
    ("processors", "threads"),
    [(1, (1,)), (2, (1, 2)), (6, (1, 2, 4, 6)), (16, (1, 2, 4, 8, 16)), (24, (1, 2, 4, 8, 16, 24))],
)
def test_threads_are_powers_of_two_and_the_processors(
    processors: int, threads: tuple[int, ...]
) -> None:
    assert threads_of(processors) == threads


def test_the_longest_cases_are_left_out_until_the_others_fit() -> None:
    took = {("e", "brief"): 1.0, ("e", "long"): 8.0, ("f", "longer"): 9.0, ("f", "short"): 2.0}
    once = dict.fromkeys(took, 1)
    assert too_long(took, once, 4 * 20) == set()
    assert too_long(took, once, 4 * 19) == {("f", "longer")}
    assert too_long(took, once, 4 * 3) == {("f", "longer"), ("e", "long")}


def test_a_case_with_all_its_rounds_needs_time_for_one_more() -> None:
    took = {("e", "brief"): 1.0, ("e", "long"): 8.0}
    done = {("e", "brief"): 5, ("e", "long"): 2}
    assert too_long(took, done, 25) == set()
    assert too_long(took, done, 24) == {("e", "long")}


@pytest.fixture
def _in_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    run_case = execute.run_case

    def run_tiny(case: Case, runtime: Runtime, timeout: float, probe: bool = True) -> Sample:
        if "mode=nested" in case.argv and runtime.name == "slow":
            return Sample((), Noise(0, 0, 0), TIMED_OUT)
        return run_case(tiny(case), runtime, timeout, probe)

    monkeypatch.setattr(execute, "run_case", run_tiny)
    monkeypatch.setattr(execute, "probe_processors", dict)


def _scale(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["scale", "--quiet-wait", "0", "-o", "r.jsonl", *words])
    return done.exit_code, f"{done.output}{done.exception or chr(32)}"


@pytest.mark.usefixtures("_in_moments")
def test_a_session_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = tmp_path / "d.md"
    document.write_text("before\n<!-- scale -->\nold\n<!-- /scale -->\nafter\n")
    status, output = _scale(
        "--minutes", "4", "--rounds", "5", "--threads", "2", "--update", "d.md",
        "--runtimes", "gomp,bobbin,slow=" + _libgomp(),
    )  # fmt: skip
    assert status == 0, output
    text = document.read_text()
    assert text.startswith("before\n<!-- scale -->\n`bobbin lab ")
    assert text.endswith("<!-- /scale -->\nafter\n")
    assert "old" not in text
    results = load(Path("r.jsonl"))
    assert rounds_of(results) == LEAST_SAMPLES
    for figure in ("parallel overhead", "fib(", "UTS T3", "producers", "Jacobi", "clustering"):
        assert re.search(rf"^\| [^|]*{re.escape(figure)}[^|]*\| 2 \|.*\]", text, re.MULTILINE)
    assert "timed out" in text
    ratios = text.partition("Costs as multiples")[2]
    assert "bobbin / gomp" in ratios
    assert re.search(r"clustering, flat \| 2 \| [\d.]+x \([\d.]+ to [\d.]+\)", ratios)


def _libgomp() -> str:
    from bobbin_lab.runtimes import serving_library, usable_runtimes

    return serving_library(usable_runtimes(["gomp"])["gomp"])


@pytest.mark.usefixtures("_in_moments")
def test_too_little_time_publishes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of which nothing is known yet begins only while its whole patience, 4 s, is left."""
    monkeypatch.chdir(tmp_path)
    text = "<!-- scale -->\nold\n<!-- /scale -->\n"
    Path("d.md").write_text(text)
    run_case = execute.run_case

    def run_slowly(*words: Any) -> Sample:
        time.sleep(0.2)
        return run_case(*words)

    monkeypatch.setattr(execute, "run_case", run_slowly)
    words = ("--threads", "1", "--runtimes", "bobbin", "--update", "d.md")
    began = time.monotonic()
    status, output = _scale("--minutes", "0.1", *words)
    assert time.monotonic() - began < 6 + 10  # tables come on top of the measuring
    assert status == 1, output
    assert "Only 1 rounds were made" in output
    assert Path("d.md").read_text() == text
