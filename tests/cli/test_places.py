# SPDX-License-Identifier: Apache-2.0
"""The lines that --profile, --trace and --span tell where the call itself does not name them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import PROGRAMS, run, user_compiler

SOURCE = PROGRAMS / "places.cpp"
COMPILERS = {"g++": ("BOBBIN_GXX", "g++"), "clang++": ("BOBBIN_CLANGXX", "clang++-19")}


def marked(mark: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


@pytest.fixture(params=[(c, d) for c in COMPILERS for d in (4, 5)], ids=lambda p: f"{p[0]}-{p[1]}")
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    compiler, version = request.param
    output = tmp_path / "places"
    words = (user_compiler(*COMPILERS[compiler]), "-O2", "-g", f"-gdwarf-{version}", "-fopenmp")
    result = run(*words, SOURCE, "-o", output)
    assert result.returncode == 0, result.stderr
    return output


def places(bobbin: Path, program: Path, instrument: str, folder: Path) -> dict[str, set[int]]:
    """The lines of each kind of site. All must be the program's."""
    file = folder / "figures.json"
    words = ("--trace", file) if instrument == "trace" else (f"--{instrument}", "--json", file)
    result = run(bobbin, "run", *words, program, OMP_MAX_ACTIVE_LEVELS="2")
    assert result.returncode == 0, result.stderr
    data = json.loads(file.read_text())
    if instrument == "trace":
        events = data["traceEvents"]
        names = {e["name"] for e in events if e["ph"] == "X" and e["cat"] in ("region", "wait")}
        told = [re.match(r"(.*) (\S+):(\d+)", name) for name in names]
        found = [(t[1], t[2], int(t[3])) for t in told if t is not None]
        assert len(found) == len(names), names
    else:
        found = [
            (site["what"], Path(site["file"]).name, site["line"])
            for site in data["processes"][0]["sites"]
            if "file" in site
        ]
    assert {file for _, file, _ in found} == {SOURCE.name}
    lines: dict[str, set[int]] = {}
    for what, _, line in found:
        lines.setdefault(what, set()).add(line)
    return lines


@pytest.mark.parametrize("instrument", ["profile", "span", "trace"])
def test_lines_are_those_of_the_directives(
    bobbin: Path, program: Path, tmp_path: Path, instrument: str
) -> None:
    lines = places(bobbin, program, instrument, tmp_path)
    for mark in ("tail", "nested tail"):
        # The function of clang's region may begin with the line of its first statement.
        line = marked(mark)
        assert lines["region"] & {line, line + 1}, (mark, lines)
    if instrument == "profile":
        assert lines["loop"] <= {marked("loop"), marked("loop's head")}


def test_gcc_tells_the_line_of_the_directive(bobbin: Path, tmp_path: Path) -> None:
    output = tmp_path / "places"
    compiler = user_compiler(*COMPILERS["g++"])
    # With a compressed table of lines, too.
    for flags in ((), ("-gz",)):
        result = run(compiler, "-O2", "-g", *flags, "-fopenmp", SOURCE, "-o", output)
        assert result.returncode == 0, result.stderr
        lines = places(bobbin, output, "profile", tmp_path)
        assert {marked("tail"), marked("nested tail")} <= lines["region"]
