# SPDX-License-Identifier: Apache-2.0
"""The files that the user names for reports: they are checked before the program starts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import Compile, run

# The options that name a file, with what they need.
OPTIONS = (
    ("--trace",),
    ("--profile", "--json"),
    ("--span", "--json"),
    ("--span", "--record"),
)


def refused(bobbin: Path, options: tuple[str, ...], file: Path, folder: Path) -> str:
    """What the command says; the program must not have been started."""
    mark = folder / "started"
    result = run(bobbin, "run", *options, file, "touch", mark)
    assert result.returncode == 125
    assert not mark.exists()
    assert result.stderr.startswith("bobbin run: ")
    return result.stderr


@pytest.mark.parametrize("options", OPTIONS)
def test_programs_are_not_overwritten(
    bobbin: Path, compile_c: Compile, tmp_path: Path, options: tuple[str, ...]
) -> None:
    program = compile_c("team.c", "-fopenmp", name="victim")
    library = tmp_path / "library.so"
    shutil.copy(program, library)
    library.chmod(0o644)
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    for victim in (program, library, script):
        before = victim.read_bytes()
        assert f"{victim} is a program" in refused(bobbin, options, victim, tmp_path)
        assert victim.read_bytes() == before


@pytest.mark.parametrize("options", OPTIONS)
def test_what_cannot_be_written_is_told_at_once(
    bobbin: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    absent = tmp_path / "absent/file"
    assert f"cannot write {absent}: No such file" in refused(bobbin, options, absent, tmp_path)
    assert f"{tmp_path} is a folder" in refused(bobbin, options, tmp_path, tmp_path)


def test_an_earlier_report_is_replaced(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    program = compile_c("team.c", "-fopenmp")
    file = tmp_path / "figures.json"
    file.write_text("an earlier one")
    assert run(bobbin, "run", "--profile", "--json", file, program).returncode == 0
    assert file.read_text().startswith("{")


def test_devices_and_pipes_are_taken(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    result = run(bobbin, "run", "--profile", "--json", "/dev/stdout", program)
    assert result.returncode == 0
    assert '"processes"' in result.stdout
