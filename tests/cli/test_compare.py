# SPDX-License-Identifier: Apache-2.0
"""bobbin compare: the figures, the sentences, and what it refuses."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Compile, clean_environment, run

SOURCE = "compared.c"


@pytest.fixture
def program(compile_c: Compile) -> Path:
    return compile_c(SOURCE, "-fopenmp")


def compared(
    bobbin: Path, *words: str | Path, stdin: str | Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    with open(stdin or os.devnull) as given:
        return subprocess.run(
            [str(bobbin), "compare", *map(str, words)],
            env=clean_environment() | variables,
            stdin=given,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )


def figures(bobbin: Path, folder: Path, *words: str | Path, **variables: str) -> dict[str, Any]:
    file = folder / "times.json"
    result = compared(bobbin, "--json", file, *words, **variables)
    assert result.returncode == 0, result.stderr
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def interval(before: list[float], after: list[float]) -> tuple[float, float]:
    """That of Mann and Whitney's test, by counting all orders of the runs."""
    n, m = len(before), len(after)
    orders = [
        sum(place - i for i, place in enumerate(places))
        for places in itertools.combinations(range(n + m), n)
    ]
    outside = max(u for u in range(n * m) if sum(o <= u for o in orders) <= 0.025 * len(orders))
    ratios = sorted(b / a for b in before for a in after)
    return ratios[outside], ratios[-1 - outside]


@pytest.mark.parametrize("runs", [4, 5, 7])
def test_the_interval_is_that_of_the_test(
    bobbin: Path, program: Path, tmp_path: Path, runs: int
) -> None:
    usual, other = figures(bobbin, tmp_path, "--runs", str(runs), program)["sides"]
    for times, told in (("seconds", "speedup"), ("processor_seconds", "processor_time_saved")):
        assert len(usual[times]) == len(other[times]) == runs
        low, high = interval(usual[times], other[times])
        ratios = [b / a for b in usual[times] for a in other[times]]
        assert other[told]["low"] == pytest.approx(low)
        assert other[told]["high"] == pytest.approx(high)
        assert other[told]["value"] == pytest.approx(statistics.median(ratios))


def test_times_are_those_of_the_program(bobbin: Path, program: Path, tmp_path: Path) -> None:
    found = figures(bobbin, tmp_path, program, "10", "sleep", OMP_NUM_THREADS="2")
    assert found["command"] == [str(program), "10", "sleep"]
    assert found["regions"] == 10
    assert [Path(path).name for path in found["libraries"]] == ["libgomp.so.1"]
    usual, other = found["sides"]
    assert (usual["name"], usual["on_bobbin"]) == ("libgomp", False)
    assert (other["name"], other["on_bobbin"], other["against"]) == ("Bobbin", True, "libgomp")
    for side in (usual, other):
        assert min(side["seconds"]) >= 0.3
        assert statistics.median(side["processor_seconds"]) < 0.3


def test_many_threads_in_many_regions_are_faster_on_bobbin(bobbin: Path, program: Path) -> None:
    result = compared(bobbin, program, "2000", OMP_NUM_THREADS="8")
    assert result.returncode == 0, result.stderr
    assert "2,000 parallel regions, 8 threads" in result.stdout
    assert "x faster than libgomp (" in result.stdout
    assert "less processor time.\n" in result.stdout
    assert f"bobbin run {program} 2000\n" in result.stdout
    assert f"bobbin run --profile {program} 2000\n" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.split("\n\nTo run")[0].splitlines())


def test_threads_and_variables_make_sides(bobbin: Path, program: Path, tmp_path: Path) -> None:
    settings = ("--env", "OMP_WAIT_POLICY=active", "--env", "BOBBIN_PROVIDER=kernel")
    found = figures(bobbin, tmp_path, "--threads", "1,2", *settings, "--runs", "1", program, "5")
    names = [side["name"] for side in found["sides"]]
    assert names[:5] == [
        "libgomp, -n 1",
        "Bobbin, -n 1",
        "libgomp with OMP_WAIT_POLICY=active, -n 1",
        "Bobbin with OMP_WAIT_POLICY=active, -n 1",
        "Bobbin with BOBBIN_PROVIDER=kernel, -n 1",
    ]
    assert names[5:] == [name.replace("-n 1", "-n 2") for name in names[:5]]
    assert {side.get("against") for side in found["sides"][6:]} == {"libgomp, -n 2"}
    assert found["sides"][3]["variables"]["OMP_WAIT_POLICY"] == "active"
    assert found["sides"][5]["variables"] == {"OMP_NUM_THREADS": "2"}
    assert "low" not in found["sides"][1]["speedup"]


def test_variables_reach_the_program(bobbin: Path, program: Path) -> None:
    words = ("--same-output", "--runs", "1", "--env", "SETTING=1", program, "1", "setting")
    result = compared(bobbin, *words)
    assert result.returncode == 1
    assert "the output on libgomp with SETTING=1 is not that on libgomp: " in result.stderr
    assert "line 2 is 'set' instead of missing" in result.stderr


def test_too_few_runs_are_told(bobbin: Path, program: Path) -> None:
    result = compared(bobbin, "--runs", "3", program)
    assert result.returncode == 0
    assert "perhaps " in result.stdout
    assert "3 runs of each are too few to be sure (--runs 4 or more)" in result.stdout


def test_the_output_is_compared(bobbin: Path, program: Path) -> None:
    assert compared(bobbin, "--same-output", program).returncode == 0
    assert compared(bobbin, program, "1", "side").returncode == 0
    result = compared(bobbin, "--same-output", program, "1", "side")
    assert result.returncode == 1
    assert result.stderr == (
        "bobbin compare: the output on Bobbin is not that on libgomp: line 2 is 'on Bobbin: 1' "
        "instead of 'on Bobbin: 0'\n"
    )
    result = compared(bobbin, "--same-output", program, "1", "chance")
    assert result.returncode == 1
    assert "the output" in result.stderr


def test_each_run_reads_the_input(bobbin: Path, program: Path, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.write_text("a matrix\n")
    words = ("--same-output", "--runs", "2", program, "1", "input", "side")
    result = compared(bobbin, *words, stdin=given)
    assert "line 3" in result.stderr  # the lines before have been equal, the input's too
    reader = ("sh", "-c", f"{program} 1; read line; test \"$line\" = 'a matrix'")
    assert compared(bobbin, "--runs", "2", *reader, stdin=given).returncode == 0
    assert compared(bobbin, "--runs", "2", *reader).returncode == 1


def test_a_pipe_is_refused(bobbin: Path, program: Path) -> None:
    result = subprocess.run(
        [bobbin, "compare", program], input="text", capture_output=True, text=True, check=False
    )
    assert result.returncode == 125
    assert "the standard input is a pipe" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fail",), "as it is ends with status 3 (the matrix is singular)"),
        (
            ("fail-on-bobbin",),
            "on Bobbin ends with status 3 (the matrix is singular), and not on libgomp",
        ),
        (("abort",), "on Bobbin is killed by a signal: Aborted, and not on libgomp"),
    ],
)
def test_a_program_that_fails(
    bobbin: Path, program: Path, words: tuple[str, ...], said: str
) -> None:
    result = compared(bobbin, program, "1", *words)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == f"bobbin compare: {program} {said}\n"


def test_programs_without_openmp(bobbin: Path, program: Path, library: Path) -> None:
    result = compared(bobbin, "true")
    assert result.returncode == 1
    assert "has loaded no OpenMP runtime: Bobbin changes nothing" in result.stderr
    result = compared(bobbin, program, "0")
    assert result.returncode == 1
    assert "has loaded libgomp, and has begun no parallel region" in result.stderr
    result = compared(bobbin, bobbin, "run", program)
    assert result.returncode == 1
    assert f"runs on Bobbin by itself: it has loaded {library.parent}" in result.stderr


def test_programs_that_cannot_run(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    result = compared(bobbin, "./absent")
    assert result.returncode == 127
    assert result.stderr == "bobbin compare: ./absent does not exist\n"
    script = tmp_path / "script.py"
    script.write_text("pass\n")
    result = compared(bobbin, script)
    assert result.returncode == 126
    assert f"to run the script: bobbin compare python3 {script}" in result.stderr
    static = compile_c("fib_tasks.c", "-static", name="static")
    result = compared(bobbin, static)
    assert result.returncode == 126
    assert "is statically linked" in result.stderr


def test_a_runtime_of_llvm_is_named(bobbin: Path, clang: str, tmp_path: Path) -> None:
    program = tmp_path / "compared"
    source = Path(__file__).parent / "programs" / SOURCE
    built = run(clang, "-O1", "-fopenmp", source, "-o", program)
    assert built.returncode == 0, built.stderr
    found = figures(bobbin, tmp_path, "--runs", "1", program)
    assert [side["name"] for side in found["sides"]] == ["libomp", "Bobbin"]


def test_the_file_is_checked_before_the_program_starts(
    bobbin: Path, program: Path, tmp_path: Path
) -> None:
    for file, said in (
        (tmp_path / "absent/times.json", "cannot write"),
        (program, "is a program, which the output would overwrite"),
        (tmp_path, "is a folder"),
    ):
        before = program.read_bytes()
        result = compared(
            bobbin, "--json", file, "sh", "-c", f"touch {tmp_path}/started; {program}"
        )
        assert result.returncode == 125
        assert said in result.stderr
        assert not (tmp_path / "started").exists()
        assert program.read_bytes() == before


def test_nothing_is_left_behind(bobbin: Path, program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    assert compared(bobbin, program, TMPDIR=str(folder)).returncode == 0
    assert os.listdir(folder) == []
