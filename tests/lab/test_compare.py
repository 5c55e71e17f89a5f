# SPDX-License-Identifier: Apache-2.0
"""Ratios, their intervals, and the exit status of compare and gate."""

import dataclasses
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from results import CALM, THREADS, Law, results_of, write
from rich.console import Console
from typer.testing import CliRunner

from bobbin_lab.analysis.bootstrap import ratio_of_medians
from bobbin_lab.analysis.comparison import Outcome, pairs
from bobbin_lab.analysis.gate import State, judge_change
from bobbin_lab.app import app
from bobbin_lab.host.noise import Noise
from bobbin_lab.model.analyse import analyse
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.output.summary import tables
from bobbin_lab.output.tables import fitted
from bobbin_lab.report.words import sentences
from bobbin_lab.results.records import Better, Results, ResultsError, load

RUNNER = CliRunner()

Laws = Mapping[str, Mapping[str, Law]]


def test_the_interval_holds_the_true_ratio_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        ratio = ratio_of_medians(
            list(2 + 0.1 * rng.standard_normal(15)), list(1 + 0.05 * rng.standard_normal(15))
        )
        held += ratio.low <= 2 <= ratio.high
    assert held >= 184


def test_one_disturbed_sample_hardly_moves_a_ratio() -> None:
    ratio = ratio_of_medians([1, 1, 1, 1, 50], [1, 1, 1, 1, 1])
    assert ratio.value == 1


def fail(made: Results, experiment: str, *threads: int, runtime: str = "bobbin") -> None:
    for i, run in enumerate(made.runs):
        if (run.experiment, run.runtime) == (experiment, runtime) and run.threads in threads:
            made.runs[i] = dataclasses.replace(run, readings=(), error="SIGSEGV: ")


TWICE = {"barrier": {"a": lambda t: 2.0 * t, "b": lambda t: 1.0 * t}}


def test_the_cheaper_one_is_faster() -> None:
    assert {p.outcome for p in pairs(results_of(TWICE), "a", "b")} == {Outcome.SLOWER}
    assert {p.outcome for p in pairs(results_of(TWICE), "b", "a")} == {Outcome.FASTER}
    higher = results_of(TWICE, better=Better.HIGHER)
    assert {p.outcome for p in pairs(higher, "a", "b")} == {Outcome.FASTER}
    assert {p.outcome for p in pairs(results_of(TWICE), "a", "a")} == {Outcome.EQUAL}


def test_what_is_neither_better_nor_worse_is_not_judged(tmp_path: Path) -> None:
    """When two threads share some work, one does more if the other does less."""
    made = results_of({"share": TWICE["barrier"]}, better=Better.NEITHER)
    with pytest.raises(ResultsError, match="both a and b"):
        pairs(made, "a", "b")
    assert analyse(made) == []
    also = results_of({"barrier": TWICE["barrier"]})
    made.sessions += also.sessions
    made.runs += also.runs
    assert {pair.title for pair in pairs(made, "a", "b")} == {"barrier"}
    assert {change.title for change in judge_change(made, made)} == {"barrier"}
    read = load(write(made, tmp_path / "r.jsonl"))
    assert {pair.title for pair in pairs(read, "a", "b")} == {"barrier"}


@pytest.mark.parametrize("words", [["compare"], ["model"], ["gate", "r.jsonl"]])
def test_results_of_tables_are_shown_by_report(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = results_of({"token": TWICE["barrier"]})
    made.sessions = [dataclasses.replace(made.sessions[0], suite="tasks", benchmarks={})]
    write(made, Path("r.jsonl"))
    done = RUNNER.invoke(app, [*words, "r.jsonl"])
    assert str(done.exception) == (
        "the results are of tables (tasks), whose rows have targets: "
        "`bobbin lab report r.jsonl` shows them"
    )


@pytest.mark.parametrize("rounds", [1, 4])
def test_too_few_samples_are_no_success(tmp_path: Path, rounds: int) -> None:
    made = results_of(TWICE, rounds=rounds)
    few = pairs(made, "a", "b")
    assert {pair.outcome for pair in few} == {Outcome.UNKNOWN}
    assert not any(pair.slower_by(10) for pair in few)
    path = str(write(made, tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--against", "a,b", "--slower", "10"])
    assert done.exit_code == 1  # no evidence is no success
    assert "not known" in done.output
    assert "9 of 9 figures have fewer than 5 trusted samples" in done.output
    (said,) = [text for text in sentences(made, ["a", "b"], []) if "a against b" in text]
    assert "worse in 0, with fewer than 5 trusted samples in 9." in said
    assert all(pair.slower_by(10) for pair in pairs(results_of(TWICE), "a", "b"))


FAR = dataclasses.replace(CALM, transfer_ns=180.0)


def with_noise(made: Results, noise: Noise, rounds: int) -> Results:
    made.runs = [dataclasses.replace(r, noise=noise) if r.round <= rounds else r for r in made.runs]
    return made


@pytest.mark.parametrize("noise", [FAR, Noise(0.5, 0.0, 100.0)], ids=["far", "busy"])
def test_what_is_not_trusted_is_not_judged(tmp_path: Path, noise: Noise) -> None:
    """However clear the figures seem. Runs on one thread do not depend on the distance."""
    made = with_noise(results_of(TWICE), noise, 3)
    alone = {Outcome.SLOWER} if noise is FAR else {Outcome.UNKNOWN}
    found = pairs(made, "a", "b")
    assert {pair.outcome for pair in found if pair.threads == 1} == alone
    assert {pair.outcome for pair in found if pair.threads > 1} == {Outcome.UNKNOWN}
    path = str(write(made, tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--against", "b,a", "--slower", "5"])
    assert done.exit_code == 1
    # With enough trusted runs beside them, they are left out.
    more = with_noise(results_of(TWICE, rounds=8), noise, 3)
    assert {pair.outcome for pair in pairs(more, "a", "b")} == {Outcome.SLOWER}
    assert {pair.a.count for pair in pairs(more, "a", "b")} <= {5, 8}


@pytest.mark.parametrize(
    ("against", "percent", "status"), [("a,b", "50", 1), ("a,b", "150", 0), ("b,a", "5", 0)]
)
def test_exit_status_of_compare(tmp_path: Path, against: str, percent: str, status: int) -> None:
    path = str(write(results_of(TWICE), tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--against", against, "--slower", percent])
    assert done.exit_code == status, done.output


@pytest.mark.parametrize(
    ("benchmarks", "threads"),
    [(["single"], (64,)), (["barrier", "single"], THREADS)],  # of the second there is no figure
)
def test_a_failure_is_no_success(
    tmp_path: Path, benchmarks: list[str], threads: tuple[int, ...]
) -> None:
    """A figure cannot be slower where A crashes."""
    made = results_of({"barrier": TWICE["barrier"], "single": TWICE["barrier"]})
    for benchmark in benchmarks:
        fail(made, benchmark, *threads, runtime="b")
    path = str(write(made, tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--against", "b,a", "--slower", "5"])
    assert done.exit_code == 1
    assert f"b fails at {', '.join(benchmarks)}." in done.output
    assert "nowhere" not in done.output


def test_a_failure_of_both_excuses_none_elsewhere(tmp_path: Path) -> None:
    made = results_of(TWICE)
    fail(made, "barrier", 64, runtime="a")
    fail(made, "barrier", 64, runtime="b")
    words = ["compare", str(tmp_path / "r.jsonl"), "--against", "b, a", "--slower", "5"]
    write(made, tmp_path / "r.jsonl")
    assert RUNNER.invoke(app, words).exit_code == 0
    fail(made, "barrier", 2, runtime="b")
    (tmp_path / "r.jsonl").unlink()
    write(made, tmp_path / "r.jsonl")
    assert RUNNER.invoke(app, words).exit_code == 1


def test_a_couple_without_a_common_figure_hides_no_other(tmp_path: Path) -> None:
    laws = {"barrier": {"bobbin": float, "omp": float, "gomp": float}}
    made = results_of(laws)
    fail(made, "barrier", *THREADS, runtime="omp")
    path = str(write(made, tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--slower", "5"])
    assert done.exit_code == 0, done.output
    assert "bobbin against gomp" in done.output
    assert "Left out: the results hold no figure of both bobbin and omp." in done.output


def test_a_narrow_terminal_has_room_for_the_headings() -> None:
    made = results_of({"a long title": {f"run-{i}": float for i in range(4)}}, threads=(1, 2))
    for width, quartiles in ((60, False), (160, True)):
        screen = Console(width=width, record=True, file=io.StringIO(), markup=False)
        for table in tables(made, width):
            screen.print(fitted(table, width))
        text = screen.export_text()
        assert all(f"run-{i}" in text for i in range(4))
        assert "threads" in text
        assert ("[" in text) is quartiles


def test_compare_writes_plots(tmp_path: Path) -> None:
    path = str(write(results_of(TWICE), tmp_path / "r.jsonl"))
    done = RUNNER.invoke(app, ["compare", path, "--plots", str(tmp_path / "plots")])
    assert done.exit_code == 0, done.output
    (plot,) = (tmp_path / "plots").glob("*.svg")
    assert plot.read_text().startswith("<svg ")


def test_runtimes_that_are_not_there_are_said(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="both a and z"):
        pairs(results_of(TWICE), "a", "z")


LINEAR = {"barrier": {"bobbin": lambda t: 1 + 0.5 * t}}
LOGARITHMIC = {"barrier": {"bobbin": lambda t: 1 + 0.5 * np.log2(t)}}


@pytest.mark.parametrize(
    ("before", "after", "state", "status"),
    [
        (LOGARITHMIC, LINEAR, State.WORSE, 1),
        (LINEAR, LOGARITHMIC, State.BETTER, 0),
        (LINEAR, LINEAR, State.SAME, 0),
    ],
)
def test_gate(tmp_path: Path, before: Laws, after: Laws, state: State, status: int) -> None:
    old, new = results_of(before), results_of(after, seed=2)
    assert [change.state for change in judge_change(old, new)] == [state]
    paths = [str(write(r, tmp_path / f"{i}.jsonl")) for i, r in enumerate((old, new))]
    done = RUNNER.invoke(app, ["gate", *paths])
    assert done.exit_code == status
    said = "grow faster than they did: barrier on bobbin." if status else "None of 1 figures"
    assert said in done.output


def test_gate_holds_against_noise() -> None:
    base = results_of(LOGARITHMIC, noise=0.05)
    for seed in range(40):
        again = results_of(LOGARITHMIC, noise=0.05, seed=seed)
        assert State.WORSE not in [change.state for change in judge_change(base, again)]


def test_gate_does_not_pass_what_fails(tmp_path: Path) -> None:
    """A runtime that crashes has no figure that could have got worse."""
    both = {"barrier": LINEAR["barrier"], "single": LINEAR["barrier"]}
    base, now = results_of(both), results_of(both)
    fail(now, "single", *THREADS)
    paths = [str(write(r, tmp_path / f"{i}.jsonl")) for i, r in enumerate((base, now))]
    done = RUNNER.invoke(app, ["gate", *paths])
    assert done.exit_code == 1
    assert "Of 2 figures fail: single on bobbin." in done.output
    # Cases that were not measured at all are left out.
    now.runs = [run for run in now.runs if run.experiment != "single"]
    assert [change.state for change in judge_change(base, now)] == [State.SAME]


def test_gate_does_not_pass_what_fails_with_many_threads() -> None:
    """Enough points remain for a model, which has not got worse."""
    base, now = results_of(LINEAR), results_of(LINEAR)
    fail(now, "barrier", 48, 64)
    (change,) = judge_change(base, now)
    assert (change.state, change.now) == (State.FAILED, Growth.LINEAR)
    # It failed there before as well, but not at fewer threads.
    fail(base, "barrier", 48, 64)
    assert [change.state for change in judge_change(base, now)] == [State.SAME]
    fail(now, "barrier", 32)
    assert [change.state for change in judge_change(base, now)] == [State.FAILED]


def test_gate_blames_no_runtime_for_a_reference() -> None:
    """It runs on one of them, no matter which."""
    base, now = results_of(LINEAR), results_of(LINEAR)
    now.runs.append(dataclasses.replace(now.runs[0], case="oneTBB, 2", error="SIGSEGV: "))
    assert [change.state for change in judge_change(base, now)] == [State.SAME]


def test_gate_wants_something_in_common() -> None:
    with pytest.raises(ResultsError, match="in common"):
        judge_change(results_of(LINEAR), results_of({"single": LINEAR["barrier"]}))
