# SPDX-License-Identifier: Apache-2.0
"""run, on programs that take moments, and what the commands have in common."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command import BOBBIN, CALM, ENVIRONMENT, lab
from results import results_of, write
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.commands.options import console
from bobbin_lab.commands.run import say_trust
from bobbin_lab.experiments import catalogue
from bobbin_lab.measure.schedule import Settings
from bobbin_lab.measure.session import Plan, Request, measure
from bobbin_lab.output.summary import tables
from bobbin_lab.places import NAMES, PROGRAMS, Compiler
from bobbin_lab.report import render
from bobbin_lab.results.records import Better
from bobbin_lab.runtimes import MissingError, usable_runtimes
from bobbin_lab.suites import TABLES


def test_run_writes_lines_resumes_and_reports(tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    few = ("--threads", "1,2", "--reps", "2", "--runtimes", "gomp,bobbin", *CALM)
    done = lab("run", "parallel", *few, "-o", results, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["session"] + 8 * ["run"]
    session = lines[0]
    assert session["machine"]["processors"] == len(os.sched_getaffinity(0))
    assert "libbobbin" in session["runtimes"]["bobbin"]
    assert "libgomp" in session["runtimes"]["gomp"]
    assert all(reading["value"] > 0 for line in lines[1:] for reading in line["readings"][:1])
    if session["machine"]["processors"] > 1:
        assert all(line["noise"]["transfer_ns"] > 0 for line in lines[1:])
        assert all(line["noise"]["together"] > 0 for line in lines[1:])

    results.write_text("".join(json.dumps(line) + "\n" for line in lines[:4]))
    done = lab("run", "--resume", results, "--report", "r.html", *CALM, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    again = [json.loads(line) for line in results.read_text().splitlines()]
    runs = {(r["case"], r["round"]) for r in again if r["kind"] == "run"}
    assert len([r for r in again if r["kind"] == "run"]) == len(runs) == 8
    assert "empty parallel region" in (tmp_path / "r.html").read_text()

    refused = lab("run", "parallel", "-o", results, cwd=tmp_path)
    assert refused.returncode == 125
    assert "--resume" in refused.stderr


def test_a_library_takes_part_by_its_path(tmp_path: Path) -> None:
    names = NAMES / "libgomp.so.1"
    few = ("--threads", "2", "--reps", "1", *CALM)
    done = lab("run", "parallel", "--runtimes", f"mine={names}", *few, "-o", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    session = json.loads((tmp_path / "r").read_text().splitlines()[0])
    assert "libbobbin" in session["runtimes"]["mine"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "no-such-suite"), "no suite or benchmark 'no-such-suite'"),
        (("run", "quick", "--runtimes", "nowhere"), "no runtime 'nowhere'"),
        (("run", "quick", "--runtimes", "/no/lib.so"), "no library /no/lib.so"),
        (("compare", "absent.jsonl"), "no results absent.jsonl"),
        (("run", "quick", "--update", "absent.md"), "no document absent.md"),
        (("compare", BOBBIN), "holds no results of the lab: it is not text"),
        (("run", "quick", "--update", BOBBIN), "is not text"),
        (("run", "foundation", "--threads", "4"), "has its own numbers of threads"),
        (("run", "tasks", "--compiler", "clang"), "is of programs built by gcc"),
        (("run", "quick", "--report", "absent/r.html"), "absent/r.html cannot be written"),
        (("run", "quick", "-o", "/dev/null/r"), "/dev/null"),
        (("run", "--no-such-option"), "No such option"),
        (("no-such-command",), "No such command"),
        (("compare",), "Missing argument"),
        (("run", "--reps", "many"), "Invalid value"),
    ],
)
def test_mistakes_are_said(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = lab(*words, cwd=tmp_path)
    assert done.returncode == 125
    assert said in done.stderr


def may_write_as_told(path: Path, mode: int) -> bool:
    """os.access for a user other than root, so that the permissions count."""
    bits = os.stat(path).st_mode >> 6
    return mode & bits == mode


@pytest.mark.parametrize("option", ["--report", "--markdown", "--update"])
@pytest.mark.parametrize("there", [False, True])
def test_what_may_not_be_written_is_told_before_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, there: bool
) -> None:
    monkeypatch.setattr("os.access", may_write_as_told)
    folder = tmp_path / "folder"
    folder.mkdir()
    document = folder / "d"
    if there or option == "--update":
        document.write_text("<!-- parallel -->\n<!-- /parallel -->\n")
        document.chmod(0o444)
    else:
        folder.chmod(0o555)
    few = ["--runtimes", "gomp", "--threads", "1", "--reps", "1", *CALM]
    results = tmp_path / "r.jsonl"
    words = ["run", "parallel", *few, option, str(document), "-o", str(results)]
    done = CliRunner().invoke(app, words)
    assert str(done.exception).startswith(f"{document} cannot be written")
    assert not results.exists()


def test_results_that_cannot_be_written_are_told_before_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bobbin_lab.host.noise.wait_until_quiet", lambda _limit: pytest.fail("waits"))
    plan = Plan(Request("parallel", ("gomp",), (1,), Compiler.GCC, Settings()))
    with pytest.raises(OSError, match="/dev/null"):
        measure(plan.work(), Path("/dev/null/r"), console())


def test_another_encoding_than_utf_8_loses_signs_alone(tmp_path: Path) -> None:
    made = results_of({"barrier": {"gomp": lambda t: 1 + np.log2(t)}})
    results = str(write(made, tmp_path / "r.jsonl"))
    words = [BOBBIN, "lab", "model", results]
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment = {**ENVIRONMENT, **ascii_only}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "adj. R?" in done.stdout
    words[2:] = ["report", results, "-o", str(tmp_path / "r.html")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "log₂ t" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", ["run list", "--help"])
@pytest.mark.parametrize(("to", "said"), [("/dev/full", "No space left"), ("&-", "it is closed")])
def test_output_that_cannot_be_written_is_told(words: str, to: str, said: str) -> None:
    command = ["sh", "-c", f'"$0" lab {words} >{to}', BOBBIN]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert done.returncode == 125
    assert done.stderr.startswith(f"bobbin lab: cannot write the output: {said}")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [BOBBIN, "lab", "run", "list"]
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, check=False, env=ENVIRONMENT
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


# For rich the first is an end tag without a start tag, and the second one is a style.
BRACKETS = "no [/memory] left for [bold] x[0]"


def test_brackets_in_what_a_program_says_are_no_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "[red]program"
    script.write_text(f"#!/bin/sh\necho '{BRACKETS}'\nexit 3\n")
    script.chmod(0o755)
    done = lab("advise", "--quiet-wait", "0", script, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert BRACKETS in done.stdout
    screen = console()
    made = results_of({"barrier [a]": {"[b]": float}}, threads=(1, 2))
    made.runs.append(dataclasses.replace(made.runs[0], error=BRACKETS))
    say_trust(screen, made)
    for table in tables(made):
        screen.print(table)
    shown = capsys.readouterr().out
    for words in (BRACKETS, "barrier [a]", "[b]"):
        assert words in shown


def test_a_library_on_which_programs_hang_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "hang.c"
    source.write_text(
        "#include <unistd.h>\n__attribute__((constructor)) static void hang(void) { pause(); }\n"
    )
    library = source.with_suffix(".so")
    subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", library], check=True)
    monkeypatch.setattr("bobbin_lab.runtimes._PATIENCE", 0.3)
    with pytest.raises(MissingError, match=r"hang\.so: a program on it did not end"):
        usable_runtimes([str(library)])


def test_only_what_is_measured_must_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report of the table can be made without Tesseract, and the rest of the table measured."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("bobbin_lab.experiments.pages.cache", lambda: tmp_path)
    made = dataclasses.replace(results_of({"token": {"gomp": float}}), name="foundation")
    made.sessions[0] = dataclasses.replace(made.sessions[0], suite="foundation")
    assert "Figures with targets: foundation" in render(made)
    assert list(tmp_path.iterdir()) == []

    def plan(only: str) -> Plan:
        return Plan(Request("foundation", ("gomp",), (), Compiler.GCC, Settings(), only))

    assert [e.name for e in plan("token").experiments] == ["token"]
    with pytest.raises(MissingError, match="tesseract is missing"):
        plan("tesseract")


CATALOGUE = """
[threads]
default = [1, 2]
[suites]
some = ["tree-T1"]
[[benchmark]]
name = "tree-{}"
title = "tree {}"
group = "tree"
program = "uts"
variants = ["T1", "T3"]
arguments = ["tree={}"]
serial = ["tree={}", "mode=serial"]
metrics.time_ms = { unit = "ms", better = "lower" }
[benchmark.others]
oneTBB = ["uts_tbb", "tree={}"]
"""


def test_a_stanza_becomes_an_experiment() -> None:
    one, three = catalogue.parse(CATALOGUE)
    assert (one.name, one.title, one.suites, three.suites) == ("tree-T1", "tree T1", ("some",), ())
    cases = {case.name: case for case in catalogue.experiment(three, ["gomp", "bobbin"]).cases}
    assert {name: case.threads for name, case in cases.items()} == {
        "gomp, 1": 1,
        "gomp, 2": 2,
        "bobbin, 1": 1,
        "bobbin, 2": 2,
        "oneTBB, 1": 1,
        "oneTBB, 2": 2,
        "serial": 1,
    }
    assert cases["oneTBB, 2"].argv[0].endswith("/uts_tbb")
    assert cases["serial"].argv[1:] == ("tree=T3", "mode=serial")


def test_a_stanza_that_lacks_something_is_refused() -> None:
    with pytest.raises(catalogue.CatalogueError, match="no 'program'"):
        catalogue.parse(CATALOGUE.replace("program =", "programme ="))
    with pytest.raises(catalogue.CatalogueError, match="tree-T2"):
        catalogue.parse(CATALOGUE.replace("tree-T1", "tree-T2"))
    with pytest.raises(catalogue.CatalogueError, match="no list 'trees'"):
        catalogue.parse(CATALOGUE.replace('variants = ["T1", "T3"]', 'variants_of = ["trees"]'))
    with pytest.raises(catalogue.CatalogueError, match="no 'name'"):
        catalogue.parse(CATALOGUE.replace('name = "tree-{}"', ""))
    with pytest.raises(catalogue.CatalogueError, match="tree-T1: 'faster' is not"):
        catalogue.parse(CATALOGUE.replace('"lower"', '"faster"'))


def test_a_variant_without_a_title_has_its_name() -> None:
    benchmarks = catalogue.parse(CATALOGUE.replace('title = "tree {}"', ""))
    assert [b.title for b in benchmarks] == ["tree-T1", "tree-T3"]


def test_the_catalogue_names_programs_that_are_built() -> None:
    benchmarks = catalogue.load()
    names = [benchmark.name for benchmark in benchmarks]
    assert len(names) == len(set(names))
    for benchmark in benchmarks:
        assert (PROGRAMS / benchmark.program).exists(), benchmark.name
        assert all(isinstance(m.better, Better) for m in benchmark.metrics.values())


@pytest.mark.parametrize("table", TABLES)
def test_figures_of_tables_have_cases_and_unique_labels(table: str, tmp_path: Path) -> None:
    every = TABLES[table].experiments()
    labels = [figure.label for experiment in every for figure in experiment.figures]
    assert len(labels) == len(set(labels))
    for experiment in every:
        cases = {case.name for case in experiment.cases}
        for figure in experiment.figures:
            assert figure.base is None or figure.base in cases


def test_the_bare_command_helps_and_begins_with_the_users_program() -> None:
    bare, asked = (
        subprocess.run(
            [BOBBIN, "lab", *words], capture_output=True, text=True, check=False, env=ENVIRONMENT
        )
        for words in ((), ("--help",))
    )
    assert (bare.returncode, bare.stderr) == (0, "")
    assert bare.stdout.split() == asked.stdout.split()
    commands = asked.stdout.split("Commands:")[1].splitlines()
    names = [line.split()[0] for line in commands if line.startswith("  ") and line.strip()]
    assert names[:2] == ["advise", "compare"]
