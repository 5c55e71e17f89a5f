# SPDX-License-Identifier: Apache-2.0
"""bobbin run --profile: its figures, against what programs of known behaviour do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Compile, run

PROGRAMS = Path(__file__).parent / "programs"
Figures = dict[str, Any]


def profiles(
    bobbin: Path, folder: Path, *command: str | Path, status: int = 0, **variables: str
) -> list[Figures]:
    """The figures of each process, the main one first."""
    file = folder / "figures.json"
    result = run(bobbin, "run", "--profile", "--json", file, *command, **variables)
    assert result.returncode == status, result.stderr
    processes = json.loads(file.read_text())["processes"]
    for process in processes:
        assert f"process {process['process']}," in result.stderr
        check_sums(process)
    assert all(len(line) <= 80 for line in result.stderr.splitlines()), result.stderr
    return processes


def check_sums(process: Figures) -> None:
    """No time is lost or counted twice."""
    for thread in [*process["threads"], process["total"]]:
        assert sum(thread["seconds"].values()) == pytest.approx(thread["thread_seconds"], rel=1e-9)
    assert sum(site["seconds"] for site in process["sites"]) == pytest.approx(
        process["total"]["thread_seconds"], rel=1e-9
    )
    for thread in process["threads"]:
        assert thread["thread_seconds"] <= process["seconds"] * 1.01


def counts(process: Figures) -> dict[str, int]:
    return process["total"]["counts"]


def seconds(process: Figures) -> dict[str, float]:
    return process["total"]["seconds"]


def lines_of(process: Figures, what: str) -> set[int]:
    return {site["line"] for site in process["sites"] if site["what"] == what and site.get("line")}


def marked(source: str, mark: str) -> int:
    """The number of the line that has this comment."""
    lines = (PROGRAMS / source).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if f"// {mark}" in line)


@pytest.fixture
def constructs(compile_c: Compile) -> Path:
    return compile_c("profiled.c", "-fopenmp", "-g")


def test_tasks_of_fib_are_counted_at_their_line(
    bobbin: Path, constructs: Path, tmp_path: Path
) -> None:
    process, *others = profiles(bobbin, tmp_path, constructs, "tasks", OMP_NUM_THREADS="2")
    assert others == []
    assert counts(process)["tasks"] == 28656
    assert process["total"]["visits"]["taskwait"] == 28656
    assert 0 < counts(process)["tasks_in_place"] < 28656
    assert lines_of(process, "task") == {marked("profiled.c", "the task")}
    assert lines_of(process, "region") == {marked("profiled.c", "region of tasks")}
    assert [thread["type"] for thread in process["threads"]] == ["initial", "worker"]
    assert process["runtime"] == "Bobbin"
