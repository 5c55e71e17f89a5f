# SPDX-License-Identifier: Apache-2.0
"""bobbin env: every setting with its origin."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import Compile, run


def settings(output: str) -> dict[str, tuple[str, str]]:
    """Value and origin by name."""
    head, *lines = output.partition("\n\n")[0].splitlines()
    assert head.split() == ["NAME", "VALUE", "FROM"]
    found = {}
    for line in lines:
        name, value, origin = re.split(r"\s{2,}", line.strip(), maxsplit=2)
        found[name] = (value, origin)
    return found


def team_size(output: str) -> tuple[str, str]:
    return settings(output)["OMP_NUM_THREADS"]


def test_default_team_size_tells_its_reason(bobbin: Path) -> None:
    result = run(bobbin, "env")
    assert result.returncode == 0, result.stderr
    value, origin = team_size(result.stdout)
    assert 1 <= int(value) <= (os.cpu_count() or 1)
    assert "OMP_NUM_THREADS" not in origin


def test_variable_is_named_as_the_source(bobbin: Path) -> None:
    value, origin = team_size(run(bobbin, "env", OMP_NUM_THREADS="3").stdout)
    assert value == "3"
    assert origin.startswith("OMP_NUM_THREADS")


def test_options_show_what_run_would_do(bobbin: Path) -> None:
    output = run(bobbin, "env", "-n", "5", OMP_NUM_THREADS="3").stdout
    assert team_size(output) == ("5", "-n")
    output = run(bobbin, "env", "--stacksize", "1m", OMP_NUM_THREADS="3").stdout
    assert settings(output)["OMP_STACKSIZE"] == ("1M", "--stacksize")
    assert team_size(output) == ("3", "OMP_NUM_THREADS")


def test_affinity_mask_counts(bobbin: Path) -> None:
    one = min(os.sched_getaffinity(0))
    value, origin = team_size(run("taskset", "-c", str(one), bobbin, "env").stdout)
    assert value == "1"
    assert "affinity" in origin or "processor" in origin


def test_bad_value_is_reported_once(bobbin: Path) -> None:
    result = run(bobbin, "env", OMP_NUM_THREADS="many")
    complaints = [line for line in result.stderr.splitlines() if "OMP_NUM_THREADS" in line]
    assert len(complaints) == 1
    assert "many" in complaints[0]


def test_misspelt_variable_is_told_by_env_and_run(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    for words in (["env"], ["run", program]):
        said = run(bobbin, *words, OMP_NUM_THREAD="4").stderr
        assert "there is no variable OMP_NUM_THREAD; the nearest is OMP_NUM_THREADS" in said
    assert run(bobbin, "env", OMP_UNHEARD_OF="1").stderr == ""


def test_rows_are_named_by_the_variables_that_people_set(bobbin: Path) -> None:
    names = settings(run(bobbin, "env").stdout)
    assert {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_SCHEDULE", "BOBBIN_PROVIDER"} <= set(names)
    assert not [name for name in names if name.endswith("-var")]


def without_effect(output: str) -> list[str]:
    heading, *lines = output.partition("\n\n")[2].splitlines()
    assert heading == "Set, but without effect"
    return [line.strip() for line in lines]


def test_what_is_set_without_effect_is_listed(bobbin: Path) -> None:
    assert "without effect" not in run(bobbin, "env", OMP_STACKSIZE="4m").stdout
    variables = {"OMP_STACKSIZE": "4m", "GOMP_STACKSIZE": "8m", "KMP_HW_SUBSET": "4096s"}
    output = run(bobbin, "env", **variables, OMP_NUM_THREAD="4").stdout
    assert settings(output)["OMP_STACKSIZE"] == ("4M", "OMP_STACKSIZE")
    assert settings(output)["KMP_HW_SUBSET"] == ("-", "default")
    assert "GOMP_STACKSIZE" not in settings(output)
    assert without_effect(output) == [
        "GOMP_STACKSIZE=8m: OMP_STACKSIZE comes before it",
        "KMP_HW_SUBSET=4096s: it asks for more than there is",
        "OMP_NUM_THREAD=4: there is no such variable in Bobbin",
    ]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OMP_PROC_BIND", "close"),
        ("OMP_PLACES", "cores"),
        ("GOMP_CPU_AFFINITY", "0-3"),
        ("KMP_AFFINITY", "compact"),
    ],
)
def test_bound_threads_are_fibers(bobbin: Path, variable: str, value: str) -> None:
    result = run(bobbin, "env", **{variable: value}, BOBBIN_PROVIDER="fiber")
    assert settings(result.stdout)["provider"] == ("fiber", "BOBBIN_PROVIDER")
    assert "not possible" not in result.stderr


@pytest.mark.parametrize("words", [["--bogus"], ["surplus"]])
def test_bad_options(bobbin: Path, words: list[str]) -> None:
    assert run(bobbin, "env", *words).returncode == 125


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("command", ["env", "doctor /bin/true", "run --dry-run /bin/true"])
def test_output_that_cannot_be_written_is_told(bobbin: Path, command: str) -> None:
    result = run("sh", "-c", f'"$0" {command} >/dev/full', bobbin)
    assert result.returncode == 125
    assert "cannot write" in result.stderr
