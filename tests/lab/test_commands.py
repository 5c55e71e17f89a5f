# SPDX-License-Identifier: Apache-2.0
"""run and advise, on programs that take moments."""

from __future__ import annotations

import dataclasses
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from results import results_of, write

from bobbin_lab import catalogue
from bobbin_lab.advice import Trial, recommendation
from bobbin_lab.commands.options import console
from bobbin_lab.commands.run import say_trust
from bobbin_lab.places import NAMES, PROGRAMS, Compiler
from bobbin_lab.report import render
from bobbin_lab.runtimes import MissingError, Runtime, usable_runtimes
from bobbin_lab.schedule import Settings
from bobbin_lab.session import Plan, Request
from bobbin_lab.settings import Setting, candidates
from bobbin_lab.suites import TABLES
from bobbin_lab.summary import tables

ROOT = Path(__file__).resolve().parents[2]
BOBBIN = os.environ.get("BOBBIN_COMMAND", str(ROOT / "build/release/bin/bobbin"))


ENVIRONMENT = {**os.environ, "BOBBIN_LAB_PYTHON": sys.executable}


def lab(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BOBBIN, "lab", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=cwd,
        env=ENVIRONMENT,
    )


CALM = ("--quiet-wait", "0", "--retries", "0")


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_can_be_resumed(tmp_path: Path, number: signal.Signals) -> None:
    few = ("--threads", "1", "--reps", "400", "--runtimes", "gomp", *CALM)
    words = [BOBBIN, "lab", "run", "parallel", *few, "-o", "my r.jsonl"]
    running = subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    results = tmp_path / "my r.jsonl"
    until = time.monotonic() + 60
    while not results.exists() or results.read_text().count("\n") < 3:
        assert time.monotonic() < until
        time.sleep(0.05)
    running.send_signal(number)
    said, wrong = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "bobbin lab run --resume 'my r.jsonl'" in said
    assert wrong == ""
    kept = results.read_text().count("\n")
    # The first session's settings stay; 400 rounds would take long.
    lines = results.read_text().splitlines()
    session = {**json.loads(lines[0]), "rounds": kept}
    results.write_text("\n".join([json.dumps(session), *lines[1:], ""]))
    done = lab("run", "--resume", "my r.jsonl", *CALM, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert results.read_text().count('"kind": "run"') == kept


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


def test_another_encoding_than_utf_8_loses_signs_alone(tmp_path: Path) -> None:
    made = results_of({"barrier": {"gomp": lambda t: 1 + np.log2(t)}})
    words = [BOBBIN, "lab", "model", write(made, tmp_path / "r.jsonl")]
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment = {**ENVIRONMENT, **ascii_only}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "adj. R?" in done.stdout
    words[2:] = ["report", tmp_path / "r.jsonl", "-o", tmp_path / "r.html"]
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


def test_advise_finds_what_is_slow(tmp_path: Path) -> None:
    """A program that sleeps longer under one setting than under the others."""
    script = tmp_path / "program"
    script.write_text(
        '#!/bin/sh\n[ "$OMP_WAIT_POLICY" = passive ] && sleep 0.02 && exit 0\n'
        'case "$1" in --flag) sleep 0.2 ;; *) exit 3 ;; esac\n'
    )
    script.chmod(0o755)
    done = lab("advise", "--quiet-wait", "0", "--reps", "5", script, "--flag", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "OMP_WAIT_POLICY=passive is fastest" in done.stdout
    assert "dropped after the first round" in done.stdout
    failed = lab("advise", "--quiet-wait", "0", "--no-policies", script, cwd=tmp_path)
    assert failed.returncode == 1
    assert "exit 3" in failed.stdout


# To rich the first is an end without a beginning, the second a style.
BRACKETS = "no [/memory] left for [bold] x[0]"


def test_brackets_in_what_a_program_says_are_no_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "[red]program"
    script.write_text(f"#!/bin/sh\necho '{BRACKETS}'\nexit 3\n")
    script.chmod(0o755)
    done = lab("advise", "--quiet-wait", "0", "--no-policies", script, cwd=tmp_path)
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


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        ("static", 126, "is statically linked"),
        ("no-such-program", 127, "is not in PATH"),
        ("./simulate input.dat", 127, "as words of their own"),
    ],
)
def test_advise_measures_nothing_that_no_runtime_serves(
    program: str, status: int, said: str, tmp_path: Path
) -> None:
    if program == "static":
        source = tmp_path / "static.c"
        source.write_text("int main(void) { return 0; }\n")
        program = str(source.with_suffix(""))
        subprocess.run(["gcc", "-static", source, "-o", program], check=True)
    done = lab("advise", "--quiet-wait", "0", program, cwd=tmp_path)
    assert done.returncode == status
    assert said in done.stderr
    assert done.stdout == ""


def test_advise_measures_what_bobbin_run_does(tmp_path: Path) -> None:
    """The same name libraries, after AddressSanitizer's, which ends the program otherwise."""
    source = tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }\n")
    program, checked = tmp_path / "program", tmp_path / "checked"
    subprocess.run(["gcc", source, "-o", program], check=True)
    (bobbin,) = (s for s in candidates(str(program), False) if s.runtime.name == "bobbin")
    files = [path.name for path in bobbin.runtime.preload]
    assert files == [
        "libgomp.so.1",
        "bobbin-libomp.so.5",
        "bobbin-libomp.so",
        "bobbin-libiomp5.so",
    ]
    if subprocess.run(["gcc", "-fsanitize=address", source, "-o", checked], check=False).returncode:
        pytest.skip("gcc has no AddressSanitizer here")
    few = ("--quiet-wait", "0", "--reps", "1", "--no-policies")
    done = lab("advise", *few, checked, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failed" not in done.stdout


def test_the_command_that_is_advised_can_be_typed() -> None:
    words = ["./a program", "--text=it's", "50 %"]
    variables = {"OMP_PLACES": "{0},{1}", "OMP_DYNAMIC": "true"}
    for name, begin in (("gomp", []), ("bobbin", ["bobbin", "run"])):
        typed = Setting(Runtime(name, name), variables).command(words)
        assert typed.startswith("OMP_PLACES='{0},{1}' OMP_DYNAMIC=true ")
        assert shlex.split(typed)[2:] == [*begin, *words]


def trial(name: str, times: list[float], **variables: str) -> Trial:
    return Trial(Setting(Runtime(name, name), variables), times, times)


def test_advise_reads_nothing_into_what_a_program_prints(tmp_path: Path) -> None:
    script = tmp_path / "program"
    script.write_text("#!/bin/sh\necho metric=acc value=0.93,\necho check=skipped\n")
    script.chmod(0o755)
    few = ("--quiet-wait", "0", "--reps", "1", "--no-policies")
    done = lab("advise", *few, script, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(script) in done.stdout


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


def test_advice_says_when_it_may_be_chance() -> None:
    usual = trial("gomp", [1.0, 1.1, 0.9, 1.0, 1.05])
    near = trial("gomp", [0.99, 1.1, 0.9, 0.98, 1.0], OMP_DYNAMIC="true")
    far = trial("bobbin", [0.5, 0.51, 0.5, 0.49, 0.5])
    for trials, said in (
        ([usual, near], "may be chance"),
        ([usual, far], "bobbin is fastest, 2 times as fast"),
        ([usual, trial("omp", [3.0] * 5)], "Nothing was faster than gomp"),
    ):
        advice = recommendation(trials)
        assert advice is not None
        assert said in advice.sentence
    far.untrusted = 3
    advice = recommendation([usual, far])
    assert advice is not None
    assert "disturbed the runs" in advice.sentence
    assert recommendation([Trial(Setting(Runtime("a", "a")), error="x")]) is None


def test_only_what_is_measured_must_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report of the table can be made where Tesseract is not, and the rest of it measured."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    monkeypatch.setattr("bobbin_lab.pages.cache", lambda: tmp_path)
    made = dataclasses.replace(results_of({"token": {"gomp": float}}), name="foundation")
    made.sessions[0] = dataclasses.replace(made.sessions[0], suite="foundation")
    assert "Figures with targets: foundation" in render(made)
    assert list(tmp_path.iterdir()) == []

    def plan(only: str) -> Plan:
        return Plan(Request("foundation", ("gomp",), (), Compiler.GCC, Settings(), only))

    assert [e.name for e in plan("token").experiments] == ["token"]
    with pytest.raises(MissingError, match="tesseract is missing"):
        plan("tesseract")


def test_the_best_of_many_is_not_fastest_by_chance() -> None:
    """22 settings, as on two processors, that differ in nothing."""
    rng, sure = np.random.default_rng(1), 0
    for _ in range(60):
        times = [list(1 + 0.05 * abs(rng.standard_normal(5))) for _ in range(22)]
        trials = [trial("gomp", t, **({"A": str(i)} if i else {})) for i, t in enumerate(times)]
        advice = recommendation(trials)
        sure += advice is not None and " is fastest" in advice.sentence
    assert sure <= 1


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


def test_the_catalogue_names_programs_that_are_built() -> None:
    benchmarks = catalogue.load()
    names = [benchmark.name for benchmark in benchmarks]
    assert len(names) == len(set(names))
    for benchmark in benchmarks:
        assert (PROGRAMS / benchmark.program).exists(), benchmark.name
        assert {m.better for m in benchmark.metrics.values()} <= {"lower", "higher"}


@pytest.mark.parametrize("table", TABLES)
def test_figures_of_tables_have_cases_and_unique_labels(table: str, tmp_path: Path) -> None:
    every = TABLES[table].experiments()
    labels = [figure.label for experiment in every for figure in experiment.figures]
    assert len(labels) == len(set(labels))
    for experiment in every:
        cases = {case.name for case in experiment.cases}
        for figure in experiment.figures:
            assert figure.base is None or figure.base in cases
