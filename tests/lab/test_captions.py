# SPDX-License-Identifier: Apache-2.0
"""Every published figure names its host and commit, and which of its runs were trusted."""

from __future__ import annotations

import dataclasses
import os
import subprocess
from pathlib import Path

import pytest
from results import CALM, MACHINE, results_of

from bobbin_lab.host.commit import commit_of
from bobbin_lab.output.captions import caption
from bobbin_lab.results.records import rule_of


def git(tree: Path, *words: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x")
    command = ["git", "-C", str(tree), *who, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with a build in it."""
    for folder in ("runtime", "lab/bobbin_lab", "build/lib"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "runtime/fork.cpp").write_text("int x;\n")
    (tmp_path / ".gitignore").write_text("build\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "x")
    (tmp_path / "build/lib/libbobbin.so.1").write_text("")
    return tmp_path


def test_a_build_is_of_a_commit(tree: Path) -> None:
    commit = git(tree, "rev-parse", "--short=10", "HEAD")
    assert commit_of(tree / "build/lib") == f"commit {commit}"
    later = (tree / "build/lib/libbobbin.so.1").stat().st_mtime + 10
    os.utime(tree / "runtime/fork.cpp", (later, later))
    assert commit_of(tree / "build/lib") == f"commit {commit} with an outdated build"
    (tree / "runtime/fork.cpp").write_text("int y;\n")
    assert commit_of(tree / "build/lib") == f"commit {commit} with changes"


def test_a_copy_without_history_has_no_commit(tree: Path) -> None:
    (tree / "lab/bobbin_lab").rmdir()  # the history of another project
    assert commit_of(tree / "build/lib") == ""
    assert commit_of(Path("/")) == ""
    assert commit_of(tree / "absent") == ""


def test_a_caption_tells_what_a_reader_must_know() -> None:
    made = results_of({"barrier": {"bobbin": lambda t: t}}, threads=(1, 2))
    assert "made up), Linux 6.1, glibc 2.36, gcc 12, no known commit. 10 of 10 runs" in caption(
        "bobbin lab run barrier", made
    )
    far = dataclasses.replace(CALM, transfer_ns=180.0)
    made.runs = [dataclasses.replace(r, noise=far) if r.round < 3 else r for r in made.runs]
    first = made.sessions[0]
    sessions = [{**MACHINE, "commit": f"commit {name}"} for name in ("abc", "abc", "def")]
    made.sessions = [dataclasses.replace(first, machine=m) for m in sessions]
    said = caption("bobbin lab run barrier", made)
    assert said.startswith("`bobbin lab run barrier`, 2026-01-01, 2 processors (made up), ")
    assert said.endswith("commit def. Earlier runs are of commit abc. 8 of 10 runs were trusted.")
    assert caption("x", made, made.runs[:1]).endswith(" 1 of 1 runs were trusted.")


@pytest.mark.parametrize(
    ("noise", "trusted"),
    [
        ({}, True),
        ({"transfer_ns": 50.0, "together": 1.9}, True),
        ({"transfer_ns": 99.0}, False),  # farther than usual
        ({"transfer_ns": 25.0}, False),  # nearer: the processors moved
        ({"transfer_ns": 180.0}, False),
        ({"together": 1.1}, False),
        ({"foreign": 0.5, "foreign_ticks": 100.0}, False),
        ({"stolen": 0.1}, False),
    ],
)
def test_one_rule_of_trust(noise: dict[str, float], trusted: bool) -> None:
    made = results_of({"barrier": {"bobbin": lambda t: t}}, threads=(1, 2), rounds=9)
    usual = dataclasses.replace(CALM, transfer_ns=50.0)
    made.runs = [dataclasses.replace(run, noise=usual) for run in made.runs]
    judged = [dataclasses.replace(r, noise=dataclasses.replace(usual, **noise)) for r in made.runs]
    counts = rule_of(made.runs)
    alone = trusted or not {"foreign", "stolen"} & noise.keys()
    assert [counts(run) for run in judged if run.threads == 2] == [trusted] * 9
    assert [counts(run) for run in judged if run.threads == 1] == [alone] * 9
