# SPDX-License-Identifier: Apache-2.0
"""bobbin profile, span and trace with a program: the same as bobbin run with the option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Compile, clang_library, run


@pytest.fixture
def program(compile_c: Compile) -> Path:
    return compile_c("compared.c", "-fopenmp")


def test_profile_and_span(bobbin: Path, program: Path, tmp_path: Path) -> None:
    for word, begin in (("profile", "\nprofile of "), ("span", "\nwork and span of ")):
        file = tmp_path / f"{word}.json"
        for words in ((word,), (word, "--"), (word, "--json", file)):
            result = run(bobbin, *words, program, "10")
            assert result.returncode == 0
            assert result.stdout == "regions 10\n"
            assert result.stderr.startswith(f"{begin}{program.parent}"[:60])
        assert word in json.loads(file.read_text())
        assert run(bobbin, word, program, "10", "fail").returncode == 3


def test_trace_has_a_file_of_its_own(bobbin: Path, program: Path, tmp_path: Path) -> None:
    result = run(bobbin, "trace", program, "10", cwd=tmp_path)
    assert result.returncode == 0
    assert "trace.json has " in result.stderr
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    result = run(bobbin, "trace", "--trace-last", "0.01", program, "10", "sleep", cwd=tmp_path)
    assert "in the last 0.01 s" in result.stderr


def test_a_folder_is_one_of_recordings(
    bobbin: Path, program: Path, tmp_path: Path, clang: str, compat: Path
) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    tool = compat.parent / "libbobbin-profile.so"
    recorded = {"BOBBIN_RECORD": str(folder), "OMP_TOOL_LIBRARIES": str(tool)}
    assert run(program, "10", **recorded).returncode == 0
    result = run(bobbin, "profile", folder)
    assert result.returncode == 125
    assert f"{folder} has no recordings" in result.stderr
    assert "libgomp has none" in result.stderr
    llvm = clang_library(clang, "libomp.so")
    assert run(program, "10", LD_PRELOAD=str(llvm), **recorded).returncode == 0
    result = run(bobbin, "profile", folder)
    assert result.returncode == 0
    assert "profile of " in result.stdout


@pytest.mark.parametrize("word", ["span", "trace"])
def test_help_is_that_of_run(bobbin: Path, word: str) -> None:
    wanted = run(bobbin, "run", "--help").stdout
    for words in (("help", word), (word, "--help")):
        result = run(bobbin, *words)
        assert (result.returncode, result.stdout) == (0, wanted)
    offered = run(bobbin, "__complete", word, "--").stdout
    assert "--threads\t" in offered
