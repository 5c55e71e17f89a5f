# SPDX-License-Identifier: Apache-2.0
"""Tools that look for data races find the program's own, and none where OpenMP orders accesses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PROGRAMS, Compile, run

SOURCE = "happens_before.c"
ALL = re.findall(r'\{"(\w+)",', (PROGRAMS / SOURCE).read_text())
RACES = ("race", "race_of_tasks")
FREE_OF_RACES = [name for name in ALL if name not in RACES]
OF_TASKS = "task_races.c"
TASKS = re.findall(r'\{"(\w+)",', (PROGRAMS / OF_TASKS).read_text())
SUPPRESSIONS = Path(__file__).parents[2] / "runtime/libbobbin.supp"

Result = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module", params=["gcc", "clang"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sanitized(SOURCE, request, tmp_path_factory)


@pytest.fixture(scope="module", params=["gcc", "clang"])
def of_tasks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sanitized(OF_TASKS, request, tmp_path_factory)


def sanitized(
    source: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Build it with ThreadSanitizer."""
    compiler = os.environ.get("CC", "gcc")
    if request.param == "clang":
        compiler = request.getfixturevalue("clang")
    output = tmp_path_factory.mktemp(request.param) / "program"
    flags = ("-O1", "-g", "-fopenmp", "-fsanitize=thread", "-w")
    result = run(compiler, *flags, PROGRAMS / source, "-o", output)
    if result.returncode != 0:
        pytest.skip(f"{compiler} cannot build with ThreadSanitizer: {result.stderr[-200:]}")
    return output


def run_sanitized(bobbin: Path, program: Path, *cases: str, **settings: str) -> Result:
    # Some versions of ThreadSanitizer end programs at addresses that they cannot handle.
    fixed = ("setarch", os.uname().machine, "-R")
    prefix = fixed if run(*fixed, "true").returncode == 0 else ()
    # LLVM's own observer must not be used, if it is installed.
    settings = settings or {"OMP_TOOL": "disabled"}
    return run(*prefix, bobbin, "run", program, *cases, **settings)


def test_no_report_without_a_race_by_tsan(bobbin: Path, program: Path) -> None:
    result = run_sanitized(bobbin, program, *FREE_OF_RACES)
    assert result.stdout == "done\n"
    assert "ThreadSanitizer" not in result.stderr, result.stderr
    assert result.returncode == 0


@pytest.mark.parametrize("case", RACES)
def test_race_is_reported_by_tsan(bobbin: Path, program: Path, case: str) -> None:
    result = run_sanitized(bobbin, program, case)
    assert "WARNING: ThreadSanitizer: data race" in result.stderr
    assert result.stdout == "done\n"


def with_order(name: str) -> str:
    return name[0].upper() + name[1:]


@pytest.mark.parametrize("threads", [1, 2])
def test_no_report_of_tasks_in_order(bobbin: Path, of_tasks: Path, threads: int) -> None:
    cases = [with_order(name) for name in TASKS]
    settings = {"OMP_TOOL": "disabled", "OMP_NUM_THREADS": str(threads)}
    result = run_sanitized(bobbin, of_tasks, *cases, **settings)
    assert "ThreadSanitizer" not in result.stderr, result.stderr
    assert result.stdout.endswith("done\n")
    assert result.returncode == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_race_of_tasks_is_reported(bobbin: Path, of_tasks: Path, threads: int) -> None:
    """Whichever thread executes them, and in whichever order."""
    each = "suppress_equal_stacks=0 suppress_equal_addresses=0"
    settings = {"OMP_TOOL": "disabled", "OMP_NUM_THREADS": str(threads), "TSAN_OPTIONS": each}
    result = run_sanitized(bobbin, of_tasks, *TASKS, **settings)
    assert result.stdout.endswith("done\n")
    parts = dict(re.findall(r"^case (\w+)\n((?:(?!case ).*\n)*)", result.stderr, re.MULTILINE))
    assert list(parts) == TASKS
    assert [case for case in TASKS if "ThreadSanitizer: data race" not in parts[case]] == []


@pytest.fixture(scope="module")
def archer() -> dict[str, str]:
    """LLVM's tool, which tells ThreadSanitizer what OpenMP orders."""
    found = sorted(Path("/usr/lib").glob("llvm-*/lib/libarcher.so"))
    if not found:
        pytest.skip("no libarcher.so")
    # It asks for the second variable.
    options = "ignore_noninstrumented_modules=1"
    return {"OMP_TOOL_LIBRARIES": str(found[-1]), "TSAN_OPTIONS": options}


def test_no_report_without_a_race_by_archer(
    bobbin: Path, program: Path, archer: dict[str, str]
) -> None:
    verbose = archer | {"OMP_TOOL_VERBOSE_INIT": "stdout"}
    result = run_sanitized(bobbin, program, *FREE_OF_RACES, **verbose)
    assert result.stdout.endswith("bobbin: tool: active\ndone\n")
    assert "ThreadSanitizer" not in result.stderr, result.stderr
    assert result.returncode == 0


@pytest.mark.parametrize("case", RACES)
def test_race_is_reported_by_archer(
    bobbin: Path, program: Path, archer: dict[str, str], case: str
) -> None:
    result = run_sanitized(bobbin, program, case, **archer)
    assert "WARNING: ThreadSanitizer: data race" in result.stderr
    assert result.stdout == "done\n"


def test_tasks_by_archer(bobbin: Path, of_tasks: Path, archer: dict[str, str]) -> None:
    settings = archer | {"OMP_NUM_THREADS": "2"}
    result = run_sanitized(bobbin, of_tasks, *map(with_order, TASKS), **settings)
    assert "ThreadSanitizer" not in result.stderr, result.stderr
    assert result.returncode == 0
    result = run_sanitized(bobbin, of_tasks, "siblings", **settings)
    assert "WARNING: ThreadSanitizer: data race" in result.stderr


def run_on_valgrind(bobbin: Path, tool: str, program: Path, *cases: str) -> Result:
    if shutil.which("valgrind") is None:
        pytest.skip("no valgrind (scripts/setup test)")
    words = ("valgrind", f"--tool={tool}", f"--suppressions={SUPPRESSIONS}", "--error-exitcode=9")
    return run(bobbin, "run", *words, program, *cases)


@pytest.mark.parametrize("is_inlined", [False, True])
@pytest.mark.parametrize("tool", ["helgrind", "drd"])
def test_valgrind(
    bobbin: Path, compile_c: Compile, tmp_path: Path, tool: str, *, is_inlined: bool
) -> None:
    flags = ("-g", "-fopenmp", "-w")
    if is_inlined:
        program = tmp_path / "inlined"
        words = (bobbin, "cc", *flags, PROGRAMS / SOURCE, "-o", program)
        built = run(*words, XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert built.returncode == 0, built.stderr
        assert not built.stderr
    else:
        program = compile_c(SOURCE, *flags)
    result = run_on_valgrind(bobbin, tool, program, *FREE_OF_RACES)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "done\n"
    result = run_on_valgrind(bobbin, tool, program, "race")
    assert result.returncode == 9, result.stderr
