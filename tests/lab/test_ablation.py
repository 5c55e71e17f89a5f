# SPDX-License-Identifier: Apache-2.0
"""The ablation: what it runs, and the matrix that comes of it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from command import CALM, ROOT
from results import results_of
from rich.console import Console
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.output.ablation import Effect, markdown, matrix, tables
from bobbin_lab.places import PROGRAMS
from bobbin_lab.results.records import Better, Results, load
from bobbin_lab.suites import ablation, benchmarks, experiments

DOCUMENT = ROOT / "docs/tuning.md"
OFF = "bobbin+BOBBIN_TUNING={}:off"
COSTS = {"bobbin": 100.0, "apart": 120.0, "crowd": 80.0, "turns": 102.0}


def measured(better: Better = Better.LOWER, **options: object) -> Results:
    names = {name: OFF.format(name) if name != "bobbin" else name for name in COSTS}
    laws = {names[name]: (lambda t, cost=cost: cost) for name, cost in COSTS.items()}
    options = {"threads": (2,), "noise": 0, **options}
    return results_of({"fib": laws, "a|b": laws}, better, **options)


def effects(results: Results) -> dict[str, Effect]:
    found = matrix(results)
    return {label: found.columns[0].cells[name].effect for name, label in found.rows.items()}


def test_a_heuristic_pays_where_it_is_slower_without() -> None:
    paid = {"apart": Effect.PAYS, "crowd": Effect.COSTS, "turns": Effect.NONE}
    assert effects(measured()) == paid
    paid |= {"apart": Effect.COSTS, "crowd": Effect.PAYS}
    assert effects(measured(Better.HIGHER)) == paid


def test_few_samples_tell_nothing() -> None:
    found = measured(rounds=4)
    assert set(effects(found).values()) == {Effect.UNKNOWN}
    assert "| apart | 1.2 | 1.2 | - |" in markdown(matrix(found))


def test_the_matrix_as_markdown() -> None:
    lines = markdown(matrix(measured())).splitlines()
    assert lines[0] == r"| off | fib | a\|b | in all |"
    assert lines[2:] == [
        "| all on | 100 us | 100 us |  |",
        "| apart | **1.2 [1.2-1.2]** | **1.2 [1.2-1.2]** | pays on 2, costs on 0 |",
        "| crowd | **0.8 [0.8-0.8]** | **0.8 [0.8-0.8]** | pays on 0, costs on 2 |",
        "| turns | 1.02 [1.02-1.02] | 1.02 [1.02-1.02] | pays on 0, costs on 0 |",
    ]


def test_a_cell_says_how_a_benchmark_failed() -> None:
    results = measured()
    name = OFF.format("apart")
    lost = [run for run in results.runs if run.experiment == "fib" and run.runtime == name]
    results.runs = [run for run in results.runs if run not in lost]
    results.runs.append(dataclasses.replace(lost[0], readings=(), error="SIGSEGV: at the end"))
    line = markdown(matrix(results)).splitlines()[3]
    assert line == "| apart | SIGSEGV | **1.2 [1.2-1.2]** | pays on 1, costs on 0 |"


def test_numbers_of_threads_are_columns_of_their_own() -> None:
    titles = [column.title for column in matrix(measured(threads=(1, 2))).columns]
    assert titles == ["fib, 1", "fib, 2", "a|b, 1", "a|b, 2", "in all"]


@pytest.mark.parametrize(("width", "count"), [(160, 1), (60, 2), (10, 3)])
def test_a_narrow_terminal_gets_several_tables(width: int, count: int) -> None:
    shown = list(tables(matrix(measured()), width))
    assert len(shown) == count
    assert sum(len(table.columns) - 1 for table in shown) == 3
    if width > 10:
        screen = Console(width=width)
        assert all(screen.measure(table).maximum <= width for table in shown)


def test_its_benchmarks_are_there_and_told_apart() -> None:
    chosen = benchmarks(ablation.NAME)
    assert len(chosen) == len({b.name for b in chosen})
    for benchmark in chosen:
        assert (PROGRAMS / benchmark.program).exists(), benchmark.name
        assert benchmark.metrics
    every = experiments(ablation.NAME, ["bobbin", OFF.format("apart")], None)
    assert {case.runtime for e in every for case in e.cases} == {"bobbin", OFF.format("apart")}
    assert all(len(e.cases) == 2 for e in every)


def test_the_document_has_a_row_for_each_heuristic() -> None:
    table = DOCUMENT.read_text().split("\n## ")[2]
    assert table.startswith("What there is")
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert rows == list(ablation.heuristics())


def test_the_names_come_from_the_library() -> None:
    names = ablation.heuristics()
    assert len(names) == len(set(names)) > 10
    assert ablation.runtimes() == ["bobbin", *map(OFF.format, names)]


def test_it_runs_and_updates_its_document(tmp_path: Path) -> None:
    document, results = tmp_path / "tuning.md", tmp_path / "r.jsonl"
    document.write_text("<!-- ablation -->\nold\n<!-- /ablation -->\n")
    words = ["bobbin", *map(OFF.format, ablation.heuristics()[:2])]
    few = ["--only", "parallel", "--runtimes", ",".join(words), "--reps", "1", *CALM]
    files = ["-o", str(results), "--update", str(document)]
    done = CliRunner().invoke(app, ["run", ablation.NAME, *few, *files])
    assert done.exit_code == 0, done.output
    assert [(run.runtime, run.threads) for run in load(results).runs].count(("bobbin", 2)) == 1
    assert {run.runtime for run in load(results).runs} == set(words)
    text = document.read_text()
    assert "old" not in text
    for name in ablation.heuristics()[:2]:
        assert re.search(rf"^\| {name} \| [\d.]+ \| - \|$", text, re.MULTILINE)
