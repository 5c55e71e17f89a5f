# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc`, `bobbin c++`, `bobbin fc`: compilers that inline tasks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS, calls_of_fib, clean_environment, run

SOURCE = PROGRAMS / "fib_tasks.c"


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    return f"--cc={'gcc' if request.param == 'gcc' else request.getfixturevalue('clang')}"


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
    assert calls_of_fib(program, counter) <= 1


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
    assert calls_of_fib(program, counter) <= 1


def test_printed_flags_do_the_same(
    bobbin: Path, compiler: str, cache: dict[str, str], counter: Path, tmp_path: Path
) -> None:
    flags = run(bobbin, "cc", compiler, "--print-flags", **cache).stdout.split()
    program = tmp_path / "fib"
    result = run(compiler.removeprefix("--cc="), "-O2", "-fopenmp", SOURCE, *flags, "-o", program)
    assert (result.returncode, result.stderr) == (0, "")
    assert calls_of_fib(program, counter) <= 1


def test_options_beside_printed_flags(bobbin: Path, cache: dict[str, str]) -> None:
    flags = run(bobbin, "cc", "--print-flags", "gcc", **cache).stdout
    assert "-Wl,-rpath," in flags
    for words in (("--any-runtime", "--print-flags"), ("--print-flags", "gcc", "--any-runtime")):
        result = run(bobbin, "cc", *words, **cache)
        assert (result.returncode, result.stdout) == (
            0,
            flags[: flags.index(" -Wl,-rpath,")] + "\n",
        )
    refused = run(bobbin, "cc", "--print-flags", "gcc", "-static", **cache)
    assert (refused.returncode, refused.stdout, refused.stderr) == (
        125,
        "",
        "bobbin cc: --print-flags is told only a processor (-m...), not: -static\n",
    )


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
    assert calls_of_fib(program, counter) == 21891
    assert calls_of_fib(program, f"{counter}:{preloads}") <= 1


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
    command = (bobbin, "cc", compiler, "--show", "-E", SOURCE, "-o", tmp_path / "fib.i")
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


def wrapper(path: Path, true: str, script: str) -> Path:
    """A compiler that fails where the script does."""
    path.write_text(f'#!/bin/sh\n{script}\nexec {true} "$@"\n')
    path.chmod(0o755)
    return path


# What a compiler lacks, and what it says then.
LACKS = {
    "gcc": (
        "for word; do case $word in -flto*) lto=1 ;; -fno-lto) lto= ;; esac; done\n"
        '[ -z "$lto" ] || { echo "gcc: fatal error: no liblto_plugin.so" >&2; exit 1; }',
        "it does not compile gomp.c: gcc: fatal error: no liblto_plugin.so",
    ),
    "clang": (
        'case "$*" in *-mlink-builtin-bitcode*)\n'
        "  echo In file included from somewhere: >&2\n"
        "  echo \"error: Unknown attribute kind (Producer: 'LLVM20')\" >&2\n"
        "  exit 1 ;;\nesac",
        "it cannot build a program with inlined tasks: "
        "error: Unknown attribute kind (Producer: 'LLVM20')",
    ),
}


def test_what_the_compiler_lacks_is_said_once(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    true = compiler.removeprefix("--cc=")
    script, why = LACKS["gcc" if true == "gcc" else "clang"]
    old = wrapper(tmp_path / "old", true, script)
    program = tmp_path / "fib"
    result = run(
        bobbin, "cc", f"--cc={old}", "-fopenmp", SOURCE, SOURCE, "-c", cwd=tmp_path, **cache
    )
    assert result.stderr == f"bobbin cc: tasks are not inlined by {old}: {why}\n"
    assert result.returncode == 0
    assert (
        run(bobbin, "cc", f"--cc={old}", "-fopenmp", SOURCE, "-o", program, **cache).returncode == 0
    )
    assert run(program).stdout == "fib 6765\n"
    assert folders(cache) == []


def test_flang_needs_the_clang_beside_it(
    bobbin: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    flang = wrapper(tmp_path / "flang", "true", "[ $1 = --version ] && echo flang 99")
    result = run(bobbin, "fc", f"--cc={flang}", "-fopenmp", "a.f90", **cache)
    assert (
        result.stderr
        == f"bobbin fc: tasks are not inlined by {flang}: there is no {tmp_path}/clang\n"
    )
    assert result.returncode == 0


def test_parts_that_are_not_installed(
    bobbin: Path, build: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    own = tmp_path / "own"
    (own / "bin").mkdir(parents=True)
    shutil.copy(bobbin, own / "bin")
    shutil.copytree(build / "lib", own / "lib", symlinks=True)
    command = (own / "bin/bobbin", "cc", "-fopenmp", SOURCE, "-o", tmp_path / "fib")
    sources = own / "include/bobbin/inline"
    without_sources = run(*command, **cache)
    assert without_sources.stderr == (
        f"bobbin cc: tasks are not inlined by gcc: there is no {sources}/gomp.c\n"
    )
    (own / "lib/libbobbin.so.1").unlink()
    without_library = run(*command, **cache)
    assert without_library.stderr.endswith("the installation is incomplete\n")
    assert without_library.stderr.count("\n") == 1
    assert (without_sources.returncode, without_library.returncode) == (0, 0)
    assert run(tmp_path / "fib").stdout == "fib 6765\n"
    assert run(own / "bin/bobbin", "cc", "--print-flags", **cache).returncode == 125


def test_a_cache_that_lost_files_is_filled_again(
    bobbin: Path, compiler: str, cache: dict[str, str], tmp_path: Path
) -> None:
    command = (bobbin, "cc", compiler, "-fopenmp", SOURCE, "-o", tmp_path / "fib")
    assert run(*command, **cache).returncode == 0
    (folder,) = folders(cache)
    (folder / "self.o").unlink()
    result = run(*command, **cache)
    assert (result.returncode, result.stderr) == (0, "")
    assert folders(cache) == [folder]
