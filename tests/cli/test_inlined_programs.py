# SPDX-License-Identifier: Apache-2.0
"""Programs that are hard for what is inlined into them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, run


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    return f"--cc={'gcc' if request.param == 'gcc' else request.getfixturevalue('clang')}"


def built(source: str, *words: str | Path, folder: Path, **variables: str) -> Path:
    program = folder / "program"
    result = run(*words, "-O2", "-fopenmp", PROGRAMS / source, "-o", program, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return program


def test_another_runtime_in_the_process(
    bobbin: Path, compiler: str, cache: dict[str, str], library: Path, tmp_path: Path
) -> None:
    program = built(
        "inlined_beside.c", bobbin, "cc", compiler, "--any-runtime", folder=tmp_path, **cache
    )
    result = run(program, library)
    assert result.stdout == "2 threads right, 1000 tasks awaited\n", result.stderr


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_arrays_of_variable_size_in_deep_recursion(
    bobbin: Path, compiler: str, cache: dict[str, str], provider: str, tmp_path: Path
) -> None:
    program = built("inlined_vla.c", bobbin, "cc", compiler, folder=tmp_path, **cache)
    for size in (40000, 50000, 60000):
        result = run(program, "500", str(size), OMP_STACKSIZE="1M", BOBBIN_PROVIDER=provider)
        assert result.stdout == "501\n", result.stderr


def test_a_routine_of_the_program_itself(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    program = built("inlined_own_query.c", bobbin, "cc", compiler, folder=tmp_path, **cache)
    assert run(program).stdout == "77\n"
