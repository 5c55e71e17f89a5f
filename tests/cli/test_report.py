# SPDX-License-Identifier: Apache-2.0
"""bobbin report: the page, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Compile, run, shown_in_browser

# In a command it would end the script that holds the data.
HOSTILE = "</script><!--<script>"


@pytest.fixture
def program(compile_c: Compile) -> Path:
    return compile_c("compared.c", "-fopenmp", "-g")


@pytest.fixture
def page(bobbin: Path, program: Path, tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    result = run(bobbin, "report", "-o", file, program, "50", HOSTILE, OMP_NUM_THREADS="3")
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{file} has the report: open it in a browser\n"
    assert "running it three times" in result.stderr
    return file


def data(page: Path, name: str) -> dict[str, Any]:
    found = re.search(rf'id="{name}-data">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def test_the_page_holds_what_was_recorded(page: Path, program: Path) -> None:
    [profile] = data(page, "profile")["processes"]
    assert profile["command"] == f"{program} 50 {HOSTILE}"
    assert profile["total"]["visits"]["region"] == 50
    assert len(profile["threads"]) == 3
    [span] = data(page, "span")["processes"]
    assert span["work_seconds"] >= span["span_seconds"] > 0
    slices = [e for e in data(page, "trace")["traceEvents"] if e["ph"] == "X"]
    assert any(e["cat"] == "region" for e in slices)


def test_the_page_needs_nothing_else(page: Path) -> None:
    text = page.read_text()
    assert not re.search(r"(src|href)=|@import|url\(|fetch\(|https?://", text)
    assert not re.search(r"%(PROFILE|SPAN|TRACE)%", text)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_browser_shows_it(page: Path, tmp_path: Path, width: int) -> None:
    shown = shown_in_browser(page, tmp_path, width)
    assert "<title>it fits</title>" in shown
    assert "of their time is work in parallel regions" in shown
    assert "speed-up at least" in shown
    assert "thread 2, " in shown
    assert "compared.c:" in shown


def test_one_run_shows_its_output_and_leaves_a_page(
    bobbin: Path, program: Path, tmp_path: Path
) -> None:
    for words, name in ((("--report",), "report.html"), (("--report=other.html",), "other.html")):
        result = run(bobbin, "run", *words, program, "50", cwd=tmp_path)
        assert (result.returncode, result.stdout) == (0, "regions 50\n")
        assert f"{name} has the report" in result.stderr
        [profile] = data(tmp_path / name, "profile")["processes"]
        assert profile["total"]["visits"]["region"] == 50
    shown = shown_in_browser(tmp_path / "other.html", tmp_path, 390)
    assert "<title>it fits" in shown
    assert "Not recorded: the time line, the span." in shown
    assert "<canvas" not in shown
    assert run(bobbin, "run", "--report", program, "50", "fail", cwd=tmp_path).returncode == 3
    result = run(bobbin, "run", f"--report={program}", program, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (125, "")
    assert "is a program" in result.stderr


def test_recordings_that_were_made_before(
    bobbin: Path, compat: Path, program: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    result = run(bobbin, "report", folder, cwd=tmp_path)
    assert result.returncode == 125
    assert "libgomp has none" in result.stderr
    file = tmp_path / "report.html"
    for instrument, absent in (
        ("span", "the profile, the time line"),
        ("trace", "the profile"),
        ("profile", ""),
    ):
        tool = compat.parent / f"libbobbin-{instrument}.so"
        recorded = {"BOBBIN_RECORD": str(folder), "OMP_TOOL_LIBRARIES": str(tool)}
        assert run(bobbin, "run", program, "50", **recorded).returncode == 0
        result = run(bobbin, "report", folder, cwd=tmp_path)
        assert result.stdout == f"{file} has the report: open it in a browser\n"
        shown = shown_in_browser(file, tmp_path, 390)
        assert "<title>it fits" in shown
        assert (
            (f"<p>Not recorded: {absent}." in shown) if absent else "<p>Not recorded" not in shown
        )
    assert len(data(file, "profile")["processes"]) == 1


def test_what_cannot_be_reported_on(bobbin: Path, program: Path, tmp_path: Path) -> None:
    for words, status, said in (
        ((program, "1", "fail"), 1, "ends with status 3 (the matrix is singular)"),
        (("true",), 1, "has begun no parallel region"),
        (("./absent",), 127, "does not exist"),
        (("-o", program, program), 125, "is a program"),
        ((), 125, "which program?"),
    ):
        result = run(bobbin, "report", *words, cwd=tmp_path)
        assert result.returncode == status
        assert said in result.stderr
        assert not (tmp_path / "report.html").exists()
