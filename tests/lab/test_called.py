# SPDX-License-Identifier: Apache-2.0
"""The calls by which clang's programs make tasks, timed from outside of the runtime."""

from __future__ import annotations

import subprocess

import pytest
from command import PATIENCE_S

from bobbin_lab.experiments.catalogue import CALLED
from bobbin_lab.measure.execute import parse_readings, parse_skipped
from bobbin_lab.places import Compiler, program
from bobbin_lab.runtimes import known_runtimes

RUNTIMES = ("omp", "bobbin")


def run(runtime: str, path: str, *words: str, threads: int = 2) -> str:
    found = known_runtimes()[runtime]
    if found.missing() is not None:
        pytest.skip(f"no {found.title}")
    done = subprocess.run(
        (*CALLED, path, *words),
        env={**found.environment(), "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def figures(output: str) -> dict[tuple[str, str], float]:
    """By metric and part."""
    return {(r.metric, r.labels.get("part", "")): r.value for r in parse_readings(output)}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_each_task_is_counted(runtime: str) -> None:
    output = run(runtime, program("uts", Compiler.CLANG), "tree=S1", "mode=wait")
    told = figures(output)
    nodes = int(output.partition("nodes=")[2].split()[0])
    assert told["calls", "allocation"] == told["calls", "enqueue"] == nodes - 1
    assert told["cycles", "allocation"] > 1
    assert told["cycles", "enqueue"] > 1
    assert ("calls", "dependences") not in told
    assert output.rstrip().endswith("check=ok")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_dependent_tasks_have_a_part_of_their_own(runtime: str) -> None:
    words = ("blocks=6", "size=4", "sweeps=5", "mode=tasks")
    told = figures(run(runtime, program("jacobi", Compiler.CLANG), *words))
    assert told["calls", "dependences"] == told["calls", "allocation"] == 6 * 6 * 5
    assert told["cycles", "dependences"] > 1


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_a_call_executes_is_no_part_of_it(runtime: str) -> None:
    """On one thread the calls execute all tasks, which take nearly all of the time."""
    words = ("sequences=12", "length=300")
    told = figures(run(runtime, program("alignment", Compiler.CLANG), *words, threads=1))
    in_calls = told["cycles", "enqueue"] * told["calls", "enqueue"]
    assert in_calls < 0.5e6 * told["time_ms", ""]  # a processor has over a million cycles in 1 ms


def test_a_program_of_gcc_is_left_out() -> None:
    assert "clang" in str(parse_skipped(run("gomp", program("fib"), "n=10")))
