# SPDX-License-Identifier: Apache-2.0
"""advise, on programs that take moments."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command import lab

from bobbin_lab.advice import Trial, recommendation
from bobbin_lab.runtimes import MissingError, Runtime
from bobbin_lab.settings import Setting, candidates

FEW = ("--quiet-wait", "0", "--reps", "1", "--no-policies")


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
    done = lab("advise", *FEW, checked, cwd=tmp_path)
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
    done = lab("advise", *FEW, script, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(script) in done.stdout


WANTS_INPUT = """#!/bin/sh
text=$(cat)
[ "$text" = "$WANTED" ] || { echo "got <$text>"; exit 3; }
"""


@pytest.fixture
def wants_input(tmp_path: Path) -> Path:
    script = tmp_path / "wants-input"
    script.write_text(WANTS_INPUT)
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("named", [True, False])
def test_each_run_reads_a_file_anew(wants_input: Path, tmp_path: Path, named: bool) -> None:
    """From where it is: others may have read what stands before."""
    given = tmp_path / "given"
    given.write_text("one\ntwo\nthree\n")
    with given.open("rb", buffering=0) as file:
        file.seek(len("one\n"))
        if not named:
            given.unlink()
        wanted = ("env", "WANTED=two\nthree", wants_input)
        done = lab("advise", *FEW, *wanted, cwd=tmp_path, stdin=file)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "failed" not in done.stdout
        assert file.tell() == len("one\n")


@pytest.mark.parametrize("source", ["/dev/null", "terminal"])
def test_nothing_is_read_of_what_is_no_file(wants_input: Path, tmp_path: Path, source: str) -> None:
    ends = os.openpty() if source == "terminal" else (os.open(source, os.O_RDONLY),)
    try:
        done = lab("advise", *FEW, "env", "WANTED=", wants_input, cwd=tmp_path, stdin=ends[-1])
    finally:
        for end in ends:
            os.close(end)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "failed" not in done.stdout


def test_a_pipe_is_refused(wants_input: Path, tmp_path: Path) -> None:
    """Whatever is in it: one run would read it, and the others nothing."""
    reader, writer = os.pipe()
    os.close(writer)
    done = lab("advise", *FEW, wants_input, cwd=tmp_path, stdin=reader)
    os.close(reader)
    assert done.returncode == 125
    assert "only one run could read" in done.stderr
    assert done.stdout == ""


def test_what_is_missing_to_tell_a_programs_libraries_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="apt-get install binutils"):
        candidates("/bin/sh")


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


def test_the_best_of_many_is_not_fastest_by_chance() -> None:
    """22 settings, as on two processors, that differ in nothing."""
    rng, sure = np.random.default_rng(1), 0
    for _ in range(60):
        times = [list(1 + 0.05 * abs(rng.standard_normal(5))) for _ in range(22)]
        trials = [trial("gomp", t, **({"A": str(i)} if i else {})) for i, t in enumerate(times)]
        advice = recommendation(trials)
        sure += advice is not None and " is fastest" in advice.sentence
    assert sure <= 1
