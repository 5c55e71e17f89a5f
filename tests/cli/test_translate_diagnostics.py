# SPDX-License-Identifier: Apache-2.0
"""What the translator tells of mistakes: with the user's lines, as Clang tells of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from conftest import build_directory, clean_environment, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

RANGES = """\
int f(int a, double *p) {
  int y = 0;
#pragma omp parallel for \\
    firstprivate(a) shared(q)
  for (int i = 0; i < 10; i++) y = p + "x";
  return y;
}
"""
RANGES_TOLD = """\
bad.c:4:28: error: use of undeclared identifier 'q'
    4 |     firstprivate(a) shared(q)
      |                            ^
bad.c:5:38: error: invalid operands to binary expression ('double *' and 'char[2]')
    5 |   for (int i = 0; i < 10; i++) y = p + "x";
      |                                    ~ ^ ~~~
2 errors generated.
"""
MACRO = """\
#define ADD(v) v += missing
int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp critical
    ADD(x);
  return x;
}
"""
MACRO_TOLD = """\
bad.c:6:5: error: use of undeclared identifier 'missing'
    6 |     ADD(x);
      |     ^~~
bad.c:1:21: note: expanded from macro 'ADD'
    1 | #define ADD(v) v += missing
      |                     ^~~~~~~
1 error generated.
"""
HEADER = """\
static void g(int x) {
#pragma omp parallel default(none)
  x++;
}
"""
HEADER_TOLD = """\
In file included from bad.c:2:
bad.h:3:3: error: variable 'x' must have explicitly specified data sharing attributes
    3 |   x++;
      |   ^
bad.h:2:30: note: explicit data sharing attribute requested here
    2 | #pragma omp parallel default(none)
      |                              ^~~~
1 error generated.
"""
MISPLACED = """\
void f(int x) {
#pragma omp parallel copyprivate(x)
  x++;
}
"""
MISPLACED_TOLD = """\
bad.c:2:22: error: 'copyprivate' does not belong on 'parallel'
    2 | #pragma omp parallel copyprivate(x)
      |                      ^~~~~~~~~~~
1 error generated.
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RANGES, RANGES_TOLD),
        (MACRO, MACRO_TOLD),
        ("\n#include \"bad.h\"\n", HEADER_TOLD),
        (MISPLACED, MISPLACED_TOLD),
    ],
    ids=["ranges", "macro", "header and note", "own message"],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_errors_read_as_clangs(
    bobbin: Path,
    text: str,
    told: str,
    compiler: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    (tmp_path / "bad.h").write_text(HEADER)
    (tmp_path / "bad.c").write_text(text)
    result = run(bobbin, "translate", f"--cc={name}", "bad.c", cwd=tmp_path)
    # clang's preprocessor writes "./bad.h"
    assert (result.returncode, result.stderr.replace("./bad.h", "bad.h")) == (1, told)


def test_standard_input_has_lines_too(bobbin: Path) -> None:
    result = subprocess.run(
        [bobbin, "translate", "-"],
        input=MISPLACED,
        text=True,
        env=clean_environment(),
        capture_output=True,
        check=False,
    )
    assert result.stderr == MISPLACED_TOLD.replace("bad.c", "<stdin>")


def test_colours_are_those_of_the_compilers_options(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(MISPLACED)
    for option in ("-fdiagnostics-color", "-fdiagnostics-color=always"):
        assert "\x1b[" in run(bobbin, "translate", "bad.c", "--", option, cwd=tmp_path).stderr
    for option in ("-O2", "-fno-diagnostics-color", "-fdiagnostics-color=auto"):
        result = run(bobbin, "translate", "bad.c", "--", option, cwd=tmp_path)
        assert result.stderr == MISPLACED_TOLD


GOOD = """\
int f(int x) {
#pragma omp parallel
  x++;
  return x;
}
"""
# Refuses what was translated, with the line that it claims to have.
REFUSING = """\
#!/bin/sh
case " $* " in
*cpp-output*) echo "good.c:2: error: no" >&2; exit 1 ;;
*) exec gcc "$@" ;;
esac
"""


def test_refused_translation_is_a_fault_of_ours(bobbin: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "refusing-gcc"
    compiler.write_text(REFUSING)
    compiler.chmod(0o755)
    (tmp_path / "good.c").write_text(GOOD)
    words = ("cc", "--translate", f"--cc={compiler}", "-fopenmp", "-c", "good.c")
    result = run(bobbin, *words, cwd=tmp_path)
    assert result.returncode == 1
    assert "a fault of Bobbin's, not of good.c: refusing-gcc takes that file" in result.stderr


def test_users_warning_is_no_fault_of_ours(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.c").write_text(GOOD.replace("return x;", "int unused;\n  return x;"))
    words = ("-fopenmp", "-Wall", "-Werror", "-c", "bad.c")
    result = run(bobbin, "cc", "--translate", *words, cwd=tmp_path)
    assert result.returncode == 1
    assert "unused" in result.stderr
    assert "fault" not in result.stderr


SINK = """\
void f(int n, int dead) {
#pragma omp parallel for ordered(2)
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      if (dead) {
#pragma omp ordered depend(sink : i, j)
      }
#pragma omp ordered depend(source)
    }
}
"""


def test_sink_that_leads_nowhere_is_a_warning(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "sink.c").write_text(SINK)
    result = run(bobbin, "cc", "--translate", "-fopenmp", "-c", "sink.c", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith("sink.c: In function"), result.stderr
    assert "sink.c:7:" in result.stderr
    assert "does not come before the current one, so it is not waited for" in result.stderr
