# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc`, `bobbin c++`, `bobbin fc`: compilers that inline tasks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS, Compile, clean_environment, run

SOURCE = PROGRAMS / "fib_tasks.c"


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def counter(compile_c: Compile) -> Path:
    return compile_c(
        "task_calls_counter.c", "-D_GNU_SOURCE", "-shared", "-fPIC", "-ldl", name="counter.so"
    )


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    return f"--cc={'gcc' if request.param == 'gcc' else request.getfixturevalue('clang')}"


def calls(program: Path, counter: Path, **variables: str) -> int:
    result = run(program, LD_PRELOAD=str(counter), OMP_NUM_THREADS="1", **variables)
    assert result.stdout.startswith("fib 6765\ncalls "), result.stdout + result.stderr
    return int(result.stdout.split()[-1])


def folders(cache: dict[str, str]) -> list[Path]:
    return list((Path(cache["XDG_CACHE_HOME"]) / "bobbin/inline").iterdir())


def test_compile_and_link_in_one(
    bobbin: Path, compiler: str, cache: dict[str, str], counter: Path, tmp_path: Path
) -> None:
    program = tmp_path / "fib"
    command = (bobbin, "cc", compiler, "-O2", "-fopenmp", SOURCE, "-o", program)
    for _ in range(2):  # the second time from the cache
        result = run(*command, **cache)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        assert len(folders(cache)) == 1
    assert calls(program, counter) <= 1


def test_compile_then_link(
    bobbin: Path, compiler: str, cache: dict[str, str], counter: Path, tmp_path: Path
) -> None:
    object_file, program = tmp_path / "fib.o", tmp_path / "fib"
    words = tmp_path / "words"
    words.write_text(f"-O2 -fopenmp -c {SOURCE}\n")
    result = run(bobbin, "cc", compiler, f"@{words}", "-o", object_file, **cache)
    assert (result.returncode, result.stderr) == (0, "")
    result = run(bobbin, "cc", compiler, "-fopenmp", object_file, "-o", program, **cache)
    assert (result.returncode, result.stderr) == (0, "")
    assert calls(program, counter) <= 1


def test_printed_flags_do_the_same(
    bobbin: Path, compiler: str, cache: dict[str, str], counter: Path, tmp_path: Path
) -> None:
    flags = run(bobbin, "cc", compiler, "--print-flags", **cache).stdout.split()
    program = tmp_path / "fib"
    result = run(compiler.removeprefix("--cc="), "-O2", "-fopenmp", SOURCE, *flags, "-o", program)
    assert (result.returncode, result.stderr) == (0, "")
    assert calls(program, counter) <= 1


def test_for_any_runtime(
    bobbin: Path,
    compiler: str,
    cache: dict[str, str],
    counter: Path,
    preloads: str,
    tmp_path: Path,
) -> None:
    program = tmp_path / "fib"
    command = (bobbin, "cc", compiler, "--any-runtime", "-O2", "-fopenmp", SOURCE, "-o", program)
    assert run(*command, **cache).returncode == 0
    assert calls(program, counter) == 21891
    result = run(program, LD_PRELOAD=f"{counter}:{preloads}", OMP_NUM_THREADS="1")
    assert int(result.stdout.split()[-1]) <= 1


def test_processes_share_a_cache(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    several = [
        subprocess.Popen(
            [bobbin, "cc", compiler, "-fopenmp", SOURCE, "-o", tmp_path / f"fib{number}"],
            env=clean_environment() | cache,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    assert [process.communicate()[1] for process in several] == [b""] * 4
    assert [process.returncode for process in several] == [0] * 4
    assert len(folders(cache)) == 1


def test_without_openmp_nothing_is_added(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    command = (bobbin, "cc", compiler, "--verbose", "-E", SOURCE, "-o", tmp_path / "fib.i")
    result = run(*command, **cache)
    assert result.returncode == 0
    path = shutil.which(compiler.removeprefix("--cc="))
    assert result.stderr == f"{path} -E {SOURCE} -o {tmp_path / 'fib.i'}\n"
    assert not Path(cache["XDG_CACHE_HOME"]).exists()


def test_what_cannot_be_inlined_is_built_without(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    name = compiler.removeprefix("--cc=")
    program = tmp_path / "fib"
    command = (bobbin, "cc", compiler, "-fopenmp", SOURCE, "-o", program)
    result = run(*command, XDG_CACHE_HOME="/proc")
    assert result.stderr == (
        f"bobbin cc: tasks are not inlined by {name}: cannot write to /proc/bobbin/inline\n"
    )
    assert result.returncode == 0
    assert run(program).stdout == "fib 6765\n"
    result = run(*command, "-fsanitize=undefined", "-c", "-o", tmp_path / "fib.o", **cache)
    assert result.stderr == (
        f"bobbin cc: tasks are not inlined by {name}: with -fsanitize=undefined\n"
    )
    assert result.returncode == 0


def test_an_unknown_compiler_is_passed_the_words(
    bobbin: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    odd = tmp_path / "oddcc"
    odd.write_text('#!/bin/sh\necho "odd $*"\n')
    odd.chmod(0o755)
    result = run(bobbin, "cc", f"--cc={odd}", "-fopenmp", "-c", "a.c", **cache)
    assert result.stdout == "odd -fopenmp -c a.c\n"
    assert result.stderr == (
        f"bobbin cc: tasks are not inlined by {odd}: it is none of gcc, clang and flang\n"
    )
    missing = run(bobbin, "cc", "--cc=no-such-compiler", "a.c")
    assert (missing.returncode, missing.stderr) == (
        127,
        "bobbin cc: no-such-compiler is not in PATH\n",
    )


def test_the_compilers_status_is_the_commands(bobbin: Path, cache: dict[str, str]) -> None:
    assert run(bobbin, "cc", "-fopenmp", "no-such-file.c", **cache).returncode == 1
