# SPDX-License-Identifier: Apache-2.0
"""What the command says about words that it does not understand, and what it explains."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import run

WRONG: tuple[tuple[tuple[str, ...], str], ...] = (
    (("status", "abc"), "pid: 'abc' is not the number of a process"),
    (("status", "-1"), "pid: '-1' is not the number of a process"),
    (("status", "99999999999999999999"), "is not the number of a process"),
    (("status",), "which pid?"),
    (("stacks",), "which target?"),
    (("profile", "absent"), "folder: 'absent' is neither a program nor a folder with recordings"),
    (("doctor", "a", "b"), "unexpected: b"),
    (("system", "--enable", "--disable"), "--enable excludes --disable"),
    (("env", "-n"), "--threads lacks a value"),
    (("env", "-n", "0"), "--threads: '0' is not a number of threads"),
    (("env", "--provider", "pigeons"), "--provider: pigeons not in"),
    (("run", "--bind="), "--bind= lacks a value"),
    (("run", "--trace", "f", "--trace-last", "soon", "true"), "'soon' is not a number of seconds"),
    (("run", "--trace", "f", "--trace-last", "0", "true"), "'0' is not a number of seconds"),
    (("run", "--trace-last", "2", "true"), "--trace-last needs --trace"),
    (("run",), "which program?"),
)


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_the_command_and_its_help_are_named(
    bobbin: Path, words: tuple[str, ...], said: str
) -> None:
    result = run(bobbin, *words)
    assert result.returncode == 125
    assert result.stdout == ""
    command = f"bobbin {words[0]}"
    assert result.stderr.startswith(f"{command}: ")
    assert said in result.stderr
    assert result.stderr.endswith(f" (see {command} --help)\n")
    assert len(result.stderr) < 200


@pytest.mark.parametrize("seconds", ["2", "0.5", ".5", "2."])
def test_seconds_are_taken(bobbin: Path, seconds: str) -> None:
    words = ("--dry-run", "--trace", "f", "--trace-last", seconds, "true")
    assert run(bobbin, "run", *words).returncode == 0


@pytest.mark.parametrize("command", ["", "run", "env", "cc", "fc", "translate", "profile"])
def test_help_as_a_word_is_help_as_an_option(bobbin: Path, command: str) -> None:
    words = (command,) if command else ()
    wanted = run(bobbin, *words, "--help")
    asked = run(bobbin, "help", *words)
    assert asked.returncode == 0
    assert asked.stdout == wanted.stdout != ""


def test_help_of_fortran_is_about_fortran(bobbin: Path) -> None:
    said = run(bobbin, "fc", "--help").stdout
    assert said.startswith("Usage: bobbin fc ")
    assert "gfortran (default), flang" in said
    assert "--translate" not in said
    assert "bobbin cc" not in said
