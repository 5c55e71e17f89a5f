# SPDX-License-Identifier: Apache-2.0
"""The documents' figures are made again, in pieces, by a command that stands in for the lab."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bobbin_lab.app import app
from bobbin_lab.commands import publish_docs
from bobbin_lab.output.captions import command_line, without_files
from bobbin_lab.output.published import pieces

COMMIT = "commit 0123456789"
PAGE = """Text.

<!-- tasks -->
`bobbin lab run tasks --reps 5 -o old.jsonl --update docs/x.md`, of long ago.

| a |
|---|
| 1 |
<!-- /tasks -->
<!-- uts-1 -->
`bobbin lab paper uts --figure 1 --quick`, gcc 12, commit 0000000000. Medians.
<!-- /uts-1 -->
<!-- done -->
`bobbin lab run done`, gcc 12, commit 0123456789. 5 of 5 runs were trusted.
<!-- /done -->
<!-- changed -->
`bobbin lab scale --minutes 6`, gcc 12, commit 0123456789 with changes. 5 of 5 runs.
<!-- /changed -->
<!-- uts-T1 -->
`bobbin lab paper uts --figure T1`, not measured.
<!-- /uts-T1 -->
<!-- confusion -->
Invented.
<!-- /confusion -->
"""

# Notes its words. Where it is to be interrupted, it begins a file and hangs the first time.
LAB = f"""#!{sys.executable}
import pathlib, re, sys, time
here = pathlib.Path(__file__).parent
words = sys.argv[2:]
with (here / "log").open("a") as log:
    print(*words[:-4], words[-4], file=log)
results, document = pathlib.Path(words[-3]), pathlib.Path(words[-1])
if not results.exists():
    results.write_text("begun")
    if (here / "hangs").exists():
        time.sleep(60)
text = document.read_text()
said = re.escape("`bobbin lab " + " ".join(words[:-4])) + "[^`]*`.*"
document.write_text(re.sub(said, "`bobbin lab " + " ".join(words[:-4]) + "`, {COMMIT}.", text))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/x.md").write_text(PAGE)
    (tmp_path / "lab").write_text(LAB)
    (tmp_path / "lab").chmod(0o755)
    monkeypatch.setattr(publish_docs, "COMMAND", tmp_path / "lab")
    monkeypatch.setattr(publish_docs, "cache", lambda: tmp_path)
    monkeypatch.setattr(publish_docs, "commit_of", lambda _: COMMIT)
    monkeypatch.setattr(publish_docs, "_calm", lambda _: True)
    return tmp_path


def publish(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["publish", str(folder / "docs"), *words])


def made(folder: Path) -> list[str]:
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


ALL = [
    "run tasks --reps 5 -o",
    "paper uts --figure 1 --quick -o",
    "scale --minutes 6 -o",
]


def test_what_is_not_of_the_commit_is_made(folder: Path) -> None:
    done = publish(folder, "--dry-run")
    assert (done.exit_code, made(folder)) == (0, [])
    assert "x.md, tasks: bobbin lab run tasks --reps 5\n" in done.output
    assert "3 of 4 sections" in done.output
    done = publish(folder)
    assert (done.exit_code, made(folder)) == (0, ALL), done.output
    assert {piece.name for piece in pieces(folder / "docs") if piece.is_of(COMMIT)} == {
        "tasks", "uts-1", "done", "changed",
    }  # fmt: skip
    assert publish(folder).exit_code == 0
    assert made(folder) == ALL


def test_an_interrupted_piece_goes_on(folder: Path) -> None:
    (folder / "hangs").touch()
    done = publish(folder, "--minutes", "0.02")
    assert done.exit_code == 1
    assert made(folder) == ALL[:1]
    assert "3 of 4 sections" in done.output
    (folder / "hangs").unlink()
    assert publish(folder).exit_code == 0
    assert made(folder)[1:] == ["run tasks --reps 5 --resume", *ALL[1:]]


def test_what_is_not_trusted_is_measured_anew(folder: Path) -> None:
    page = folder / "docs/x.md"
    page.write_text(PAGE.replace("5 of 5 runs were trusted", "3 of 5 runs were trusted"))
    (folder / "published").mkdir()
    (folder / "published/0123456789-done.jsonl").write_text("complete")
    assert "4 of 4 sections" in publish(folder, "--dry-run").output
    assert publish(folder).exit_code == 0
    assert "run done -o" in made(folder)


def test_a_busy_machine_measures_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish_docs, "_calm", lambda _: False)
    done = publish(folder)
    assert (done.exit_code, made(folder)) == (1, [])
    assert "The machine is busy" in done.output


@pytest.mark.parametrize("commit", ["", f"{COMMIT} with changes"])
def test_figures_are_of_a_commit(
    folder: Path, monkeypatch: pytest.MonkeyPatch, commit: str
) -> None:
    monkeypatch.setattr(publish_docs, "commit_of", lambda _: commit)
    assert "figures are published of a commit" in str(publish(folder).exception)
    assert made(folder) == []


def test_a_caption_can_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["run", "tasks", "-o", "x", "--reps", "5", "--update=y.md", "--report", "z"]
    assert without_files(given) == ["run", "tasks", "--reps", "5"]
    monkeypatch.setattr(sys, "argv", ["lab", "run", "--resume", "x.jsonl", "--update", "d.md"])
    assert command_line("tasks") == "bobbin lab run tasks"
    assert command_line() == "bobbin lab run"
