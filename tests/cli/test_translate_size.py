# SPDX-License-Identifier: Apache-2.0
"""Large inputs of `bobbin translate`: its time is linear in their size."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from conftest import build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

PATIENCE_S = (
    8  # of processor time; each of these took more than twice as long when it was not linear
)

CHOOSING = """\
#pragma omp metadirective when(user={{condition({condition})}}: parallel for) otherwise(nothing)
  for (int i = 0; i < n; i++) a[i] += {number};
"""


def processor_time() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def test_regions(bobbin: Path, tmp_path: Path) -> None:
    region = '_Pragma("omp parallel") x++; '
    (tmp_path / "many.c").write_text("int x; void f(void) { " + region * 20_000 + "}\n")
    before = processor_time()
    result = run(bobbin, "translate", "many.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 0, result.stderr[:500]
    assert (tmp_path / "out.c").read_text().count("bobbin_omp_parallel(f_parallel_1") == 20_000
    assert processor_time() - before < PATIENCE_S


def test_one_directive(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "long.c").write_text(
        "int x;\n#pragma omp parallel shared(" + "x[(1:" * 2_000_000 + "\n"
    )
    before = processor_time()
    result = run(bobbin, "translate", "long.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("long.c:2:28: error: no bracket closes this '('")
    assert processor_time() - before < PATIENCE_S / 2


def test_metadirectives(bobbin: Path, tmp_path: Path) -> None:
    choosing = "".join(
        CHOOSING.format(condition=number % 2 or f"n > {number}", number=number)
        for number in range(3_000)
    )
    (tmp_path / "many.c").write_text(f"void f(int n, int* a) {{\n{choosing}}}\n")
    before = processor_time()
    result = run(bobbin, "translate", "many.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 0, result.stderr[:500]
    out = (tmp_path / "out.c").read_text()
    assert out.count("bobbin_omp_parallel(f_parallel_") == 3_000
    assert out.count("if ((n > ") == 1_500
    assert processor_time() - before < PATIENCE_S


def test_metadirectives_in_each_other(bobbin: Path, tmp_path: Path) -> None:
    choosing = "#pragma omp metadirective when(user={condition(n)}: parallel) otherwise(nothing)\n"
    (tmp_path / "deep.c").write_text(f"void f(int n) {{\n{choosing * 5}n++;\n}}\n")
    assert run(bobbin, "translate", "deep.c", "-o", "out.c", cwd=tmp_path).returncode == 0
    # Each one doubles the statement.
    assert (tmp_path / "out.c").read_text().count("++;") == 2**5
    (tmp_path / "deep.c").write_text(f"void f(int n) {{\n{choosing * 50}n++;\n}}\n")
    result = run(bobbin, "translate", "deep.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert "nested too deeply" in result.stderr


def test_directives_in_each_other(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "deep.c").write_text(
        "int x;\nvoid f(void) {\n" + "#pragma omp parallel\n" * 3_000 + "x++;\n}\n"
    )
    result = run(bobbin, "translate", "deep.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert "deep.c:259:1: error: more than 256 directives belong to one statement" in result.stderr


# Without its own stack the translator ended without a word.
@pytest.mark.parametrize("part", ["!", "x ? 1 : ", "x = "])
def test_expressions_in_each_other(bobbin: Path, part: str, tmp_path: Path) -> None:
    (tmp_path / "deep.c").write_text(
        f"int x;\nvoid f(void) {{\n#pragma omp parallel\nx = {part * 20_000} x;\n}}\n"
    )
    result = run(bobbin, "translate", "deep.c", "-o", "out.c", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_end_of_the_stack(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "deep.c").write_text(
        f"int x;\nvoid f(void) {{\n#pragma omp parallel\nx = {'!' * 10_000_000} x;\n}}\n"
    )
    result = run(bobbin, "translate", "deep.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert "nested too deeply" in result.stderr
