# SPDX-License-Identifier: Apache-2.0
"""bobbin translate: which files it takes, and how its output is linked."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

FORTRAN = "program p\n!$omp parallel\nprint *, 1\n!$omp end parallel\nend program\n"
C = """\
#include <stdio.h>
int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads += 1;
  printf("%d\\n", threads);
}
"""
FOREIGN = [
    ("p.f90", "Fortran", "bobbin fc"),
    ("p.F", "Fortran", "bobbin fc"),
    ("p.f", "Fortran", "bobbin fc"),
    ("p.cpp", "C++", "bobbin c++"),
    ("p.cc", "C++", "bobbin c++"),
    ("p.C", "C++", "bobbin c++"),
    ("p.mm", "Objective-C", "its compiler"),
    ("p.cu", "CUDA or HIP", "its compiler"),
]


@pytest.mark.parametrize(("name", "language", "command"), FOREIGN)
def test_what_is_not_c_is_refused(
    bobbin: Path, tmp_path: Path, name: str, language: str, command: str
) -> None:
    (tmp_path / name).write_text(FORTRAN if language == "Fortran" else C)
    for words in (("translate", name), ("cc", "--translate", "-fopenmp", "-c", name)):
        result = run(bobbin, *words, cwd=tmp_path)
        assert result.returncode == 125
        assert f"{name} is {language}" in result.stderr
        assert command in result.stderr
        assert result.stdout == ""


def test_a_language_that_is_named_counts(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "p.cpp").write_text(C)
    (tmp_path / "p.c").write_text(C)
    (tmp_path / "p.inc").write_text(C)
    for words in (("p.cpp", "--", "-x", "c"), ("p.cpp", "--", "-xc"), ("p.c",), ("p.inc",)):
        result = run(bobbin, "translate", *words, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        assert "bobbin_omp_parallel" in result.stdout
    assert run(bobbin, "translate", "p.c", "--", "-x", "c++", cwd=tmp_path).returncode == 125
    compile_as = (bobbin, "cc", "--translate", "-fopenmp")
    built = run(*compile_as, "-x", "c", "p.cpp", "-o", "p", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "p").stdout == "3\n"
    assert run(*compile_as, "-x", "c++", "p.c", "-c", cwd=tmp_path).returncode == 125


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_output_is_linked_by_the_flags(
    bobbin: Path, tmp_path: Path, compiler: str, clang: str
) -> None:
    (tmp_path / "p.c").write_text(C)
    native = clang if compiler == "clang" else compiler
    translated = run(bobbin, "translate", f"--cc={native}", "p.c", "-o", "out.c", cwd=tmp_path)
    assert translated.returncode == 0, translated.stderr
    flags = run(bobbin, "--link-flags").stdout.split()
    if native == clang:
        flags.remove("-fopenmp")  # it may have no libomp
    built = run(native, "out.c", *flags, "-o", "p", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert run(tmp_path / "p").stdout == "3\n"


def test_help_tells_how_the_output_is_compiled(bobbin: Path) -> None:
    assert "$(bobbin --link-flags)" in run(bobbin, "translate", "--help").stdout
