# SPDX-License-Identifier: Apache-2.0
"""What there is to measure, what would be run, and what a misspelt name gets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import lab
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.commands import run
from bobbin_lab.experiments import catalogue
from bobbin_lab.measure import outlook
from bobbin_lab.runtimes import Runtime
from bobbin_lab.suites import TABLES, ablation

SOURCE = Path(__file__).parents[2]


def test_every_suite_is_described() -> None:
    known = {*TABLES, ablation.NAME, *catalogue.suites(catalogue.load())}
    assert set(outlook.about()) == known
    assert set(outlook.suites()) == known
    assert all(0 < about.run_s < 60 and len(about.text) > 10 for about in outlook.about().values())


def test_the_list_tells_what_a_suite_is_and_how_long_it_takes(tmp_path: Path) -> None:
    done = lab("run", "list", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(r"quick +│ +\d+ (s|min) +│ a first look", done.stdout)
    assert "overhead-barrier" not in done.stdout
    members = lab("run", "list", "--only", "quick", cwd=tmp_path).stdout
    assert re.search(r"overhead-barrier +│ barrier overhead", members)
    assert "nested-lock" not in members


def test_the_list_needs_no_programs(tmp_path: Path) -> None:
    """The wheel compiles them when something is measured."""
    words = [sys.executable, "-B", str(SOURCE / "lab"), "run", "list"]
    settings = os.environ | {"BOBBIN_LAB_PROGRAMS": str(tmp_path), "COLUMNS": "120"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=settings)
    assert done.returncode == 0, done.stderr
    assert re.search(r"ablation +│ not known yet +│", done.stdout)


@pytest.mark.parametrize(
    ("word", "meant"), [("qick", "quick"), ("overhed-barrier", "overhead-barrier"), ("xyzzy", "")]
)
def test_a_misspelt_name_gets_a_suggestion(tmp_path: Path, word: str, meant: str) -> None:
    done = lab("run", word, cwd=tmp_path)
    assert done.returncode == 125
    assert ("did you mean" in done.stderr) == bool(meant)
    assert meant in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_dry_run_tells_all_and_runs_nothing(tmp_path: Path) -> None:
    words = ("run", "parallel", "--runtimes", "gomp,bobbin", "--threads", "1,2", "--reps", "3")
    done = lab(*words, "--dry-run", "-o", "r.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "runtime bobbin: " in done.stdout
    assert "parallel: 4 cases, threads 1,2" in done.stdout
    assert "12 runs in 3 rounds, about 10 s, into r.jsonl" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_no_line_of_the_help_is_cut(tmp_path: Path) -> None:
    said = lab("--help", cwd=tmp_path).stdout
    assert "..." not in said.partition("Commands:")[2]


def test_a_runtime_that_is_not_installed_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = [Runtime("omp", "libomp", hint="sudo apt-get install libomp-19-dev")]
    monkeypatch.setattr(run, "absent", lambda names: gone if "omp" in names else [])
    monkeypatch.chdir(tmp_path)
    words = ["run", "parallel", "--threads", "1", "--dry-run"]
    said = CliRunner().invoke(app, words).output
    assert "libomp is not installed, so it is left out" in said
    assert "sudo apt-get install libomp-19-dev" in said
    assert "left out" not in CliRunner().invoke(app, [*words, "--runtimes", "bobbin"]).output


@pytest.mark.parametrize("words", [(), ("--quick",)])
def test_a_paper_tells_how_long_it_takes(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = lab("paper", "nested", *words, "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^\d+ runs in 5 rounds, about \d+ (s|min|h), into ", done.stdout, re.MULTILINE
    )
