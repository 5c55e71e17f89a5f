# SPDX-License-Identifier: Apache-2.0
"""A user's tool is reported, because Bobbin calls no tool."""

from __future__ import annotations

from pathlib import Path

from conftest import Compile, run

SHARED = ("-shared", "-fPIC")


def test_a_preloaded_tool_is_told_of(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    tool = compile_c("tool.c", *SHARED, name="libtool.so")
    result = run(bobbin, "run", program, LD_PRELOAD=str(tool))
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"bobbin: {tool} has a tool (ompt_start_tool): ")

    assert run(bobbin, "run", program, LD_PRELOAD=str(tool), OMP_TOOL="disabled").stderr == ""


def test_tool_libraries_are_told_of(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    result = run(bobbin, "run", program, OMP_TOOL_LIBRARIES="/opt/a.so:/opt/b.so")
    (line,) = result.stderr.splitlines()
    assert line.startswith("bobbin: OMP_TOOL_LIBRARIES='/opt/a.so:/opt/b.so': ")


def test_another_runtime_is_no_tool(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    other = compile_c("tool.c", *SHARED, "-DRUNTIME", name="libomp-1a2b.so")
    assert run(bobbin, "run", program, LD_PRELOAD=str(other)).stderr == ""


def test_no_tool_no_word(bobbin: Path, compile_c: Compile) -> None:
    assert run(bobbin, "run", compile_c("team.c", "-fopenmp")).stderr == ""
