# SPDX-License-Identifier: Apache-2.0
"""Tasks inlined into programs: include/bobbin/inline, docs/notes/inlined-tasks.md."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROGRAMS, calls_of_fib, counted_calls, run

SOURCES = Path(__file__).parents[2] / "include/bobbin/inline"
EXPORT = "-Wl,--export-dynamic-symbol=bobbin_self_v1"
# 10,945 calls of fib(20) make two tasks each, and one makes the first.
TASKS = 21891

Build = Callable[..., Path]


def compiled(*words: str | Path) -> None:
    result = run(*words)
    assert result.returncode == 0, result.stderr


@pytest.fixture(params=["gcc", "clang"])
def build_inlined(
    request: pytest.FixtureRequest, tmp_path: Path, *, common: tuple[str, ...] = ("-O2", "-fPIC")
) -> Build:
    gcc = os.environ.get("CC", "gcc")

    def part(compiler: str, name: str, output: str, *flags: str) -> Path:
        compiled(compiler, *common, *flags, "-c", SOURCES / name, "-o", tmp_path / output)
        return tmp_path / output

    def with_gcc(source: str, *flags: str | Path) -> Path:
        objects = [
            part(gcc, "gomp.c", "gomp.o", "-flto", "-fexceptions"),
            part(gcc, "entries.c", "entries.o", "-fno-lto"),
            part(gcc, "self.c", "self.o", "-fno-lto"),
        ]
        program = tmp_path / "program"
        compiled(
            gcc, "-O2", "-fopenmp", "-flto=auto", PROGRAMS / source, *objects, *flags, "-o", program
        )
        return program

    def with_clang(source: str, *flags: str | Path) -> Path:
        clang = request.getfixturevalue("clang")
        code = part(clang, "kmp.c", "kmp.bc", "-emit-llvm", "-fexceptions")
        own = part(clang, "self.c", "self.o")
        bitcode = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(code)]
        program = tmp_path / "program"
        compiled(clang, "-O2", "-fopenmp", *bitcode, PROGRAMS / source, own, *flags, "-o", program)
        return program

    return with_gcc if request.param == "gcc" else with_clang


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_no_call_where_nobody_else_wants_tasks(
    build_inlined: Build, counter: Path, preloads: str, provider: str
) -> None:
    program = build_inlined("fib_tasks.c", EXPORT)

    def calls(*words: str, **variables: str) -> int:
        preload = f"{counter}:{preloads}"
        return calls_of_fib(program, preload, *words, BOBBIN_PROVIDER=provider, **variables)

    # The first task of LLVM's program finds no block that is kept for it.
    assert calls() <= 1
    assert calls("final") <= 1
    assert calls("final", OMP_NUM_THREADS="4") <= 2
    every = {"OMP_NUM_THREADS": "2", "BOBBIN_TASK_POLICY": "creation=breadth-first"}
    assert calls(**every) == TASKS
    for threads in ("2", "4"):
        assert 0 < calls(OMP_NUM_THREADS=threads) <= TASKS


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_constructs_of_a_lone_thread(
    build_inlined: Build, construct_counter: Path, preloads: str, provider: str
) -> None:
    program = build_inlined("inlined_constructs.c", EXPORT)

    def calls(*preload: str | Path, threads: str) -> int:
        libraries = ":".join(str(library) for library in preload)
        result = run(
            program, LD_PRELOAD=libraries, OMP_NUM_THREADS=threads, BOBBIN_PROVIDER=provider
        )
        sum_of_all = 100 + int(threads) * 50 + 100 * 45
        assert f"sum {sum_of_all}\n" in result.stdout, result.stdout + result.stderr
        return counted_calls(result.stdout)

    # The first taskgroup finds no record. The first to enter a section looks for its lock, and what
    # was entered by a call is left by a call.
    assert calls(construct_counter, preloads, threads="1") <= 3
    assert calls(construct_counter, threads="1") >= 300
    for threads in ("2", "3"):
        calls(construct_counter, preloads, threads=threads)


def test_another_runtime_gets_every_task(build_inlined: Build, counter: Path) -> None:
    program = build_inlined("fib_tasks.c", EXPORT)
    assert calls_of_fib(program, counter, OMP_NUM_THREADS="2") == TASKS


def test_so_does_bobbin_without_the_export(
    build_inlined: Build, counter: Path, preloads: str
) -> None:
    program = build_inlined("fib_tasks.c")
    assert calls_of_fib(program, f"{counter}:{preloads}") == TASKS


def test_a_program_linked_with_bobbin_needs_no_export(
    build_inlined: Build, counter: Path, library: Path
) -> None:
    program = build_inlined("fib_tasks.c", library, f"-Wl,-rpath,{library.parent}")
    assert calls_of_fib(program, counter) <= 1
