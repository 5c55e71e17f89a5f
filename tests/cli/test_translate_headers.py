# SPDX-License-Identifier: Apache-2.0
"""What `bobbin translate` makes of headers: #include lines, unless it has translated them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

PROGRAMS = sorted((Path(__file__).parent / "translate/read").glob("*.c"))
SUM = """\
#define _GNU_SOURCE 1
#include "own.h"
#include <omp.h>
#include <stdio.h>
#ifdef TWICE
#define WORDS <string.h>
#include WORDS
#endif

int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < LAST; i++) sum += i;
  printf("%ld %ld %d\\n", sum, own(3), omp_get_max_threads());
}
"""
OWN = """\
#define LAST 10
static long own(long n) { return n + 1; }
"""
PARALLEL = """\
#define LAST 10
static long own(long n) {
  long sum = 0;
#pragma omp parallel reduction(max : sum)
  sum = n + 1;
  return sum;
}
"""
NEEDED = """\
#define LAST SIZE
static long own(long n) { return n + SIZE - 9; }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "sum.c").write_text(SUM)
    (tmp_path / "own.h").write_text(OWN)
    return tmp_path


def translate(bobbin: Path, folder: Path, *words: str) -> tuple[str, str]:
    result = run(bobbin, "translate", "--no-line-markers", "sum.c", "-o", "out.c", *words, cwd=folder)
    assert result.returncode == 0, result.stderr
    flags = run(bobbin, "--link-flags").stdout.split()
    built = run("gcc", "-Wall", "-Werror", "-Ielsewhere", "out.c", *flags, "-o", "sum", cwd=folder)
    assert (built.returncode, built.stderr) == (0, "")
    assert run(folder / "sum", OMP_NUM_THREADS="2").stdout == "45 4 2\n"
    return (folder / "out.c").read_text(), result.stderr


def test_lines_stay(bobbin: Path, program: Path) -> None:
    text, _ = translate(bobbin, program)
    head = "#include <bobbin/native_inline.h>\n\n#define _GNU_SOURCE 1\n"
    assert text.startswith(head + '#include "own.h"\n#include <omp.h>\n#include <stdio.h>\n\n')
    assert len(text.splitlines()) < 60


def test_computed_name(bobbin: Path, program: Path) -> None:
    text, _ = translate(bobbin, program, "--", "-DTWICE")
    assert '#include "/usr/include/string.h"\n' in text


def test_self_contained(bobbin: Path, program: Path) -> None:
    text, _ = translate(bobbin, program, "--self-contained")
    assert "#include" not in text
    assert "extern int printf" in text


def test_translated_header_stays_as_text(bobbin: Path, program: Path) -> None:
    (program / "own.h").write_text(PARALLEL)
    text, _ = translate(bobbin, program)
    assert '#include "own.h"' not in text
    assert "own_parallel_4(void *" in text
    assert "#include <stdio.h>\n" in text


def test_headers_of_a_translated_header_stay(bobbin: Path, program: Path) -> None:
    """One is in the folder of the header that includes it, one in a folder that an option names."""
    for folder in ("sub", "elsewhere"):
        (program / folder).mkdir()
    (program / "own.h").write_text('#include "sub/own.h"\n')
    head = '#define _ISOC99_SOURCE 1\n#include <stdlib.h>\n#include "beside.h"\n#include "other.h"\n'
    (program / "sub/own.h").write_text(head + PARALLEL)
    (program / "sub/beside.h").write_text("static inline int beside(void) { return 0; }\n")
    (program / "elsewhere/other.h").write_text("static inline int other(void) { return 0; }\n")
    text, told = translate(bobbin, program, "--", "-Ielsewhere")
    assert told == ""
    names = [line.split()[1] for line in text.splitlines() if line.startswith("#include")]
    assert names == [
        "<bobbin/native_inline.h>", "<stdlib.h>", '"sub/beside.h"', '"other.h"', "<omp.h>", "<stdio.h>",
    ]  # fmt: skip
    assert "#define _ISOC99_SOURCE 1\n#include <stdlib.h>\n" in text
    assert "own_parallel_8(void *" in text


def test_macro_of_the_program(bobbin: Path, program: Path) -> None:
    """The header would read differently without it, so the text of all stays."""
    (program / "own.h").write_text(NEEDED)
    (program / "sum.c").write_text("#define SIZE 10\n" + SUM)
    text, told = translate(bobbin, program)
    assert "#include" not in text
    assert "the text of the headers stays" in told


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_text_is_as_reviewed(bobbin: Path, source: Path, tmp_path: Path) -> None:
    shutil.copy(source, tmp_path)
    result = run(bobbin, "translate", "--no-line-markers", source.name, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == source.with_suffix(".expected").read_text()


@pytest.mark.parametrize("turned", [False, True], ids=["gcc_to_clang", "clang_to_gcc"])
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_other_compiler_takes_it(
    bobbin: Path, source: Path, clang: str, turned: bool, tmp_path: Path
) -> None:
    by, other = (clang, "gcc") if turned else ("gcc", clang)
    out = tmp_path / "out.c"
    translated = run(bobbin, "translate", f"--cc={by}", source, "-o", out)
    assert (translated.returncode, translated.stderr) == (0, "")
    flags = run(bobbin, "--link-flags").stdout.split()
    built = run(other, "-O2", "-Wall", "-Werror", out, *flags, "-lm", "-o", tmp_path / "program")
    assert (built.returncode, built.stderr) == (0, "")
    own = run("gcc", "-O2", source, "-lm", "-o", tmp_path / "serial")
    assert own.returncode == 0, own.stderr
    expected = run(tmp_path / "serial").stdout
    assert run(tmp_path / "program", OMP_NUM_THREADS="2").stdout == expected


def test_data_that_the_statement_names(bobbin: Path, tmp_path: Path) -> None:
    body = "void copied(int n) {\n  int a[4] = {n};\n#pragma omp task firstprivate(a)\n  a[1] = 2;\n}\n"
    (tmp_path / "copied.c").write_text(body)
    result = run(bobbin, "translate", "--no-line-markers", "copied.c", cwd=tmp_path)
    data = "  struct copied_task_3_data *data = argument;\n  data->a[1] = 2;\n}\n"
    assert data in result.stdout


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_newer_names_of_omp_h(
    bobbin: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    source = tmp_path / "newer.c"
    shutil.copy(Path(__file__).parent / "programs/newer_omp_h.c", source)
    words = ("--translate", f"--cc={name}", "-Wall", "-fopenmp", "newer.c", "-o", "newer")
    built = run(bobbin, "cc", *words, cwd=tmp_path)
    assert (built.returncode, built.stderr) == (0, "")
    assert run(tmp_path / "newer").stdout == "1 1 1 0 1 0 1 1\n"
    # The output of `bobbin translate` finds them, too.
    translated = run(bobbin, "translate", f"--cc={name}", "newer.c", "-o", "out.c", cwd=tmp_path)
    assert (translated.returncode, translated.stderr) == (0, "")
    if compiler == "gcc":  # that of clang has directives
        assert "#include <omp.h>" in (tmp_path / "out.c").read_text()
    flags = run(bobbin, "--link-flags").stdout.split()
    headers = flags[: flags.index("-fopenmp")]
    built = run(name, "-Wall", *headers, "-c", "out.c", cwd=tmp_path)
    assert (built.returncode, built.stderr) == (0, "")
    linked = run(
        bobbin, "cc", "--translate", f"--cc={name}", "out.o", "-o", "out", cwd=tmp_path
    )
    assert linked.stderr == ""
    assert run(tmp_path / "out").stdout == "1 1 1 0 1 0 1 1\n"
