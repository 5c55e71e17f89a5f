# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc` for a certain processor: gcc inlines functions only into code for the same one."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
from conftest import PROGRAMS, calls_of_fib, run

SOURCE = PROGRAMS / "fib_tasks.c"
# Processors that every x86-64 machine of CI can run, and one that does not matter.
TARGET = "-march=nocona"
OTHER = "-march=core2"

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="-march of x86-64")


def builds(*words: str | Path, **variables: str) -> None:
    result = run(*words, **variables)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.fixture
def calls_without_inlining(counter: Path, tmp_path: Path) -> int:
    program = tmp_path / "plain"
    builds("gcc", "-O2", "-fopenmp", SOURCE, "-o", program)
    calls = calls_of_fib(program, counter)
    assert calls > 20000
    return calls


@pytest.mark.parametrize("at_link", [[], [TARGET], [OTHER]])
@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_objects_tell_their_target(
    bobbin: Path,
    cache: dict[str, str],
    counter: Path,
    tmp_path: Path,
    level: str,
    at_link: list[str],
) -> None:
    fib, program = tmp_path / "fib.o", tmp_path / "fib"
    builds(bobbin, "cc", level, TARGET, "-fopenmp", "-c", SOURCE, "-o", fib, **cache)
    builds(bobbin, "cc", "-fopenmp", *at_link, fib, "-o", program, **cache)
    assert calls_of_fib(program, counter) <= 1


@pytest.mark.parametrize("archived", [False, True])
def test_objects_of_several_targets(
    bobbin: Path,
    cache: dict[str, str],
    counter: Path,
    calls_without_inlining: int,
    tmp_path: Path,
    archived: bool,
) -> None:
    fib, other, program = tmp_path / "fib.o", tmp_path / "other.o", tmp_path / "program"
    source = tmp_path / "other.c"
    source.write_text(
        "#include <omp.h>\nint other(void) {\n#pragma omp task\n  ;\n  return omp_in_final();\n}\n"
    )
    builds(bobbin, "cc", "-O2", TARGET, "-fopenmp", "-c", SOURCE, "-o", fib, **cache)
    builds(bobbin, "cc", "-O2", OTHER, "-fopenmp", "-c", source, "-o", other, **cache)
    linked = other
    if archived:
        linked = tmp_path / "libother.a"
        builds("ar", "rcs", linked, other)
    builds(bobbin, "cc", "-fopenmp", fib, "-Wl,-u,other", linked, "-o", program, **cache)
    # How much is inlined is gcc's choice.
    assert calls_of_fib(program, counter) <= calls_without_inlining


def test_source_and_object(
    bobbin: Path,
    cache: dict[str, str],
    counter: Path,
    calls_without_inlining: int,
    tmp_path: Path,
) -> None:
    other, program = tmp_path / "other.o", tmp_path / "program"
    source = tmp_path / "other.c"
    source.write_text("#include <omp.h>\nint other(void) { return omp_get_thread_num(); }\n")
    builds(bobbin, "cc", "-O2", TARGET, "-fopenmp", "-c", source, "-o", other, **cache)
    builds(bobbin, "cc", "-O2", TARGET, "-fopenmp", SOURCE, other, "-o", program, **cache)
    assert calls_of_fib(program, counter) <= 1
    builds(bobbin, "cc", "-O2", OTHER, "-fopenmp", SOURCE, other, "-o", program, **cache)
    assert calls_of_fib(program, counter) <= calls_without_inlining


def test_printed_flags_for_a_target(
    bobbin: Path, cache: dict[str, str], counter: Path, tmp_path: Path
) -> None:
    flags = run(bobbin, "cc", "--print-flags", "gcc", TARGET, **cache).stdout.split()
    program = tmp_path / "fib"
    builds("gcc", "-O2", TARGET, "-fopenmp", *flags, SOURCE, "-o", program)
    assert calls_of_fib(program, counter) <= 1
    refused = run(bobbin, "cc", "--print-flags", "gcc", "-O2", **cache)
    assert refused.returncode == 125
    assert refused.stderr.endswith("not: -O2\n")
