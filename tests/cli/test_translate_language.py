# SPDX-License-Identifier: Apache-2.0
"""What the translator takes of C and OpenMP: programs that check themselves (programs/language)."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

LANGUAGE = sorted((PROGRAMS / "language").glob("*.c"))


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("source", LANGUAGE, ids=lambda path: path.stem)
def test_program_passes(
    bobbin: Path, source: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    program = tmp_path / source.stem
    words = ("-O2", "-Wall", "-Werror", "-fopenmp", source, "-o", program)
    built = run(bobbin, "cc", f"--cc={name}", "--translate", *words)
    assert (built.returncode, built.stderr) == (0, "")
    ran = run(program)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "passed\n", "")
