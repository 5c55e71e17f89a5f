# SPDX-License-Identifier: Apache-2.0
"""What `bobbin cc` switches on in gcc, LTO, keeps programs right and does not keep them from being built."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, run

FORMS = (
    "BARRIER", "FOR", "DYNAMIC_FOR", "SECTIONS", "SINGLE", "CRITICAL", "ATOMIC", "TASKWAIT",
    "TASKGROUP", "DEPEND",
)  # fmt: skip

# gcc (12) ends in an internal compiler error at its link with LTO.
ONLY_FOR_DEVICES = """
int printf(const char*, ...);
void other(void);
#pragma omp declare target to(other) device_type(nohost)
#pragma omp declare target
int n, i;
#pragma omp end declare target
#pragma omp declare variant(other) match(device={kind(nohost)})
void add(void) {
  for (i = 0; i < 1; i++) n += 1;
}
void other(void) { n += 2; }
static int sum(void) {
  add();
#pragma omp target
  add();
  return n;
}
int main(void) { printf("%d\\n", sum()); }
"""

LOOPS = """
int printf(const char*, ...);
static double a[100000];
int main(void) {
  for (int i = 0; i < 100000; i++) a[i] = i * 2 + 1;
#pragma omp parallel for
  for (int i = 0; i < 100000; i++) a[i] += i;
  printf("%g\\n", a[99999]);
}
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def build(cache: dict[str, str], *words: str | Path) -> str:
    """What is said about it."""
    result = run(*words, **cache)
    assert result.returncode == 0, result.stderr
    return result.stderr


@pytest.mark.parametrize(("level", "linkage"), [("-O1", "static"), ("-O2", "")])
@pytest.mark.parametrize("form", FORMS)
def test_variables_are_read_again(
    bobbin: Path, cache: dict[str, str], tmp_path: Path, form: str, level: str, linkage: str
) -> None:
    program = tmp_path / "program"
    definitions = (f"-DFORM={form}", f"-DLINKAGE={linkage}")
    source = PROGRAMS / "ordered_accesses.c"
    options = (level, "-fopenmp", *definitions)
    assert build(cache, bobbin, "cc", *options, source, "-o", program) == ""
    assert run(program).stdout == "1 0\n"


def test_variables_are_read_again_in_objects_linked_by_gcc(
    bobbin: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    part, program = tmp_path / "part.o", tmp_path / "program"
    source = PROGRAMS / "ordered_accesses.c"
    build(cache, bobbin, "cc", "-O2", "-fopenmp", "-DFORM=BARRIER", "-c", source, "-o", part)
    build(cache, "gcc", "-O2", "-flto", "-fopenmp", part, "-o", program)
    assert run(program).stdout == "1 0\n"


@pytest.mark.parametrize("level", ["-O1", "-O2"])
def test_variables_are_read_again_in_fortran(
    bobbin: Path, cache: dict[str, str], tmp_path: Path, level: str
) -> None:
    program = tmp_path / "program"
    source = PROGRAMS / "ordered_accesses.f90"
    options = (level, "-fno-inline", "-fopenmp", f"-J{tmp_path}")
    assert build(cache, bobbin, "fc", *options, source, "-o", program) == ""
    assert run(program).stdout == "1 0\n"


def test_a_link_is_repeated_where_lto_fails(
    bobbin: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    source, part, program = tmp_path / "a.c", tmp_path / "a.o", tmp_path / "a"
    source.write_text(ONLY_FOR_DEVICES)
    for words in ((source,), (part,)):
        if words == (part,):
            assert build(cache, bobbin, "cc", "-O2", "-fopenmp", "-c", source, "-o", part) == ""
        said = build(cache, bobbin, "cc", "-O2", "-fopenmp", *words, "-o", program)
        if said == "":
            pytest.skip("this gcc does not fail")
        assert said.startswith("bobbin cc: tasks are not inlined by gcc: its LTO fails: lto1: ")
        assert said.count("\n") == 1
        assert "compat" in run("readelf", "-dW", program).stdout
        assert run(program).stdout == "2\n"


def test_what_fails_otherwise_is_told_once(
    bobbin: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    source = tmp_path / "a.c"
    source.write_text("int missing(void);\nint main(void) { return missing(); }\n")
    result = run(bobbin, "cc", "-fopenmp", source, "-o", tmp_path / "a", **cache)
    assert result.returncode == 1
    assert result.stderr.count("undefined reference") == 1
    assert "bobbin" not in result.stderr.replace(str(tmp_path), "").replace(str(bobbin), "")


def test_loops_made_parallel_by_gcc(bobbin: Path, cache: dict[str, str], tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(LOOPS)
    option = "-ftree-parallelize-loops=2"
    said = build(cache, bobbin, "cc", "-O2", "-fopenmp", option, source, "-o", program)
    assert said == f"bobbin cc: tasks are not inlined by gcc: with {option}\n"
    assert run(program).stdout == "299998\n"
