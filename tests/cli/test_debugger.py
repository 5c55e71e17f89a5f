# SPDX-License-Identifier: Apache-2.0
"""gdb can call the OpenMP routines from a stopped thread, without casts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Compile, run


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_routines_can_be_called(compile_c: Compile, compat: Path, provider: str) -> None:
    if shutil.which("gdb") is None:
        pytest.skip("no gdb (scripts/setup test)")
    program = compile_c("stop.c", "-g", "-fopenmp")
    commands = [
        "set startup-with-shell off",
        f"set environment LD_PRELOAD {compat}",
        f"set environment BOBBIN_PROVIDER {provider}",
        "set debuginfod enabled off",
        "break stop_here",
        "run",
        "print 100 + omp_get_thread_num()",
        "print 100 + omp_get_num_threads()",
        "print omp_get_wtime() > 0",
        "kill",
    ]
    words = [word for command in commands for word in ("-ex", command)]
    result = run("gdb", "-q", "-nx", "-batch", *words, program)
    if "Could not trace" in result.stderr or "ptrace" in result.stderr:
        pytest.skip("no debugging here")
    answers = [line for line in result.stdout.splitlines() if line.startswith("$")]
    assert answers == ["$1 = 102", "$2 = 104", "$3 = 1"], result.stdout + result.stderr
