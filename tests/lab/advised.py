# SPDX-License-Identifier: Apache-2.0
"""Small OpenMP programs for `advise`, and its output about them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from command import lab

# It does not wait for an idle machine. Each setting runs once after its first run.
FEW = ("--quiet-wait", "0", "--reps", "1")
# Columns of the table.
RUNTIME, THREADS, SET, NOTES = 0, 1, 2, -1


def compiled(folder: Path, source: str, *flags: str, compiler: str = "gcc") -> Path:
    file = folder / "program.c"
    file.write_text(source)
    program = file.with_suffix("")
    subprocess.run([compiler, "-O1", *flags, file, "-o", program], check=True)
    return program


def openmp_program(folder: Path, inside: str = "", clauses: str = "") -> Path:
    """A program that records its runs in the file `runs`, opens a region, and then executes
    `inside`, in which `threads` is the size of the region's team.
    """
    return compiled(
        folder,
        f"""#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {{
  FILE* runs = fopen("runs", "a");
  fputs("run\\n", runs);
  fclose(runs);
  int threads = 0;
#pragma omp parallel {clauses}
#pragma omp single
  threads = omp_get_num_threads();
  {inside}
  return threads == 0;
}}
""",
        "-fopenmp",
    )


def script(folder: Path, *lines: str) -> Path:
    file = folder / "script"
    file.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    file.chmod(0o755)
    return file


def advice(
    folder: Path, *words: str | Path, options: tuple[str, ...] = FEW, **variables: str
) -> str:
    done = lab("advise", *options, *words, cwd=folder, variables=variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def rows(text: str) -> list[list[str]]:
    """The cells of the table's rows."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def runs_made(folder: Path) -> int:
    return len((folder / "runs").read_text().splitlines())


def runs_said(text: str) -> int:
    found = re.search(r"At most (\d+) more runs", text)
    assert found is not None, text
    return int(found[1])
