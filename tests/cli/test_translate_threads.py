# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc --translate --threads=posix`: translated programs that run without Bobbin."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from conftest import FIB_FUNCTION, PROGRAMS, build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "lib/libbobbin-posix.a").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

ROOT = Path(__file__).parents[2]
INCLUDES = """\
#include <omp.h>
#include <stdio.h>
"""
MAIN = """\
int main(void) {
  int result = 0, sum = 0, team = 0;
#pragma omp parallel
  {
#pragma omp single
    result = fib(15);
#pragma omp for reduction(+: sum) schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) sum += i;
    if (omp_get_thread_num() == 0) team = omp_get_num_threads();
  }
  printf("%d %d %d\\n", result, sum, team);
}
"""
PROGRAM = INCLUDES + FIB_FUNCTION + MAIN
PRINTED = "610 4950 3\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "program.c").write_text(PROGRAM)
    return tmp_path / "program.c"


def translate(bobbin: Path, *words: str | Path) -> None:
    built = run(bobbin, "cc", "--translate", "--threads=posix", *words)
    assert (built.returncode, built.stderr) == (0, "")


def test_each_function_is_defined_once() -> None:
    library = build_directory() / "lib/libbobbin-posix.a"
    listed = run("nm", "--defined-only", "--extern-only", "--format=posix", library).stdout
    names = [
        line.split()[0]
        for line in listed.splitlines()
        if line.split()[1:2] in (["T"], ["B"], ["D"])
    ]
    assert "bobbin_omp_taskgraph_begin" in names
    assert len(names) == len(set(names))
    # All other names are the program's.
    assert {name for name in names if not name.startswith(("omp_", "bobbin_"))} == set()


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("kind", ["-pie", "-static"])
def test_runs_without_bobbin(
    bobbin: Path, source: Path, compiler: str, kind: str, request: pytest.FixtureRequest
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    program = source.with_suffix("")
    words = ("-Wall", "-Werror", "-O2", "-fopenmp", "-fPIE", kind, source, "-o", program)
    translate(bobbin, f"--cc={name}", *words)
    libraries = run("ldd", program)
    assert "libbobbin" not in libraries.stdout
    assert "libgomp" not in libraries.stdout
    assert (libraries.returncode == 0) == (kind == "-pie"), libraries.stdout
    assert run(program, OMP_NUM_THREADS="3").stdout == PRINTED


def test_library_is_chosen_at_link_time(bobbin: Path, source: Path) -> None:
    """One object, with either library."""
    object_file = source.with_suffix(".o")
    program = source.with_suffix("")
    translate(bobbin, "-O2", "-fopenmp", "-c", source, "-o", object_file)
    for threads, is_bobbin in (("--threads=posix",), False), ((), True):
        built = run(bobbin, "cc", "--translate", *threads, "-fopenmp", object_file, "-o", program)
        assert built.returncode == 0, built.stderr
        assert ("libbobbin" in run("ldd", program).stdout) == is_bobbin
        assert run(program, OMP_NUM_THREADS="3").stdout == PRINTED


def test_other_c_library(bobbin: Path, source: Path) -> None:
    if shutil.which("musl-gcc") is None:
        pytest.skip("no musl-gcc (Debian: musl-tools)")
    folder = source.parent
    made = run("make", "-f", ROOT / "posix/Makefile", "CC=musl-gcc", cwd=folder)
    assert made.returncode == 0, made.stderr
    program = source.with_suffix("")
    for kind in ("-static", "-O1"):
        words = (f"-L{folder}", "-O2", "-fopenmp", kind, source, "-o", program)
        translate(bobbin, "--cc=musl-gcc", *words)
        symbols = run("nm", "-a", program).stdout
        assert "GLIBC" not in symbols
        assert run(program, OMP_NUM_THREADS="3").stdout == PRINTED


def test_allocated_variables_are_freed(bobbin: Path, tmp_path: Path) -> None:
    """Whichever way their scope is left."""
    program = tmp_path / "allocated"
    words = ("-fsanitize=address", "-O1", "-g", "-fopenmp", PROGRAMS / "allocated.c")
    translate(bobbin, *words, "-o", program)
    result = run(program, ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=0")
    assert (result.returncode, result.stdout, result.stderr) == (0, "passed\n", "")


def test_installed(source: Path, tmp_path: Path) -> None:
    """The library is found, and so are the header and the sources by its Makefile."""
    root = tmp_path / "prefix"
    for component in ("library", "development", "command", "translator"):
        installed = run(
            *("cmake", "--install", build_directory(), "--prefix", root, "--component", component)
        )
        assert installed.returncode == 0, installed.stderr
    program = source.with_suffix("")
    words = ("-O2", "-fopenmp", source, "-o", program)
    translate(root / "bin/bobbin", *words)
    assert run(program, OMP_NUM_THREADS="3").stdout == PRINTED
    made = run("make", "-f", root / "share/bobbin/posix/Makefile", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    next(root.rglob("libbobbin-posix.a")).unlink()
    translate(root / "bin/bobbin", f"-L{tmp_path}", *words)
    assert run(program, OMP_NUM_THREADS="3").stdout == PRINTED


def test_no_data_races(bobbin: Path, tmp_path: Path) -> None:
    flags = "-fsanitize=thread -O1 -g"
    made = run("make", "-f", ROOT / "posix/Makefile", f"CFLAGS={flags}", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    for name in ("task_depend", "for_ordered", "barrier"):
        source = ROOT / f"tests/omp/c/{name}.c"
        words = (f"-L{tmp_path}", *flags.split(), f"-I{source.parents[1]}", "-fopenmp")
        translate(bobbin, *words, source, "-o", tmp_path / name, "-lm")
        result = run(tmp_path / name, OMP_NUM_THREADS="3")
        assert (result.returncode, result.stderr) == (0, ""), name


def test_words(bobbin: Path, source: Path) -> None:
    for words in ("--threads=posix",), ("--translate", "--threads=mach"):
        result = run(bobbin, "cc", *words, "-fopenmp", source)
        assert result.returncode == 125
        assert "--threads=posix, and goes with --translate" in result.stderr


# The time is linear in the depth: 400 levels took more than a minute when each wait looked at all tasks.
@pytest.mark.parametrize("threads", ["1", "2", "4"])
def test_deep_trees_of_tasks(bobbin: Path, tmp_path: Path, threads: str) -> None:
    program = tmp_path / "deep"
    words = ("--threads=posix", "-O2", "-fopenmp", PROGRAMS / "deep_tasks.c", "-o", program)
    assert run(bobbin, "cc", "--translate", *words).returncode == 0
    begin = time.monotonic()
    ran = run(program, "600", OMP_NUM_THREADS=threads)
    assert (ran.returncode, ran.stdout) == (0, "84000\n")
    assert time.monotonic() - begin < 20


def test_thread_limit_of_target_holds_for_teams(bobbin: Path, tmp_path: Path) -> None:
    program = tmp_path / "limited"
    words = ("--threads=posix", "-fopenmp", PROGRAMS / "limited_teams.c", "-o", program)
    assert run(bobbin, "cc", "--translate", *words).returncode == 0
    assert run(program, OMP_NUM_THREADS="8").stdout == "teams 2, parallel 2\n"
