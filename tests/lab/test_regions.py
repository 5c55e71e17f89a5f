# SPDX-License-Identifier: Apache-2.0
"""The library that advise preloads, under programs of each compiler on each runtime."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from advised import compiled

from bobbin_lab.advice.look import FOLDER, PROBE, Look
from bobbin_lab.runtimes import known_runtimes, present

CLANG = shutil.which("clang-19") or shutil.which("clang")
MANY = 20  # shared variables, each a separate argument in clang's code

REGIONS = f"""#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int failed(int wrong) {{ return wrong ? (puts("wrong result"), 1) : 0; }}
int main(void) {{
  int sum = 0, wrong = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  wrong += sum != omp_get_max_threads();
#define LOOP(kind) sum = 0; \\
  _Pragma(kind) for (int i = 0; i < 1000; i++) sum += i; \\
  wrong += sum != 499500;
  LOOP("omp parallel for schedule(static) reduction(+ : sum)")
  LOOP("omp parallel for schedule(static, 3) reduction(+ : sum)")
  LOOP("omp parallel for schedule(dynamic) reduction(+ : sum)")
  LOOP("omp parallel for schedule(monotonic : dynamic) reduction(+ : sum)")
  LOOP("omp parallel for schedule(guided) reduction(+ : sum)")
  LOOP("omp parallel for schedule(monotonic : guided) reduction(+ : sum)")
  LOOP("omp parallel for schedule(runtime) reduction(+ : sum)")
  LOOP("omp parallel for schedule(monotonic : runtime) reduction(+ : sum)")
  LOOP("omp parallel for schedule(nonmonotonic : runtime) reduction(+ : sum)")
  int first = 0, second = 0;
#pragma omp parallel sections
  {{
#pragma omp section
    first = 1;
#pragma omp section
    second = 1;
  }}
  wrong += first + second != 2;
  sum = 0;
#pragma omp parallel reduction(task, + : sum)
#pragma omp single
#pragma omp task in_reduction(+ : sum)
  sum += 7;
  wrong += sum != 7;
  int {", ".join(f"v{i} = 0" for i in range(MANY))};
#pragma omp parallel
#pragma omp single
  {{ {" ".join(f"v{i} = {i};" for i in range(MANY))} }}
  wrong += {" + ".join(f"v{i}" for i in range(MANY))} != {sum(range(MANY))};
#pragma omp parallel num_threads(5)
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
#pragma omp parallel if (wrong > 100)
  second += first;
  return failed(wrong);
}}
"""
# 13 regions with the environment's number of threads, one of 5 with inner ones, one of its own
# thread.
EXPECTED = {1: 1, 3: 13, 5: 1}


def looked_at(folder: Path, program: Path, runtime: str) -> Look:
    records = folder / "records"
    records.mkdir()
    known = known_runtimes(of=str(program))[runtime]
    preload = ":".join(map(str, (PROBE, *known.preload)))
    variables = {"OMP_NUM_THREADS": "3", "LD_PRELOAD": preload, FOLDER: str(records)}
    done = subprocess.run(
        [program], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return Look.into(records)


@pytest.mark.parametrize("runtime", ["gomp", "omp", "bobbin"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_every_region_is_counted(tmp_path: Path, compiler: str, runtime: str) -> None:
    if runtime not in present() or (compiler, runtime) == ("clang", "gomp"):
        pytest.skip("no such program can run on it")
    if compiler == "clang" and CLANG is None:
        pytest.skip("no clang here")
    program = compiled(
        tmp_path, REGIONS, "-fopenmp", compiler=(CLANG or "") if compiler == "clang" else "gcc"
    )
    found = looked_at(tmp_path, program, runtime)
    assert found.sizes == EXPECTED
    title = {"gomp": "libgomp", "omp": "libomp", "bobbin": "Bobbin"}[runtime]
    assert (found.runtime, found.num_threads, found.threads) == (title, ["3"], 5)


LOADED_LATE = """#include <dlfcn.h>
int main(int argc, char** argv) {
  void* part = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  return part == 0 ? 1 : ((int (*)(void))dlsym(part, "part"))() != 3;
}
"""
PART = """#include <omp.h>
int part(void) {
  int n = 0;
#pragma omp parallel reduction(+ : n)
  n++;
  return n;
}
"""


def test_a_runtime_that_a_plugin_brings_along_is_found(tmp_path: Path) -> None:
    """As Python's packages do: no other library sees it."""
    folder = tmp_path / "part"
    folder.mkdir()
    part = compiled(folder, PART, "-fopenmp", "-shared", "-fPIC")
    program = compiled(tmp_path, LOADED_LATE, "-ldl")
    wrapped = tmp_path / "wrapped"
    wrapped.write_text(f"#!/bin/sh\nexec {program} {part}\n")
    wrapped.chmod(0o755)
    found = looked_at(tmp_path, wrapped, "gomp")
    assert (found.sizes, found.runtime) == ({3: 1}, "libgomp")
