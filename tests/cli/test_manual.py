# SPDX-License-Identifier: Apache-2.0
"""Each command has a page, the page has each option, and --help has an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import run
from test_completion import options_in_help

SOURCE = Path(__file__).parents[2]
PAGES = SOURCE / "docs/commands"
# Pages for several commands.
ELSEWHERE = {"c++": "cc", "fc": "cc"}


def commands(bobbin: Path) -> list[str]:
    lines = run(bobbin, "__complete", "").stdout.splitlines()
    return [line.split("\t")[0] for line in lines]


def test_each_command_has_a_page(bobbin: Path) -> None:
    table = (PAGES / "bobbin.md").read_text()
    for command in commands(bobbin):
        assert (PAGES / f"{ELSEWHERE.get(command, command)}.md").is_file(), command
        assert f"`{command}`" in table


@pytest.mark.parametrize("command", ["run", "compare", "report", "env", "doctor", "profile", "system", "top", "cc"])
def test_page_has_the_options_and_no_other(bobbin: Path, command: str) -> None:
    page = (PAGES / f"{command}.md").read_text()
    options = options_in_help(run(bobbin, command, "--help").stdout)
    described = set(
        re.findall(r"(?<![\w-])--[a-z][\w-]*", page.split("## Options")[1].split("## ")[0])
    )
    others = {"--dry-run"} if command == "env" else set()  # it is named as the exception
    assert options - {"--help"} <= described
    assert described - options - others <= {"--help"}


def test_help_has_an_example(bobbin: Path) -> None:
    for command in commands(bobbin):
        if command == "lab":
            continue
        assert re.search(
            rf"^  .*bobbin ({re.escape(command)}|cc|run)",
            run(bobbin, command, "--help").stdout,
            re.MULTILINE,
        )


def test_page_becomes_a_man_page(build: Path) -> None:
    pages = build / "man"
    if not (pages / "bobbin.1").is_file():
        pytest.skip("no go-md2man (scripts/setup build)")
    for source in PAGES.glob("*.md"):
        name = "bobbin" if source.stem == "bobbin" else f"bobbin-{source.stem}"
        text = (pages / f"{name}.1").read_text()
        assert f'.TH "{name.upper()}" "1"' in text
        assert f"{name} - " in text.replace("\\-", "-")
    environment = (pages / "bobbin-environment.7").read_text()
    variables = re.findall(
        r"^\| `([A-Z][A-Z_]+)`", (SOURCE / "docs/environment.md").read_text(), re.MULTILINE
    )
    assert len(variables) > 30
    for variable in variables:
        assert variable in environment.replace("\\_", "_")
