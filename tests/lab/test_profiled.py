# SPDX-License-Identifier: Apache-2.0
"""The breakdown of a program's time: its figures are those that the program counts by itself."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest
from command import PATIENCE_S

from bobbin_lab.experiments.catalogue import PROFILED
from bobbin_lab.experiments.profiled import PARTS
from bobbin_lab.measure.execute import parse_readings, parse_skipped
from bobbin_lab.places import program
from bobbin_lab.runtimes import known_runtimes

NODES = 193_585


def run(
    runtime: str,
    *command: str,
    threads: int = 2,
    status: int = 0,
    more: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    found = known_runtimes()[runtime]
    if found.missing() is not None:
        pytest.skip(f"no {found.title}")
    done = subprocess.run(
        (*PROFILED, *command),
        env={**found.environment(), "OMP_NUM_THREADS": str(threads), **(more or {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def figures(output: str) -> dict[str, dict[str, float]]:
    """By metric, then by part or thread."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for reading in parse_readings(output):
        label = reading.labels.get("part") or reading.labels.get("thread") or ""
        found[reading.metric][label] = reading.value
    return found


@pytest.mark.parametrize("mode", ["tasks", "wait"])
def test_it_counts_as_the_program_does(mode: str) -> None:
    words = ("tree=S3", f"mode={mode}", "trace=yes")
    told = figures(run("bobbin", program("uts"), *words).stdout)
    assert told["tasks"][""] == NODES - 1  # the root is no task
    assert sum(told["nodes"].values()) == pytest.approx(NODES, rel=1e-4)
    by_thread = {k: v for k, v in told["tasks_begun"].items() if v}
    assert sum(by_thread.values()) == NODES - 1
    assert sorted(by_thread.values()) == pytest.approx(
        sorted(v for v in told["nodes"].values() if v > 1), rel=0.01, abs=2
    )
    assert told["tasks_elsewhere"][""] == pytest.approx(told["tasks_of_others"][""], rel=0.02)


@pytest.mark.parametrize("threads", [2, 4])
def test_untied_tasks_move_under_a_tool(threads: int) -> None:
    """The program sees a task's thread before and after each scheduling point, and so misses a move
    there and back.
    """
    words = ("tree=S3", "mode=wait", "trace=yes")
    settings = {"BOBBIN_TASK_POLICY": "creation=continuation"}
    output = run("bobbin", program("uts_untied"), *words, threads=threads, more=settings).stdout
    told = figures(output)
    moves = told["moves_at_task"][""] + told["moves_at_wait"][""]
    assert told["tasks"][""] == NODES - 1
    assert moves > 0
    assert moves <= told["tasks_moved"][""] <= 1.02 * moves + 2


def test_the_parts_are_all_of_the_time() -> None:
    told = figures(run("bobbin", program("jacobi"), "blocks=12", "size=4", "sweeps=20").stdout)
    assert tuple(told["share"]) == tuple(PARTS)
    assert sum(told["share"].values()) == pytest.approx(100, abs=0.01)
    assert told["tasks"][""] == told["tasks_dependent"][""] == 12 * 12 * 20
    check = told["share"]["dependence-check"] * sum(told["thread_ms"].values()) / 100
    assert check == pytest.approx(told["thread_ms"]["dependence-check"], rel=0.01)
    assert check > 0


def test_what_llvm_tells_its_tools() -> None:
    """Its runtime tells nothing of creation and dependences."""
    told = figures(run("omp", program("jacobi"), "blocks=12", "size=4", "sweeps=20").stdout)
    assert tuple(told["share"]) == ("user", "idle", "other")
    assert sum(told["share"].values()) == pytest.approx(100, abs=0.01)
    assert told["tasks"][""] == 12 * 12 * 20


def test_a_runtime_without_the_tools_interface_is_left_out() -> None:
    assert "OMPT" in str(parse_skipped(run("gomp", program("fib"), "n=10").stdout))


def test_the_program_s_own_end_is_kept() -> None:
    assert "no such argument" in run("bobbin", program("fib"), "size=3", status=2).stderr


def test_a_missing_instrument_is_told(tmp_path: Path) -> None:
    python, script, _, bobbin = PROFILED
    gone = str(tmp_path / "gone.so")
    done = subprocess.run(
        (python, script, gone, bobbin, program("fib"), "n=10"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert parse_skipped(done.stdout) == gone
