# SPDX-License-Identifier: Apache-2.0
"""The package bobbin_openmp, in the layout of its wheel: when it starts the program again."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from conftest import run

PACKAGE = Path(__file__).parents[2] / "packaging/python/openmp/bobbin_openmp"
BEGIN = "import ctypes, sys, bobbin_openmp\nprint('begun', flush=True)\n"


@pytest.fixture
def packages(build: Path, tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / "packages/bobbin_openmp")
    for component in ("library", "command"):
        words = ("--prefix", tmp_path / "packages/bobbin_openmp", "--component", component)
        assert run("cmake", "--install", build, *words).returncode == 0
    return tmp_path / "packages"


def test_enable_starts_the_program_again(packages: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(BEGIN + "bobbin_openmp.enable()\nprint(bobbin_openmp.active())\n")
    result = run(sys.executable, program, PYTHONPATH=str(packages))
    assert result.stdout == "begun\nbegun\nTrue\n", result.stderr


@pytest.mark.parametrize("words", ["", "restart=False"])
def test_enable_after_another_runtime_is_refused(
    packages: Path, tmp_path: Path, system_libgomp: Path, words: str
) -> None:
    program = tmp_path / "program.py"
    load = f"ctypes.CDLL('{system_libgomp}')\n"
    program.write_text(BEGIN + load + f"bobbin_openmp.enable({words})\nprint('on')\n")
    result = run(sys.executable, program, PYTHONPATH=str(packages))
    assert result.returncode == 1
    assert result.stdout == "begun\n"
    assert "before the import that loads it" in result.stderr
