# SPDX-License-Identifier: Apache-2.0
"""Kernel threads that open regions in turn wait for each other only where regions have several threads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Compile, run


@pytest.mark.parametrize("threads", [1, 2])
def test_regions_of_one_thread_wait_for_none(
    compile_c: Compile, compat: Path, threads: int
) -> None:
    program = compile_c("turns.c", "-fopenmp", "-pthread")
    result = run(
        program,
        LD_PRELOAD=str(compat),
        BOBBIN_TUNING="counters",
        OMP_NUM_THREADS=str(threads),
    )
    assert result.returncode == 0, result.stderr
    row = re.search(r"^bobbin: turns +(\d+) ", result.stderr, re.MULTILINE)
    asked = int(row[1]) if row else 0
    assert (asked > 0) == (threads > 1)
