# SPDX-License-Identifier: Apache-2.0
"""Arguments of benchmarks on the command line, and presets of runtimes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import CALM, lab

from bobbin_lab.arguments import ArgumentError, known, parse, with_values
from bobbin_lab.experiments import catalogue
from bobbin_lab.experiments.catalogue import Benchmark
from bobbin_lab.places import Compiler, program
from bobbin_lab.presets import presets
from bobbin_lab.results.records import load
from bobbin_lab.results.series import collect
from bobbin_lab.runtimes import known_runtimes, resolve

FEW = ("--runtimes", "gomp", "--threads", "1", "--reps", "1", *CALM)


def benchmark(name: str, *words: str) -> Benchmark:
    (found,) = catalogue.chosen(name)
    return found.with_arguments(parse(words), Compiler.GCC)


def test_words_become_values() -> None:
    assert parse(["n=40", "k=1,10"]) == {"n": ("40",), "k": ("1", "10")}
    assert with_values(["n=30", "mode=serial"], {"n": "40", "depth": "2"}) == (
        "n=40",
        "mode=serial",
        "depth=2",
    )


@pytest.mark.parametrize(
    "words", [["n"], ["=3"], ["n="], ["n=1,,2"], ["n=1", "n=2"], ["n=1,1"]], ids=str
)
def test_what_is_no_argument_is_refused(words: list[str]) -> None:
    with pytest.raises(ArgumentError):
        parse(words)


def test_a_program_tells_its_arguments() -> None:
    assert known(program("fib")) == ("n", "tasks", "cutoff", "depth", "mode")


def test_a_value_replaces_the_usual_one_in_every_case() -> None:
    """The serial program and others must do the same work."""
    made = catalogue.experiment(benchmark("fib", "n=12"), ["gomp"], [2])
    assert {word for case in made.cases for word in case.argv if word[:2] == "n="} == {"n=12"}
    assert benchmark("fib", "n=12").heading == "fib(12), a task a call"
    assert benchmark("nqueens", "n=7").heading == "nqueens, n=7"
    assert made.name == "fib n=12"


def test_each_of_several_values_is_measured() -> None:
    made = catalogue.experiment(benchmark("producer-1", "maxload=0,64"), ["gomp", "omp"], [2, 4])
    assert len(made.cases) == 8
    assert len({case.name for case in made.cases}) == 8
    labels = {(case.labels["maxload"], f"maxload={case.labels['maxload']}" in case.argv)
              for case in made.cases}  # fmt: skip
    assert labels == {("0", True), ("64", True)}


def test_a_program_without_the_argument_is_left_out() -> None:
    """It would do other work than those beside it."""
    assert "oneTBB" in benchmark("uts-T1-wait", "tree=S3").others
    assert "oneTBB" not in benchmark("uts-T1-wait", "chunk=2").others


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fib", "m=3"], "fib has no argument m; its arguments: n, tasks, cutoff, depth, mode"),
        (["fib", "n"], "'n' is no argument"),
        (["tasks", "n=3"], "have their own arguments"),
        (["ablation", "n=3"], "have their own arguments"),
    ],
    ids=str,
)
def test_an_unknown_argument_is_an_error(tmp_path: Path, words: list[str], said: str) -> None:
    done = lab("run", *words, cwd=tmp_path)
    assert done.returncode == 125
    assert said in done.stderr


def test_values_are_rows_of_the_table_in_their_own_order(tmp_path: Path) -> None:
    words = ("fib", "n=14,8,11", *FEW)
    done = lab("run", *words, "-o", "r.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    titles = [s.title for s in collect(load(tmp_path / "r.jsonl")).values() if s.key.case == "gomp"]
    assert [title for title in titles if not title.endswith("a task")] == [
        f"fib(n), a task a call: n {n}" for n in (14, 8, 11)
    ]
    # A resumed run measures the same, and others are refused.
    before = (tmp_path / "r.jsonl").read_text().count('"kind": "run"')
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    session = {**json.loads(lines[0]), "rounds": 2}
    (tmp_path / "r.jsonl").write_text("\n".join([json.dumps(session), *lines[1:], ""]))
    again = lab("run", "--resume", "r.jsonl", *CALM, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "r.jsonl").read_text().count('"kind": "run"') == 2 * before
    other = lab("run", "fib", "n=9", "--resume", "r.jsonl", cwd=tmp_path)
    assert other.returncode == 125
    assert "begun with n=14,8,11, not n=9" in " ".join(other.stderr.split())


def test_presets_are_runtimes() -> None:
    usual = known_runtimes()
    for name, preset in presets().items():
        assert len(preset.text) > 10
        policy = resolve(name, usual).env["BOBBIN_TASK_POLICY"]
        assert policy.split(",") == [s for s in preset.settings if not s.isupper()]
    # A further setting replaces the preset's own.
    policy = resolve("ompi+queue=combining:8", usual).env["BOBBIN_TASK_POLICY"]
    assert policy == "creation=breadth-first,queue=combining:8"


def test_numbers_of_threads_have_names(tmp_path: Path) -> None:
    done = lab("run", "barrier", "--threads", "eights", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "threads 1,3,5,8,9,13,16,21,24,29,32,37,40,45,48" in done.stdout
    wrong = lab("run", "barrier", "--threads", "nines", "--dry-run", cwd=tmp_path)
    assert wrong.returncode == 125
    assert "classes, eights" in " ".join(wrong.stderr.replace("│", " ").split())
