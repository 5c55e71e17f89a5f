# SPDX-License-Identifier: Apache-2.0
"""bobbin run --span --record: the graph has the work and the span that --span tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import BOBBIN, PATIENCE_S, ROOT

from bobbin_lab.graph.task_graph import EdgeKind, GraphError, TaskGraph, load

PROGRAMS = ROOT / "tests/cli/programs"
BENCHMARKS = Path(os.environ.get("BOBBIN_LAB_PROGRAMS", ROOT / "build/release/bench"))
# Explicit tasks, and dependences among them.
CASES = {
    "tree": (62, 0),
    "unbalanced": (10, 0),
    "chain": (40, 19),
    "wavefront": (36, 60),
    "readers": (12, 21),
    "undeferred": (10, 0),
    "threads": (0, 0),
    "nested": (0, 0),
    "loop": (0, 0),
    "critical": (0, 0),
    "serial": (0, 0),
}


def compiled(source: str, program: Path, compiler: str = "gcc") -> Path:
    subprocess.run(
        [compiler, "-O1", "-g", "-fopenmp", PROGRAMS / source, "-o", program], check=True
    )
    return program


@pytest.fixture(scope="module")
def spans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("spans.c", tmp_path_factory.mktemp("spans") / "spans")


def recorded(
    folder: Path, *command: str | Path, status: int = 0
) -> tuple[TaskGraph, dict[str, Any]]:
    graph, figures = folder / "graph", folder / "figures.json"
    options = ("--span", "--json", figures, "--record", graph)
    done = subprocess.run(
        [BOBBIN, "run", *options, *command],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "BOBBIN_COMMAND"},
    )
    assert done.returncode == status, done.stderr
    assert f"{graph} has the task graph of process" in done.stderr
    assert "there is no variable" not in done.stderr
    (process,) = json.loads(figures.read_text())["processes"]
    return load(graph), process


def agree(graph: TaskGraph, process: dict[str, Any]) -> None:
    """The nodes have their work as floats of 32 bits."""
    assert graph.total_work() == pytest.approx(process["work_seconds"], rel=1e-5)
    assert graph.span() == pytest.approx(process["span_seconds"], rel=1e-5)
    assert graph.head["work_seconds"] == process["work_seconds"]
    assert graph.head["span_seconds"] == process["span_seconds"]
    assert graph.count(EdgeKind.CREATION) == process["tasks"]
    used = {int(number) for number in np.unique(graph.site)} - {0}
    assert used <= set(graph.sites)


@pytest.mark.parametrize("case", CASES)
def test_the_graph_has_the_work_and_the_span(spans: Path, tmp_path: Path, case: str) -> None:
    graph, process = recorded(tmp_path, spans, case)
    agree(graph, process)
    tasks, dependences = CASES[case]
    assert process["tasks"] == tasks
    assert graph.count(EdgeKind.DEPENDENCE) == dependences


def test_the_work_of_each_line_is_that_of_its_nodes(spans: Path, tmp_path: Path) -> None:
    graph, process = recorded(tmp_path, spans, "readers")
    # The compiler may tell the same line of two.
    told: defaultdict[tuple[str, str], float] = defaultdict(float)
    for line in process["sites"]:
        told[line["what"], line.get("where", "")] += line["work_seconds"]
    found: defaultdict[tuple[str, str], float] = defaultdict(float)
    for number, site in graph.sites.items():
        found[site.what, site.where] += float(graph.work[graph.site == number].sum()) * 1e-9
    assert found == pytest.approx(told, rel=1e-5, abs=1e-9)
    assert any("spans.c:" in site.where for site in graph.sites.values())


def test_threads_begin_after_the_code_that_forks(spans: Path, tmp_path: Path) -> None:
    graph, _ = recorded(tmp_path, spans, "nested")
    assert graph.count(EdgeKind.FORK) >= 3 + 3 * 4


@pytest.mark.parametrize("words", ["fib n=20", "uts tree=S1", "cholesky", "jacobi"])
def test_benchmarks(tmp_path: Path, words: str) -> None:
    name, *arguments = words.split()
    program = BENCHMARKS / name
    if not program.exists():
        pytest.skip("no benchmarks")
    agree(*recorded(tmp_path, program, *arguments))


def test_a_killed_program_leaves_what_it_did(tmp_path: Path) -> None:
    source = tmp_path / "killed.c"
    source.write_text(
        "#include <signal.h>\n"
        "int main(void) {\n"
        "#pragma omp parallel\n#pragma omp single\n"
        '  for (int i = 0; i < 100000; i++) {\n#pragma omp task\n    __asm__ volatile("");\n  }\n'
        "  raise(SIGKILL);\n"
        "}\n"
    )
    program = tmp_path / "killed"
    subprocess.run(["gcc", "-O1", "-fopenmp", source, "-o", program], check=True)
    graph, _ = recorded(tmp_path, program, status=128 + signal.SIGKILL)
    assert graph.count(EdgeKind.CREATION) > 10_000


def test_damaged_files_are_told(spans: Path, tmp_path: Path) -> None:
    recorded(tmp_path, spans, "tree")
    whole = (tmp_path / "graph").read_bytes()
    other = tmp_path / "other"
    for content, why in [
        (b"no graph\n", "is no task graph"),
        (whole[:-8], "ends too early"),
        (whole.replace(b'"bobbin_graph":1', b'"bobbin_graph":9'), "of version 9"),
        (whole[:-8] + (1 << 56 | 0xFFFF).to_bytes(8, "little"), "no earlier node"),
    ]:
        other.write_bytes(content)
        with pytest.raises(GraphError, match=why):
            load(other)


def test_record_needs_span() -> None:
    done = subprocess.run(
        [BOBBIN, "run", "--record", "graph", "true"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 125
    assert "--record needs --span" in done.stderr
