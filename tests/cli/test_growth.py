# SPDX-License-Identifier: Apache-2.0
"""A team of many threads costs in proportion to their number."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from conftest import Compile, run

FEW, MANY = "2000", "16000"


def processor_time(bobbin: Path, program: Path, threads: str) -> float:
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    result = run(bobbin, "run", "-n", threads, program)
    assert result.returncode == 0, result.stderr
    if "going on with" in result.stderr:
        pytest.skip(result.stderr)
    assert "fib 6765\n" in result.stdout
    return spent() - before


def test_threads_that_wait_do_not_each_ask_all_others_for_tasks(
    bobbin: Path, compile_c: Compile
) -> None:
    """Eight times as many threads took 60 times as long."""
    program = compile_c("fib_tasks.c", "-fopenmp")
    for _ in range(3):
        grown = processor_time(bobbin, program, MANY) / processor_time(bobbin, program, FEW)
        if grown < 25:
            return
    pytest.fail(f"{grown:.0f} times as long")
