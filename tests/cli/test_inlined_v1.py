# SPDX-License-Identifier: Apache-2.0
"""Objects in which version 1 of the frozen data is compiled: every later runtime must run them.

objects/inlined_v1_*.o are of programs/inlined_v1.c, for x86-64, and hold native code only. They were
made once:

    bobbin cc --any-runtime -O2 -fopenmp -c inlined_v1.c
    gcc -O2 -flto -nostdlib -r -flinker-output=nolto-rel inlined_v1.o gomp.o entries.o self.o
    bobbin cc --cc=clang --any-runtime -O2 -fopenmp -c inlined_v1.c
    ld -r inlined_v1.o self.o
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from conftest import clang_library, counted_calls, run

OBJECTS = Path(__file__).parent / "objects"
EXPORT = "-Wl,--export-dynamic-symbol=bobbin_self_v1"
RIGHT = "fib 6765 sum 714335715 outside 0\n"

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the objects are of x86-64")


@pytest.fixture(params=["gcc", "clang"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    compiler = os.environ.get("CC", "gcc")
    rpath = []
    if request.param == "clang":
        compiler = request.getfixturevalue("clang")
        rpath = [f"-Wl,-rpath,{clang_library(compiler, 'libomp.so').parent}"]
    linked = tmp_path / "program"
    result = run(
        compiler,
        "-fopenmp",
        OBJECTS / f"inlined_v1_{request.param}.o",
        EXPORT,
        *rpath,
        "-o",
        linked,
    )
    assert result.returncode == 0, result.stderr
    return linked


def calls(program: Path, preload: str, **variables: str) -> int:
    result = run(program, LD_PRELOAD=preload, **variables)
    assert result.stdout.startswith(RIGHT), result.stdout + result.stderr
    return counted_calls(result.stdout)


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_on_bobbin(program: Path, counter: Path, preloads: str, provider: str) -> None:
    preload = f"{counter}:{preloads}"
    assert calls(program, preload, OMP_NUM_THREADS="1", BOBBIN_PROVIDER=provider) <= 1
    for threads in ("2", "3", "8"):
        calls(program, preload, OMP_NUM_THREADS=threads, BOBBIN_PROVIDER=provider)


def test_on_their_own_runtimes(program: Path, counter: Path) -> None:
    assert calls(program, str(counter), OMP_NUM_THREADS="1") > 1000
    calls(program, str(counter), OMP_NUM_THREADS="3")
