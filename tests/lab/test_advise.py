# SPDX-License-Identifier: Apache-2.0
"""advise, on programs that take moments."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest
from advised import (
    FEW,
    NOTES,
    RUNTIME,
    SET,
    THREADS,
    advice,
    compiled,
    openmp_program,
    rows,
    runs_made,
    runs_said,
    script,
)
from command import BOBBIN, ENVIRONMENT, lab

PROCESSORS = len(os.sched_getaffinity(0))


def test_advise_finds_what_is_slow(tmp_path: Path) -> None:
    """A program that sleeps longer with more than one thread."""
    program = openmp_program(tmp_path, "usleep(threads > 1 ? 300000 : 5000);")
    many = {"OMP_NUM_THREADS": str(PROCESSORS + 14)}
    text = advice(tmp_path, program, options=("--quiet-wait", "0", "--reps", "5"), **many)
    assert f"{PROCESSORS + 14} threads share " in text
    assert "with 1 thread: " in text
    assert "5 runs each)." in text
    line = text.splitlines()[-1].strip()
    assert "OMP_NUM_THREADS=1" in shlex.split(line)
    assert line.endswith(str(program))
    assert subprocess.run(line, shell=True, cwd=tmp_path, check=False).returncode == 0


def test_what_was_dropped_stands_at_the_end(tmp_path: Path) -> None:
    program = openmp_program(tmp_path, "usleep(threads > 1 ? 5000 : 600000);")
    table = rows(advice(tmp_path, program, OMP_NUM_THREADS=str(PROCESSORS + 1)))
    dropped = ["dropped" in row[NOTES] for row in table]
    assert any(dropped)
    assert dropped == sorted(dropped)


@pytest.mark.parametrize("way", ["environment", "env", "assignment"])
def test_rows_are_labelled_by_what_ran(tmp_path: Path, way: str) -> None:
    program = openmp_program(tmp_path)
    words: tuple[str | Path, ...] = ("OMP_NUM_THREADS=16", program)
    if way == "environment":
        text = advice(tmp_path, program, OMP_NUM_THREADS="16")
    else:
        text = advice(tmp_path, *(("env", *words) if way == "env" else words))
    assert "on libgomp: 1 parallel region of 16 threads" in text
    for row in rows(text):
        asked = dict(word.split("=") for word in row[SET].split())
        assert row[THREADS] == asked.get("OMP_NUM_THREADS", "16"), text
    tried = {(row[RUNTIME], row[THREADS]) for row in rows(text)}
    assert {(r, str(n)) for r in ("libgomp", "Bobbin") for n in (1, PROCESSORS, 16)} <= tried


def test_what_the_user_has_set_is_kept(tmp_path: Path) -> None:
    """Both in the runs, which fail without it, and in the line."""
    program = openmp_program(
        tmp_path,
        'if (strcmp(getenv("OMP_SCHEDULE"), "dynamic,7") != 0) return 3;\n'
        'if (getenv("OTHER") == NULL) return 4;\n'
        "usleep(threads > 1 ? 300000 : 5000);",
    )
    words = ("env", "OTHER=a b", "OMP_NUM_THREADS=3", program, "x y")
    text = advice(tmp_path, *words, OMP_SCHEDULE="dynamic,7")
    assert "failed" not in text
    (said,) = (line for line in text.splitlines() if line.startswith("Set by you, and kept: "))
    assert {"OMP_SCHEDULE=dynamic,7", "OMP_NUM_THREADS=3"} <= set(said.split())
    line = text.splitlines()[-1].strip()
    assert {"OMP_SCHEDULE=dynamic,7", "OTHER=a b", "OMP_NUM_THREADS=1"} <= set(shlex.split(line))
    assert line.endswith(f"{program} 'x y'")


def test_what_comes_is_said_first(tmp_path: Path) -> None:
    text = advice(tmp_path, openmp_program(tmp_path), OMP_NUM_THREADS="16")
    before, _, _ = text.partition("Wall time of the program")
    assert runs_made(tmp_path) <= 1 + runs_said(before)
    assert ", about " in before


def test_a_budget_leaves_settings_out(tmp_path: Path) -> None:
    program = openmp_program(tmp_path, "usleep(200000);")
    text = advice(tmp_path, program, options=("--quiet-wait", "0", "--budget", "3"))
    assert "do not fit into --budget 3" in text
    assert runs_made(tmp_path) <= 1 + runs_said(text)
    done = lab("advise", "--budget", "0.2", program, cwd=tmp_path)
    assert done.returncode == 125
    assert "is the least" in done.stderr


@pytest.mark.parametrize("kind", ["script", "no region", "python"])
def test_a_program_without_openmp_gets_no_advice(tmp_path: Path, kind: str) -> None:
    count = "echo run >>runs"
    if kind == "script":
        words: tuple[str | Path, ...] = (script(tmp_path, count),)
    elif kind == "no region":
        words = (
            compiled(
                tmp_path,
                "#include <omp.h>\n#include <stdlib.h>\n"
                f'int main(void) {{ return omp_get_level() + system("{count}"); }}\n',
                "-fopenmp",
            ),
        )
    else:
        words = ("python3", "-c", "open('runs', 'a').write('run\\n')")
    text = advice(tmp_path, *words)
    assert "did not use OpenMP" in text
    assert ("libgomp was loaded, but no parallel region was opened" in text) == (
        kind == "no region"
    )
    assert runs_made(tmp_path) == 1
    assert rows(text) == []


def test_a_program_that_sets_its_own_number_is_told_so(tmp_path: Path) -> None:
    text = advice(tmp_path, openmp_program(tmp_path, clauses=f"num_threads({PROCESSORS + 3})"))
    assert f"The program sets its number of threads itself ({PROCESSORS + 3})" in text
    assert {row[THREADS] for row in rows(text)} == {str(PROCESSORS + 3)}
    # When it is known, no other numbers are tried.
    assert sum("OMP_NUM_THREADS" in row[SET] for row in rows(text)) == 1


def test_a_script_that_sets_the_number_is_told_so(tmp_path: Path) -> None:
    program = openmp_program(tmp_path)
    wrapped = script(tmp_path, "export OMP_NUM_THREADS=16", str(program))
    text = advice(tmp_path, wrapped, OMP_NUM_THREADS="2")
    assert "of 16 threads" in text
    assert "A script or program on the way sets OMP_NUM_THREADS=16 itself" in text
    assert {row[THREADS] for row in rows(text)} == {"16"}


def test_a_program_that_a_script_puts_on_a_runtime_is_not_taken_for_one_without(
    tmp_path: Path,
) -> None:
    wrapped = script(tmp_path, f"{BOBBIN} run {openmp_program(tmp_path)}")
    text = advice(tmp_path, wrapped)
    assert "Its regions could not be counted" in text
    assert {row[THREADS] for row in rows(text)} == {"?"}


def test_a_command_on_bobbin_is_tried_without(tmp_path: Path) -> None:
    text = advice(tmp_path, BOBBIN, "run", "-n", "3", openmp_program(tmp_path))
    assert "on Bobbin: 1 parallel region of 3 threads" in text
    assert {row[RUNTIME] for row in rows(text)} == {"Bobbin", "libgomp"}


def test_an_interrupt_leaves_what_is_known(tmp_path: Path) -> None:
    """The sixth run waits at a pipe, so the test knows that it has begun."""
    os.mkfifo(tmp_path / "pipe")
    program = openmp_program(
        tmp_path,
        'runs = fopen("runs", "r");\n'
        "int lines = 0;\n"
        "for (int c; (c = getc(runs)) != EOF;) lines += c == '\\n';\n"
        'if (lines == 6) { fclose(fopen("pipe", "w")); pause(); }',
    )
    with subprocess.Popen(
        [BOBBIN, "lab", "advise", "--quiet-wait", "0", program],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        (tmp_path / "pipe").read_text()
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in text
    assert "what you have" in text


def test_a_program_that_fails_is_run_once(tmp_path: Path) -> None:
    failing = script(tmp_path, "echo run >>runs", "echo no such mesh", "exit 3")
    done = lab("advise", *FEW, failing, cwd=tmp_path)
    assert done.returncode == 1
    assert "It failed: exit 3: no such mesh" in done.stdout
    assert runs_made(tmp_path) == 1
