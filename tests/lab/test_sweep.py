# SPDX-License-Identifier: Apache-2.0
"""Runtimes under combinations of settings: how they are named, found, refused and shown."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from command import CALM, lab
from results import results_of

from bobbin_lab.advice.allowed import Allowed
from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.candidates import candidates
from bobbin_lab.advice.look import Look
from bobbin_lab.commands import model
from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.model.analyse import analyse
from bobbin_lab.output import sweep
from bobbin_lab.output.summary import markdown, tables
from bobbin_lab.places import NAMES
from bobbin_lab.report import render
from bobbin_lab.results.records import Better, Results
from bobbin_lab.runtimes import MissingError, known_runtimes, present, resolve, usable_runtimes

COSTS = {
    "bobbin+creation=a+cutoff=x": 4.0,
    "bobbin+creation=a+cutoff=y": 3.0,
    "bobbin+creation=b+order=c+cutoff=x": 1.0,
    "bobbin+creation=b+order=c+cutoff=y": 2.0,
}


def test_settings_are_variables_or_a_policy() -> None:
    known = known_runtimes()
    word = "bobbin+creation=work-first+OMP_WAIT_POLICY=passive+cutoff=level:8"
    runtime = resolve(word, known)
    assert (runtime.name, runtime.preload) == (word, known["bobbin"].preload)
    environment = runtime.environment()
    assert environment["BOBBIN_TASK_POLICY"] == "creation=work-first,cutoff=level:8"
    assert environment["OMP_WAIT_POLICY"] == "passive"
    assert resolve("gomp+OMP_DYNAMIC=true", known).environment()["OMP_DYNAMIC"] == "true"


def test_a_plus_in_a_path_is_no_setting(tmp_path: Path) -> None:
    library = tmp_path / "c++" / "lib.so"
    library.parent.mkdir()
    library.touch()
    assert resolve(f"mine={library}", known_runtimes()).env == {}
    assert resolve(f"mine={library}+OMP_DYNAMIC=true", known_runtimes()).preload == (library,)


def test_a_path_that_cannot_be_preloaded_is_said(tmp_path: Path) -> None:
    library = tmp_path / "a b" / "lib.so"
    library.parent.mkdir()
    library.touch()
    with pytest.raises(MissingError, match=r"LD_PRELOAD cannot name .*a b/lib\.so"):
        resolve(str(library), known_runtimes())


@pytest.mark.parametrize("words", [("gomp", "gomp={}"), ("x={}", "x={}.0.0")])
def test_two_runtimes_of_one_name_are_an_error(words: tuple[str, str]) -> None:
    """The figures of one would be taken for those of the other."""
    library = NAMES / "libgomp.so.1"
    with pytest.raises(MissingError, match="there are two runtimes"):
        usable_runtimes([word.format(library) for word in words])
    assert list(usable_runtimes(["gomp", "gomp"])) == ["gomp"]


def test_a_setting_that_is_not_taken_is_an_error() -> None:
    for word in ("bobbin+creation=lazy", "gomp+OMP_WAIT_POLICY=never"):
        with pytest.raises(MissingError, match=r"OMP_WAIT_POLICY|BOBBIN_TASK_POLICY"):
            usable_runtimes([word])
    with pytest.raises(MissingError, match="task policies are Bobbin's"):
        usable_runtimes(["gomp+creation=work-first"])


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("gomp+OMP_NUM_THREAD=7", "OMP_NUM_THREADS"),
        ("gomp+KMP_STACKSIZE=1m", "OMP_STACKSIZE"),
        ("bobbin+OMP_NUM_THREAD=7", "OMP_NUM_THREADS"),
        ("bobbin+KMP_BLOCKTIM=0", "KMP_BLOCKTIME"),
        ("bobbin+BOBBIN_WORKER=1", "BOBBIN_WORKERS"),
    ],
)
def test_a_variable_that_the_runtime_does_not_know_is_an_error(word: str, nearest: str) -> None:
    name = word.partition("+")[2].partition("=")[0]
    with pytest.raises(MissingError, match=f"no variable {name}; the nearest is {nearest}$"):
        usable_runtimes([word])


def test_variables_that_the_runtimes_know_are_none() -> None:
    words = ["bobbin+OMP_DYNAMIC=true", "gomp+OMP_DISPLAY_AFFINITY=false", "gomp+GOMP_SPINCOUNT=1"]
    words += ["bobbin+KMP_BLOCKTIME=0", "gomp+MALLOC_ARENA_MAX=1"]
    if "omp" in present():
        words += ["omp+KMP_HW_SUBSET=1c", "omp+LIBOMP_USE_HIDDEN_HELPER_TASK=0"]
    assert list(usable_runtimes(words)) == words


SWEPT = [("policies", 24), ("continuation", 4), ("stealing", 12)]


@pytest.mark.parametrize(("suite", "combinations"), SWEPT)
def test_the_catalogue_sweeps_policies_that_bobbin_takes(suite: str, combinations: int) -> None:
    words = {word for b in catalogue.chosen(suite) for word in b.runtimes}
    assert len(words) == combinations
    assert set(usable_runtimes(sorted(words))) == words


def test_advise_tries_settings_that_bobbin_takes() -> None:
    tried = candidates(Asked((os.environ["BOBBIN_COMMAND"],)), Look(), Allowed(2), True)
    settings = [setting for setting in tried if setting.runtime.name == "bobbin"]
    policies = {s.variables.get("BOBBIN_TASK_POLICY") for s in settings}
    assert {"creation=breadth-first", "creation=work-first"} <= policies
    for setting in settings:
        words = [f"{k}={v}" for k, v in setting.variables.items()]
        usable_runtimes(["+".join(["bobbin", *words])])


@pytest.fixture(scope="module")
def measured() -> Results:
    laws = {case: (lambda t, cost=cost: cost + t) for case, cost in COSTS.items()}
    made = results_of({"fib": {**laws, "gomp": lambda t: 5.0}}, threads=(1, 2), noise=0)
    serial = [r for r in made.runs if r.runtime == "gomp" and r.threads == 1]
    made.runs += [dataclasses.replace(run, case=SERIAL) for run in serial]
    return made


def test_grids_have_the_last_setting_across(measured: Results) -> None:
    one, two = sweep.grids(measured)
    assert (one.threads, two.threads) == (1, 2)
    assert one.rows == ["creation=a", "creation=b, order=c"]
    assert one.columns == ["cutoff=x", "cutoff=y"]
    assert one.best == ("creation=b, order=c", "cutoff=x")
    assert dataclasses.replace(one, better=Better.HIGHER).best == ("creation=a", "cutoff=x")
    assert one.notes == ["serial 5"]


def test_grids_stand_beside_what_is_no_combination(measured: Results) -> None:
    assert len(list(tables(measured))) == 3
    text = markdown(measured)
    row = "| fib, 1 thread, us, serial 5 | creation=a | 5 [5-5] | 4 [4-4] |"
    assert row in text
    assert "|  | creation=b, order=c | **2 [2-2]** | 3 [3-3] |" in text
    assert "| fib | 1 | us | 5 [5-5] | 5 [5-5] |" in text
    assert "| fib | 2 | us | 5 [5-5] | 5 [5-5] |" in text


def test_a_cell_says_why_it_is_empty(measured: Results) -> None:
    lost = [
        dataclasses.replace(
            measured.runs[0],
            case=f"{name}, 2",
            runtime=name,
            readings=(),
            skipped=skipped,
            error=error,
        )
        for name, skipped, error in (
            ("Taskflow", "Taskflow not found when this was built", None),
            ("omp", None, "SIGSEGV: "),
        )
    ]
    text = markdown(dataclasses.replace(measured, runs=[*measured.runs, *lost]))
    assert "| figure | threads | unit | gomp | serial | Taskflow | omp |" in text
    assert "| fib | 2 | us | 5 [5-5] | 5 [5-5] | not found | SIGSEGV |" in text


def test_each_runtime_has_grids_of_its_own() -> None:
    """The same settings of two runtimes are two figures. Figures without a grid are in a table."""
    places = [f"+OMP_A={a}+OMP_B={b}" for a in (1, 2) for b in (1, 2)]
    costs = {f"{name}{place}": cost for name, cost in (("gomp", 3), ("omp", 5)) for place in places}
    costs |= {"lib++.so": 7, "iomp+OMP_A=1+OMP_B=1": 9}
    laws = {case: (lambda t, cost=cost: float(cost)) for case, cost in costs.items()}
    made = results_of({"fib": laws}, threads=(1,), noise=0)
    found = sweep.grids(made)
    assert [grid.heading for grid in found] == ["fib, gomp, 1 thread, us", "fib, omp, 1 thread, us"]
    assert [{s.median for s in grid.cells.values()} for grid in found] == [{3}, {5}]
    text = markdown(made)
    assert "| figure | threads | unit | lib++.so | iomp+OMP_A=1+OMP_B=1 |" in text
    assert "| fib | 1 | us | 7 [7-7] | 9 [9-9] |" in text


def test_figures_of_other_cases_stand_in_a_table_of_their_own() -> None:
    laws = {"a": {"gomp": float, "omp": float}, "b": {"gomp": float, "by-hand": float}}
    made = results_of(laws, threads=(1, 2))
    text = markdown(made)
    assert "| figure | threads | unit | gomp | omp |" in text
    assert "| figure | threads | unit | gomp | by-hand |" in text
    assert "| - |" not in text
    assert len(list(tables(made))) == 2


def test_a_bar_in_a_name_makes_no_column() -> None:
    made = results_of({"a|b": {"c|d": lambda t: 2.0 * t}}, noise=0)
    for text in (markdown(made), model.markdown(analyse(made), ["c|d"])):
        lines = [line.replace(r"\|", "") for line in text.splitlines()]
        assert len({line.count("|") for line in lines}) == 1
        assert r"c\|d" in text
        assert r"a\|b" in text


def test_the_report_has_them(measured: Results) -> None:
    page = render(measured)
    assert "fib, 2 threads, us: best with creation=b, order=c, cutoff=x, 3; serial 5." in page
    assert '<td class="fine">2 [2-2]</td>' in page
    assert "bobbin+creation=a+cutoff=x against" not in page


def test_none_is_marked_where_none_is_the_best(measured: Results) -> None:
    info = measured.sessions[0].benchmarks["fib"]
    metrics = {"cost_us": dataclasses.replace(info.metrics["cost_us"], better=Better.NEITHER)}
    benchmarks = {"fib": dataclasses.replace(info, metrics=metrics)}
    session = dataclasses.replace(measured.sessions[0], benchmarks=benchmarks)
    made = dataclasses.replace(measured, sessions=[session])
    assert "**" not in markdown(made)
    page = render(made)
    assert "best with" not in page
    assert "the best is marked" not in page


def test_a_table_goes_into_a_document_that_has_room_for_it(tmp_path: Path) -> None:
    document = tmp_path / "d.md"
    document.write_text("a\n<!-- parallel -->\nold\n<!-- /parallel -->\nb\n")
    few = ("--runtimes", "gomp", "--threads", "1", "--reps", "1", *CALM)
    done = lab("run", "parallel", *few, "--update", document, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = document.read_text()
    assert "old" not in text
    assert "| figure | threads | unit | gomp |" in text
    assert "--update" not in text  # where it lies tells a reader nothing
    done = lab("run", "barrier", *few, "--update", document, cwd=tmp_path)
    assert done.returncode == 125
    assert "no section barrier" in done.stderr
    assert not list(tmp_path.glob("lab-barrier*"))
