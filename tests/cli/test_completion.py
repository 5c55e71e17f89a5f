# SPDX-License-Identifier: Apache-2.0
"""The shells complete commands, options, values and files, as the command itself tells them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TIMEOUT_S, clean_environment, run

SCRIPTS = Path(__file__).parents[2] / "bin/completion"
OWN = ("run", "env", "doctor", "system")


def offered(bobbin: Path, *words: str) -> list[str]:
    result = run(bobbin, "__complete", *words, BOBBIN_LAB_PYTHON=sys.executable)
    assert result.returncode == 0, result.stderr
    return [line.split("\t")[0] for line in result.stdout.splitlines()]


def options_in_help(text: str) -> set[str]:
    """The options that are defined, not those that a description mentions."""
    columns = re.findall(r"^[ │]*((?:-\w|--[\w-]+).*)$", text, re.MULTILINE)
    return {
        name
        for column in columns
        for name in re.findall(r"(?<![\w-])--[\w-]+", column.split("   ")[0])
    }


def test_commands_of_help_are_offered(bobbin: Path) -> None:
    listed = re.search(r"Subcommands:\n(.*?)\n\n", run(bobbin, "--help").stdout + "\n\n", re.DOTALL)
    assert listed is not None
    names = {line.split()[0] for line in listed[1].splitlines() if re.match(r"  \S", line)}
    assert {*OWN, "cc", "lab"} <= names
    assert names <= set(offered(bobbin, ""))


@pytest.mark.parametrize("command", [*OWN, "cc"])
def test_options_of_help_are_offered(bobbin: Path, command: str) -> None:
    wanted = options_in_help(run(bobbin, command, "--help").stdout) - {"--help"}
    assert wanted
    assert wanted <= {option.rstrip("=") for option in offered(bobbin, command, "--")}


def test_options_of_the_lab_are_offered(bobbin: Path) -> None:
    assert "run" in offered(bobbin, "lab", "r")
    text = run(
        bobbin, "lab", "run", "--help", BOBBIN_LAB_PYTHON=sys.executable, COLUMNS="200"
    ).stdout
    wanted = options_in_help(text)
    assert "--runtimes" in wanted
    assert wanted <= set(offered(bobbin, "lab", "run", "--"))


def test_values_and_places_of_files_are_told(bobbin: Path) -> None:
    assert offered(bobbin, "run", "--provider", "") == ["fiber", "kernel"]
    assert offered(bobbin, "run", "--wait", "p") == ["passive"]
    assert offered(bobbin, "run", "") == [":command"]
    assert offered(bobbin, "run", "-n", "2", "make", "") == [":program 3"]
    assert offered(bobbin, "run", "--", "make", "") == [":program 2"]
    assert offered(bobbin, "doctor", "") == [":file"]
    assert offered(bobbin, "no-such", "") == []


@pytest.fixture
def folder(tmp_path: Path, bobbin: Path) -> Path:
    (tmp_path / "simulate").touch(mode=0o755)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bobbin").symlink_to(bobbin)
    return tmp_path


def shell(name: str, script: str, folder: Path) -> str:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"no {name}")
    environment = clean_environment()
    environment |= {"PATH": f"{folder}/bin:{environment['PATH']}", "HOME": str(folder)}
    result = subprocess.run(
        [program, "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


CASES = [
    ("bobbin do", "doctor"),
    ("bobbin run --prov", "--provider"),
    ("bobbin run --provider k", "kernel"),
    ("bobbin doctor ./sim", "./simulate"),
]


@pytest.mark.parametrize(("line", "wanted"), CASES)
def test_bash_completes(folder: Path, line: str, wanted: str) -> None:
    words = shlex.split(line)
    script = (
        f"source {SCRIPTS}/bobbin.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
        "_bobbin; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    assert shell("bash", script, folder).split() == [wanted]


@pytest.mark.parametrize(("line", "wanted"), CASES)
def test_fish_completes(folder: Path, line: str, wanted: str) -> None:
    script = f"source {SCRIPTS}/bobbin.fish; complete -C '{line}'"
    assert [row.split("\t")[0] for row in shell("fish", script, folder).splitlines()] == [wanted]


def test_fish_completes_the_program(folder: Path) -> None:
    script = f"source {SCRIPTS}/bobbin.fish; complete -c thing -l speed; complete -C 'bobbin run -n 2 thing --sp'"
    assert shell("fish", script, folder).split() == ["--speed"]


def test_zsh_takes_the_file(folder: Path) -> None:
    """Its completions need a terminal."""
    shell("zsh", f"zsh -n {SCRIPTS}/_bobbin", folder)
