# SPDX-License-Identifier: Apache-2.0
"""bobbin run --span: work and span of programs of which both are known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAMS, Compile, run

Figures = dict[str, Any]
SOURCE = "spans.c"
UNIT = int(re.findall(r"kUnitUs = (\d+)", (PROGRAMS / SOURCE).read_text())[0]) * 1e-6

# Units of work, of the span, and of work in one critical section.
KNOWN = {
    "tree": (31 * 2 + 32, 5 * 2 + 1, 0),
    "unbalanced": (55, 10, 0),
    "chain": (40, 20, 0),
    "wavefront": (36, 11, 0),
    "readers": (34, 7, 0),
    "undeferred": (10, 10, 0),
    "threads": (20, 8, 0),
    "nested": (24, 2, 0),
    "loop": (44, 5, 0),
    "critical": (40, 10, 20),
    "serial": (40, 25, 0),
}


def figures(bobbin: Path, folder: Path, *command: str | Path) -> tuple[Figures, str]:
    file = folder / "figures.json"
    result = run(bobbin, "run", "--span", "--json", file, *command)
    assert result.returncode == 0, result.stderr
    assert all(len(line) <= 80 for line in result.stderr.splitlines()), result.stderr
    (process,) = json.loads(file.read_text())["processes"]
    return process, result.stderr


def fits(found: Figures, case: str) -> bool:
    """The program's begin, from the loading of its libraries on, is serial and not known."""
    known = 20 if case == "serial" else 0
    begin = sum(s["work_seconds"] for s in found["sites"] if s["what"] == "serial") / UNIT - known
    spent = {name: found[f"{name}_seconds"] / UNIT for name in ("work", "span", "mutex")}
    spent["work"] -= begin
    spent["span"] -= begin
    return begin > -0.03 * known - 0.1 and all(
        0.97 * units - 0.1 < spent[name] < 1.04 * units + 0.9
        for name, units in zip(spent, KNOWN[case], strict=True)
    )


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("case", KNOWN)
def test_known_work_and_span_are_found(
    bobbin: Path,
    compile_c: Compile,
    tmp_path: Path,
    case: str,
    compiler: str,
    request: pytest.FixtureRequest,
) -> None:
    if compiler == "clang":
        program = tmp_path / "spans"
        clang = request.getfixturevalue("clang")
        built = run(clang, "-O1", "-g", "-fopenmp", PROGRAMS / SOURCE, "-o", program)
        assert built.returncode == 0, built.stderr
    else:
        program = compile_c(SOURCE, "-fopenmp", "-g")
    # A noisy machine makes a piece of work longer.
    for _ in range(3):
        found, report = figures(bobbin, tmp_path, program, case)
        if fits(found, case):
            break
    assert fits(found, case), report
    assert found["path_known"]
    on_path = sum(site["on_path_seconds"] for site in found["sites"])
    assert on_path == pytest.approx(found["span_seconds"], rel=0.02, abs=UNIT / 10)
    work = sum(site["work_seconds"] for site in found["sites"])
    assert work == pytest.approx(found["work_seconds"], rel=1e-6)


def test_the_lines_of_the_critical_path_are_named(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    found, report = figures(bobbin, tmp_path, compile_c(SOURCE, "-fopenmp", "-g"), "readers")
    assert found["tasks"] == 12
    tasks = [site for site in found["sites"] if site["what"] == "task" and site["count"]]
    assert sorted(site["count"] for site in tasks) == [1, 1, 10]
    readers = next(site for site in tasks if site["count"] == 10)
    assert readers["work_seconds"] > 8 * readers["on_path_seconds"] > 0
    assert "spans.c:" in readers["where"]
    assert re.search(r"speed-up at most +\d", report)


def test_instruments_exclude_each_other(bobbin: Path) -> None:
    result = run(bobbin, "run", "--span", "--profile", "true")
    assert result.returncode == 125
    assert "exclude each other" in result.stderr


def test_tasks_stay_with_their_thread(bobbin: Path) -> None:
    """The way from one continuation to the next is no work of the program."""
    show = ("/bin/sh", "-c", 'echo "$BOBBIN_TASK_POLICY"')
    for given, used in (
        ("creation=continuation,order=fifo", "creation=continuation,order=fifo,creation=adaptive"),
        ("creation=breadth-first", "creation=breadth-first"),
    ):
        assert run(bobbin, "run", "--span", *show, BOBBIN_TASK_POLICY=given).stdout == f"{used}\n"
