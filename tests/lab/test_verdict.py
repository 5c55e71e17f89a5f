# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest
from results import results_of

from bobbin_lab.analysis import verdict
from bobbin_lab.analysis.verdict import Row, evaluate
from bobbin_lab.experiments.plan import (
    BEST_RIVAL,
    Case,
    Experiment,
    Figure,
    Relation,
    Role,
    Target,
    at_least,
    at_most,
)
from bobbin_lab.host.noise import Noise
from bobbin_lab.measure.execute import Sample
from bobbin_lab.measure.schedule import Outcome
from bobbin_lab.output.summary import markdown
from bobbin_lab.output.tables import texts
from bobbin_lab.results.records import BenchmarkInfo, Better, MetricInfo, Reading

CALM = Noise(0.0, 0.0, 0.0, 30.0)
FIGURE = Figure("f", "t", "ns")
CASES = (
    Case("gomp", "gomp", ("x",)),
    Case("omp", "omp", ("x",)),
    Case("bobbin", "bobbin", ("x",), role=Role.SUBJECT),
    Case("serial", "gomp", ("x",), role=Role.REFERENCE),
)


def row(figure: Figure, noise: Noise = CALM, **values: float) -> Row:
    samples = {name: [Sample((Reading("t", v),), noise)] * 5 for name, v in values.items()}
    return evaluate(Outcome(Experiment("e", CASES, (figure,)), samples), figure)


def with_target(target: Target, figure: Figure = FIGURE) -> Figure:
    return replace(figure, target=target)


@pytest.mark.parametrize(("bobbin", "met"), [(49, True), (50, True), (51, False)])
def test_absolute_bound(bobbin: float, met: bool) -> None:
    assert row(with_target(at_most(50)), gomp=100, bobbin=bobbin).met is met


@pytest.mark.parametrize(("bobbin", "met"), [(1.1, True), (1.2, False)])
def test_bound_by_the_best_rival(bobbin: float, met: bool) -> None:
    got = row(with_target(at_most(1.1, BEST_RIVAL)), gomp=2, omp=1, bobbin=bobbin)
    assert (got.best_rival, got.met) == ("omp", met)


def test_references_are_no_rivals() -> None:
    assert row(FIGURE, gomp=4, serial=1, bobbin=2).best_rival == "gomp"
    assert row(FIGURE, gomp=4, serial=1, bobbin=2).gain == 2


def test_bound_by_a_named_case() -> None:
    figure = with_target(at_least(0.95, "serial"), replace(FIGURE, higher_is_better=True))
    assert row(figure, gomp=1, serial=10, bobbin=9.6).met is True
    assert row(figure, gomp=1, serial=10, bobbin=9.4).met is False


def test_speedup_divides_the_base() -> None:
    figure = replace(FIGURE, relation=Relation.SPEEDUP, base="serial", target=at_least(1.8))
    got = row(figure, gomp=20, omp=10, serial=10, bobbin=5)
    assert got.cells["bobbin"].median == 2
    assert (got.best_rival, got.met) == ("omp", True)
    assert got.gain == 2
    assert "serial" not in got.cells


def test_an_impossible_speedup_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "PROCESSORS", {0, 1})
    figure = replace(FIGURE, relation=Relation.SPEEDUP, base="serial", target=at_least(1.8))
    got = row(figure, gomp=10, serial=12, bobbin=5)
    assert got.cells.keys() == {"gomp"}
    assert got.warnings == ("refused: bobbin, a speed-up of 2.4 by 2 threads on 2 processors",)
    assert got.met is None


def test_slowdown_divides_by_the_base() -> None:
    figure = replace(FIGURE, relation=Relation.SLOWDOWN, base="serial", target=at_most(1.1))
    got = row(figure, gomp=10, serial=2, bobbin=2.4)
    assert (got.cells["bobbin"].median, got.met) == (1.2, False)


def test_a_missing_base_yields_no_figure() -> None:
    figure = replace(FIGURE, relation=Relation.SLOWDOWN, base="serial", target=at_most(1.1))
    got = row(figure, gomp=10, bobbin=2.4)
    assert (got.cells, got.met) == ({}, None)


def test_a_failed_subject_misses_its_target() -> None:
    figure = with_target(at_most(50))
    samples = {
        "gomp": [Sample((Reading("t", 1.0),), CALM)],
        "bobbin": [Sample((), CALM, "SIGSEGV: ")],
    }
    got = evaluate(Outcome(Experiment("e", CASES, (figure,)), samples), figure)
    assert (got.met, got.errors) == (False, {"bobbin": "SIGSEGV: "})


def test_a_subject_that_fails_in_some_round_misses_its_target() -> None:
    figure = with_target(at_most(50))
    samples = {
        "gomp": [Sample((Reading("t", 1.0),), CALM)] * 5,
        "bobbin": [Sample((Reading("t", 2.0),), CALM), Sample((), CALM, "SIGSEGV: ")],
        "serial": [Sample((), CALM, "exit 3: no [/memory]")],
    }
    got = evaluate(Outcome(Experiment("e", CASES, (figure,)), samples), figure)
    assert got.met is False
    assert texts(got, ["gomp", "bobbin"])[2:5] == [
        "1 [1-1]",
        "2; SIGSEGV: ",
        "serial exit 3: no [/memory]",
    ]
    # This says nothing about Bobbin where it was not measured.
    del samples["bobbin"]
    got = evaluate(Outcome(Experiment("e", CASES, (figure,)), samples), figure)
    assert got.met is None


def test_disturbed_and_moved_runs_are_said() -> None:
    busy = Noise(0.5, 0.0, 100.0, 30.0)
    assert "disturbed: 10 of 10 runs" in row(FIGURE, busy, gomp=1, bobbin=1).warnings
    assert row(FIGURE, gomp=1, bobbin=1).warnings == ()
    samples = {
        "gomp": [Sample((Reading("t", 1.0),), CALM)] * 5,
        "bobbin": [Sample((Reading("t", 1.0),), replace(CALM, transfer_ns=160.0))] * 5,
    }
    got = evaluate(Outcome(Experiment("e", CASES, (FIGURE,)), samples), FIGURE)
    assert got.warnings == ("processors moved: a line took 30 to 160 ns",)
    assert texts(got, ["gomp", "bobbin"])[5] == "-"
    samples["bobbin"] = [Sample((Reading("t", 1.0),), replace(CALM, together=1.12))] * 5
    got = evaluate(Outcome(Experiment("e", CASES, (FIGURE,)), samples), FIGURE)
    assert got.warnings == ("processors share a core: both did 1.1x what one does",)


def test_too_few_runs_meet_no_target() -> None:
    samples = {name: [Sample((Reading("t", 1.0),), CALM)] * 4 for name in ("gomp", "bobbin")}
    figure = with_target(at_most(50))
    got = evaluate(Outcome(Experiment("e", CASES, (figure,)), samples), figure)
    assert (got.met, got.warnings) == (None, ("fewer than 5 runs",))


def test_what_takes_now_one_time_and_now_another_is_not_judged() -> None:
    times = {"gomp": (1.0, 1.0, 1.0, 1.0, 1.0), "omp": (0.5, 0.6, 36, 36, 36)}
    times["bobbin"] = times["gomp"]
    samples = {n: [Sample((Reading("t", v),), CALM) for v in vs] for n, vs in times.items()}
    got = evaluate(Outcome(Experiment("e", CASES, (with_target(at_most(50)),)), samples), FIGURE)
    assert (got.trusted, got.warnings) == (False, ("omp scatters: 0.6 to 36",))
    assert texts(got, ["gomp", "omp", "bobbin"])[-3:] == ["-", "-", "-"]


@pytest.mark.parametrize(
    ("percent", "said"), [(104.0, "104"), (110.0, "refused: 110 % of what there is")]
)
def test_tables_refuse_more_than_the_whole(percent: float, said: str) -> None:
    made = results_of({"loop": {"gomp": lambda _: percent}}, threads=(1,), rounds=1, noise=0.0)
    info = BenchmarkInfo("loop", "construct", {"cost_us": MetricInfo("%", Better.HIGHER)})
    made.sessions = [replace(made.sessions[0], benchmarks={"loop": info})]
    assert f"| {said} |" in markdown(made)
