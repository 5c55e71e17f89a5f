# SPDX-License-Identifier: Apache-2.0
"""How advise treats the command that it is given, and its own standard input."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from advised import FEW, RUNTIME, advice, compiled, openmp_program, rows
from command import lab


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        ("static", 126, "is statically linked"),
        ("no-such-program", 127, "is not in PATH"),
        ("./simulate input.dat", 127, "as words of their own"),
    ],
)
def test_advise_measures_nothing_that_no_runtime_serves(
    program: str, status: int, said: str, tmp_path: Path
) -> None:
    if program == "static":
        program = str(compiled(tmp_path, "int main(void) { return 0; }\n", "-static"))
    done = lab("advise", "--quiet-wait", "0", program, cwd=tmp_path)
    assert done.returncode == status
    assert said in done.stderr
    assert done.stdout == ""


def test_a_program_with_address_sanitizer_is_served(tmp_path: Path) -> None:
    """Its library must come before all others, or it ends the program."""
    source = (
        "#include <omp.h>\nint main(void) {\n  int n = 0;\n#pragma omp parallel reduction(+ : n)\n"
        "  n++;\n  return n == 0;\n}\n"
    )
    try:
        checked = compiled(tmp_path, source, "-fopenmp", "-fsanitize=address")
    except subprocess.CalledProcessError:
        pytest.skip("gcc has no AddressSanitizer here")
    text = advice(tmp_path, checked)
    assert "failed" not in text
    assert {row[RUNTIME] for row in rows(text)} == {"libgomp", "Bobbin"}


WANTS_INPUT = """  char text[64] = "";
  text[fread(text, 1, sizeof text - 1, stdin)] = 0;
  if (strcmp(text, getenv("WANTED")) != 0) return 3;"""


@pytest.mark.parametrize("named", [True, False])
def test_each_run_reads_a_file_anew(tmp_path: Path, named: bool) -> None:
    """From the present position: others may have read the part before it."""
    given = tmp_path / "given"
    given.write_text("one\ntwo\nthree")
    program = openmp_program(tmp_path, WANTS_INPUT)
    with given.open("rb", buffering=0) as file:
        file.seek(len("one\n"))
        if not named:
            given.unlink()
        wanted = ("env", "WANTED=two\nthree", program)
        done = lab("advise", *FEW, *wanted, cwd=tmp_path, stdin=file)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "failed" not in done.stdout
        assert file.tell() == len("one\n")


@pytest.mark.parametrize("source", ["/dev/null", "terminal"])
def test_nothing_is_read_of_what_is_no_file(tmp_path: Path, source: str) -> None:
    program = openmp_program(tmp_path, WANTS_INPUT)
    ends = os.openpty() if source == "terminal" else (os.open(source, os.O_RDONLY),)
    try:
        done = lab("advise", *FEW, "env", "WANTED=", program, cwd=tmp_path, stdin=ends[-1])
    finally:
        for end in ends:
            os.close(end)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failed" not in done.stdout


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """Whatever is in it: one run would read it, and the others would find nothing."""
    reader, writer = os.pipe()
    os.close(writer)
    done = lab("advise", *FEW, "true", cwd=tmp_path, stdin=reader)
    os.close(reader)
    assert done.returncode == 125
    assert "only one run could read" in done.stderr
    assert done.stdout == ""
