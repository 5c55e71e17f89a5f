# SPDX-License-Identifier: Apache-2.0
"""A tool starts where the specification has it (section 19.2), and is told of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Compile, run

INCLUDE = Path(__file__).resolve().parents[2] / "include"
SHARED = ("-shared", "-fPIC", f"-I{INCLUDE}")
TOLD = ["202111 Bobbin", "tool 7 on device 0", "region of 2", "end of tool 7"]


@pytest.fixture
def program(compile_c: Compile) -> Path:
    return compile_c("team.c", "-fopenmp")


@pytest.fixture
def tool(compile_c: Compile) -> Path:
    return compile_c("tool.c", *SHARED, name="libtool.so")


def words_of_tool(output: str) -> list[str]:
    return [line for line in output.splitlines() if line in TOLD or "nowhere" in line]


def test_a_preloaded_tool(bobbin: Path, program: Path, tool: Path) -> None:
    result = run(bobbin, "run", "-n", "2", program, LD_PRELOAD=str(tool))
    assert words_of_tool(result.stdout) == TOLD
    assert result.stderr == ""

    disabled = run(bobbin, "run", program, LD_PRELOAD=str(tool), OMP_TOOL="disabled")
    assert words_of_tool(disabled.stdout) == []


def test_a_tool_in_the_program(bobbin: Path, compile_c: Compile) -> None:
    source = Path(__file__).parent / "programs/tool.c"
    program = compile_c("team.c", source, "-fopenmp", "-rdynamic", f"-I{INCLUDE}", name="both")
    assert words_of_tool(run(bobbin, "run", "-n", "2", program).stdout) == TOLD


def test_the_first_library_that_wants_to_start(
    bobbin: Path, program: Path, tool: Path, compile_c: Compile
) -> None:
    declines = compile_c("tool.c", *SHARED, "-DDECLINES", name="libdeclines.so")
    result = run(
        *(bobbin, "run", "-n", "2", program),
        OMP_TOOL_LIBRARIES=f"/opt/missing.so:{declines}:{tool}:{tool}",
        OMP_TOOL_VERBOSE_INIT="stderr",
    )
    assert words_of_tool(result.stdout) == TOLD
    missing, declined, starts, active = result.stderr.splitlines()
    assert "/opt/missing.so" in missing
    assert declined.endswith(f"{declines}: declines")
    assert starts.endswith(f"{tool}: starts")
    assert active.endswith("active")


def test_the_log_goes_to_a_file(bobbin: Path, program: Path, tool: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    result = run(
        bobbin, "run", program, OMP_TOOL_LIBRARIES=str(tool), OMP_TOOL_VERBOSE_INIT=str(log)
    )
    assert result.stderr == ""
    assert log.read_text().splitlines()[-1].endswith("active")


def test_another_runtime_is_no_tool(bobbin: Path, program: Path, compile_c: Compile) -> None:
    other = compile_c("tool.c", *SHARED, "-DRUNTIME", name="libomp-1a2b.so")
    result = run(bobbin, "run", program, LD_PRELOAD=str(other), OMP_TOOL_VERBOSE_INIT="stderr")
    assert result.stderr == "bobbin: tool: none\n"


def test_no_tool_no_word(bobbin: Path, program: Path) -> None:
    assert run(bobbin, "run", program).stderr == ""


def test_what_only_the_compiler_knows(bobbin: Path, compile_c: Compile) -> None:
    """GCC 17 tells where regions end, and the parts of loops that it divides itself."""
    program = compile_c("told_ends.c", "-fopenmp", "-rdynamic", f"-I{INCLUDE}")
    result = run(bobbin, "run", program)
    assert result.returncode == 0, result.stdout + result.stderr
    told: dict[str, list[str]] = {"0": [], "1": []}
    for line in result.stdout.splitlines():
        thread, event = line.split(": ")
        told[thread].append(event)
    single = ["begin single 1", "end single 1"]
    other = ["begin other single 1", "end other single 1"]
    executed = single[0] in told["1"]
    for number in (0, 1):
        first = 50 * number
        assert told[str(number)] == [
            "begin loop static 100",
            f"chunk {first} + 25",
            f"chunk {first + 25} + 25",
            "end loop static 100",
            *(["begin masked", "end masked"] if number == 1 else []),
            "begin scope 1",
            "end scope 1",
            *(single if executed == (number == 1) else other),
            "begin distribute 30",
            "part 0 + 30",
            "begin loop static 7",
            "end loop static 7",
            "end distribute 30",
        ]
