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
FOUND = """\
sum: sum.c
\t"$$(which $(CC))" -fopenmp -o $@ sum.c
"""
LIBTOOL = """\
AC_INIT([sum], [1])
AC_CONFIG_AUX_DIR([.])
AC_PROG_CC
AC_OPENMP
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""
LIBTOOL_MAKEFILE = """\
LT = ./libtool --tag=CC
main: libsum.la main.lo
\t$(LT) --mode=link @CC@ -o $@ main.lo libsum.la
libsum.la: sum.lo
\t$(LT) --mode=link @CC@ @OPENMP_CFLAGS@ -rpath /usr/lib -o $@ sum.lo
%.lo: %.c
\t$(LT) --mode=compile @CC@ @OPENMP_CFLAGS@ -c -o $@ $<
"""


@pytest.fixture
def project(bobbin: Path, tmp_path: Path) -> Path:
    (tmp_path / "sum.c").write_text(SUM)
    return tmp_path


# As several words, and as the one that some build systems want.
COMPILERS = ("bobbin cc --translate", "bobbin-translate-cc")


def build(
    bobbin: Path, folder: Path, *commands: tuple[str, ...], compiler: str = COMPILERS[0]
) -> None:
    for tool in {command[0] for command in commands if not command[0].startswith("./")}:
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}")
    variables = clean_environment() | {"CC": f"{bobbin.parent}/{compiler}"}
    for command in commands:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_cmake(bobbin: Path, project: Path, compiler: str) -> None:
    (project / "CMakeLists.txt").write_text(CMAKE)
    commands = (("cmake", "-B", "build"), ("cmake", "--build", "build"))
    build(bobbin, project, *commands, compiler=compiler)
    assert run(project / "build/sum").stdout == "4950\n"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_meson(bobbin: Path, project: Path, compiler: str) -> None:
    (project / "meson.build").write_text(MESON)
    commands = (("meson", "setup", "build"), ("meson", "compile", "-C", "build"))
    build(bobbin, project, *commands, compiler=compiler)
    assert run(project / "build/sum").stdout == "4950\n"


@pytest.mark.parametrize("compiler", COMPILERS)
def test_autoconf(bobbin: Path, project: Path, compiler: str) -> None:
    (project / "configure.ac").write_text(AUTOCONF)
    (project / "Makefile.in").write_text(MAKEFILE)
    build(bobbin, project, ("autoconf",), ("./configure",), ("make",), compiler=compiler)
    assert run(project / "sum").stdout == "4950\n"


def test_makefile_that_looks_for_its_compiler(bobbin: Path, project: Path) -> None:
    (project / "Makefile").write_text(FOUND)
    build(bobbin, project, ("make",), compiler="bobbin-translate-cc")
    assert run(project / "sum").stdout == "4950\n"


def test_libtool(bobbin: Path, project: Path) -> None:
    (project / "sum.c").write_text(SUM.replace("main", "sum"))
    (project / "main.c").write_text("int sum(void); int main(void) { sum(); }")
    (project / "configure.ac").write_text(LIBTOOL)
    (project / "Makefile.in").write_text(LIBTOOL_MAKEFILE)
    commands = (("libtoolize", "-i"), ("aclocal",), ("autoconf",), ("./configure",), ("make",))
    build(bobbin, project, *commands, compiler="bobbin-translate-cc")
    assert run(project / "main").stdout == "4950\n"


@pytest.mark.parametrize(
    ("name", "command"),
    [("bobbin-cc", "cc"), ("bobbin-c++", "c++"), ("bobbin-fc", "fc")],
)
def test_one_word_is_the_command(bobbin: Path, name: str, command: str) -> None:
    assert run(bobbin.parent / name, "--help").stdout == run(bobbin, command, "--help").stdout


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
