# SPDX-License-Identifier: Apache-2.0
"""Build systems whose C compiler is `bobbin cc --translate`: what they link has no -fopenmp."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import build_directory, clean_environment, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

SUM = """\
#include <stdio.h>
int main(void) {
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 100; i++) s += i;
  printf("%d\\n", s);
}
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.20)
project(sum C)
find_package(OpenMP REQUIRED)
add_executable(sum sum.c)
target_link_libraries(sum PRIVATE OpenMP::OpenMP_C)
"""
MESON = """\
project('sum', 'c')
executable('sum', 'sum.c', dependencies : dependency('openmp'))
"""
AUTOCONF = """\
AC_INIT([sum], [1])
AC_PROG_CC
AC_OPENMP
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""
MAKEFILE = """\
sum: sum.o
\t@CC@ -o $@ sum.o @LIBS@
sum.o: sum.c
\t@CC@ @OPENMP_CFLAGS@ -c -o $@ sum.c
"""


@pytest.fixture
def project(bobbin: Path, tmp_path: Path) -> Path:
    (tmp_path / "sum.c").write_text(SUM)
    return tmp_path


def build(bobbin: Path, folder: Path, *commands: tuple[str, ...]) -> None:
    if shutil.which(commands[0][0]) is None:
        pytest.skip(f"no {commands[0][0]}")
    variables = clean_environment() | {"CC": f"{bobbin} cc --translate"}
    for command in commands:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_cmake(bobbin: Path, project: Path) -> None:
    (project / "CMakeLists.txt").write_text(CMAKE)
    build(bobbin, project, ("cmake", "-B", "build"), ("cmake", "--build", "build"))
    assert run(project / "build/sum").stdout == "4950\n"


def test_meson(bobbin: Path, project: Path) -> None:
    (project / "meson.build").write_text(MESON)
    build(bobbin, project, ("meson", "setup", "build"), ("meson", "compile", "-C", "build"))
    assert run(project / "build/sum").stdout == "4950\n"


def test_autoconf(bobbin: Path, project: Path) -> None:
    (project / "configure.ac").write_text(AUTOCONF)
    (project / "Makefile.in").write_text(MAKEFILE)
    build(bobbin, project, ("autoconf",), ("./configure",), ("make",))
    assert run(project / "sum").stdout == "4950\n"


@pytest.mark.parametrize("words", [("--translate",), ("--translate", "-lgomp"), ()])
def test_objects_are_linked_later(bobbin: Path, project: Path, words: tuple[str, ...]) -> None:
    compiled = run(bobbin, "cc", "--translate", "-fopenmp", "-c", "sum.c", cwd=project)
    assert compiled.returncode == 0
    options = [word for word in words if word.startswith("--")]
    rest = [word for word in words if not word.startswith("--")]
    linked = run(bobbin, "cc", *options, "sum.o", *rest, "-o", "sum", cwd=project)
    assert (linked.returncode, linked.stderr) == (0, "")
    assert run(project / "sum").stdout == "4950\n"
    assert "libbobbin" in run("ldd", project / "sum").stdout


def test_static_program_is_told_of_posix_threads(bobbin: Path, project: Path) -> None:
    done = run(bobbin, "cc", "--translate", "-fopenmp", "-static", "sum.c", cwd=project)
    assert done.returncode != 0
    assert "--threads=posix links what is translated statically" in done.stderr
