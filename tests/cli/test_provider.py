# SPDX-License-Identifier: Apache-2.0
"""A C library that is not as the fiber provider needs it: kernel threads serve, and it is said why."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Compile, run

NOT_DESCRIBED = "the C library does not describe its thread control block"
OTHERWISE = "the thread control block is not laid out as its description says"
FIELDS = ("_thread_db_pthread_tid", "_thread_db_pthread_list")


def run_with_layout(compile_c: Compile, compat: Path, name: str, values: str) -> str:
    """What a program says on a C library with that descriptor."""
    program = compile_c("team.c", "-fopenmp")
    layout = compile_c(
        "layout.c", "-shared", "-fPIC", f"-DNAME={name}", f"-DVALUES={values}", name="layout.so"
    )
    result = run(
        program,
        LD_PRELOAD=f"{compat}:{layout}",
        BOBBIN_PROVIDER="fiber",
        OMP_DISPLAY_ENV="verbose",
        OMP_NUM_THREADS="9",
    )
    assert result.returncode == 0, result.stderr
    assert "threads 9\n" in result.stdout
    return result.stderr


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("values", ["0,1,0", "8,1,16", "32,1,0x7ffffff0", "128,1,0x7ffffff0"])
def test_field_that_cannot_be(compile_c: Compile, compat: Path, name: str, values: str) -> None:
    said = run_with_layout(compile_c, compat, name, values)
    assert f"BOBBIN_PROVIDER=fiber is not possible here: {NOT_DESCRIBED}; using kernel threads" in said
    assert "provider='kernel'" in said
    assert f"provider chosen because {NOT_DESCRIBED}" in said


def test_thread_id_elsewhere(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, FIELDS[0], "32,1,16")
    assert f"{OTHERWISE}; using kernel threads" in said


def test_control_block_too_small_for_its_fields(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, "_thread_db_sizeof_pthread", "64")
    assert f"{NOT_DESCRIBED}; using kernel threads" in said


def test_the_layout_as_it_is(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, "unrelated", "0")
    assert "not possible" not in said
