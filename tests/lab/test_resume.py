# SPDX-License-Identifier: Apache-2.0
"""Runs that are interrupted and resumed."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from command import BOBBIN, CALM, ENVIRONMENT, PATIENCE_S, lab
from results import results_of, write
from typer.testing import CliRunner

from bobbin_lab.app import app

FILE = "my r.jsonl"


def start(folder: Path, *before: str) -> subprocess.Popen[str]:
    few = ("--threads", "1", "--reps", "400", "--runtimes", "gomp", *CALM)
    return subprocess.Popen(
        [*before, BOBBIN, "lab", "run", "parallel", *few, "-o", FILE],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


def wait_for_lines(running: subprocess.Popen[str], results: Path, count: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while not results.exists() or results.read_text().count("\n") < count:
        assert running.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    running, results = start(tmp_path), tmp_path / FILE
    wait_for_lines(running, results, 3)
    running.send_signal(number)
    said, wrong = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert f"bobbin lab run --resume '{FILE}'" in said
    assert wrong == ""
    kept = results.read_text().count("\n")
    # The first session's settings stay. 400 rounds would take long.
    lines = results.read_text().splitlines()
    session = {**json.loads(lines[0]), "rounds": kept}
    results.write_text("\n".join([json.dumps(session), *lines[1:], ""]))
    done = lab("run", "--resume", FILE, *CALM, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert results.read_text().count('"kind": "run"') == kept


def test_what_is_to_outlive_a_connection_does(tmp_path: Path) -> None:
    running, results = start(tmp_path, "nohup"), tmp_path / FILE
    wait_for_lines(running, results, 3)
    running.send_signal(signal.SIGHUP)
    wait_for_lines(running, results, results.read_text().count("\n") + 3)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["barrier"], "was begun with parallel, not barrier"),
        (["--reps", "5"], "was begun with --reps 2, not --reps 5"),
        (["--threads", "1,2"], "was begun with --threads 1, not --threads 1,2"),
        (["--runtimes", "gomp,omp"], "was begun with --runtimes gomp, not --runtimes gomp,omp"),
        (["--only", "x"], "was begun with no --only, not --only x"),
        (["--seed", "3"], "was begun with --seed 1, not --seed 3"),
        (["-o", "other.jsonl"], "writes into that file"),
    ],
)
def test_words_that_contradict_the_beginning_are_refused(
    tmp_path: Path, words: list[str], said: str
) -> None:
    made = results_of({"parallel": {"gomp": float}}, threads=(1,), rounds=2)
    made.sessions[0] = dataclasses.replace(
        made.sessions[0], suite="parallel", threads=(1,), rounds=2, wanted=("gomp",)
    )
    path = write(made, tmp_path / "r.jsonl")
    before = path.read_text()
    agreeing = ["parallel", "--threads", "1", "--reps", "2", "--runtimes", "gomp", *CALM]
    words = [*(agreeing[1:] if words == ["barrier"] else agreeing), *words]
    done = CliRunner().invoke(app, ["run", *words, "--resume", str(path)])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert path.read_text() == before


def test_other_libraries_than_at_the_beginning_are_told(tmp_path: Path) -> None:
    few = ("--threads", "1", "--reps", "1", "--runtimes", "gomp,bobbin", *CALM)
    done = lab("run", "parallel", *few, "-o", FILE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    same = lab("run", "parallel", *few, "--resume", FILE, cwd=tmp_path)
    assert same.returncode == 0, same.stderr
    assert "was begun" not in same.stdout
    first, *runs = (tmp_path / FILE).read_text().splitlines()
    session = json.loads(first)
    session["machine"]["libbobbin"] = "0123456789ab"
    session["runtimes"]["gomp"] = "/else/libgomp.so.1"
    (tmp_path / FILE).write_text("\n".join([json.dumps(session), *runs, ""]))
    done = lab("run", "--resume", FILE, *CALM, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"When {FILE} was begun, gomp was /else/libgomp.so.1 and is " in done.stdout
    assert f"When {FILE} was begun, libbobbin.so.1 was another build of it." in done.stdout
