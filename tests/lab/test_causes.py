# SPDX-License-Identifier: Apache-2.0
"""What `advise` finds that keeps a program, in programs with one planted fault each."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from advised import FEW, advice, script

from bobbin_lab.advice.allowed import Allowed, allowed
from bobbin_lab.advice.asked import Asked
from bobbin_lab.causes.figures import Profile, Site
from bobbin_lab.causes.rules import Cause, Watched, causes
from bobbin_lab.causes.watch import Watcher

SOURCE = Path(__file__).parent / "planted.c"
PATIENCE_S = 600.0
TRIES = 8


def line_of(fault: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {fault}"))


def is_at(cause: Cause, fault: str) -> bool:
    """Returns whether it has the fault's line. gcc may tell the line of an enclosing construct."""
    found = re.match(rf"{SOURCE.name}:(\d+) ", cause.where)
    return found is not None and line_of(fault) - 3 <= int(found[1]) <= line_of(fault)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("planted") / "planted"
    compiler = os.environ.get("CC", "gcc")
    subprocess.run([compiler, "-O1", "-g", "-fopenmp", SOURCE, "-o", program], check=True)
    return program


def watch(program: Path, case: str, threads: int = 2) -> Watched:
    asked = Asked((str(program), case), {"OMP_NUM_THREADS": str(threads)})
    # As on a machine with at least two processors.
    limits = Allowed(max(allowed().threads, 2))
    watcher = Watcher(asked, limits, threads, PATIENCE_S)
    watched = watcher.watch(PATIENCE_S)
    assert watched is not None, watcher.problem
    return watched


def first(program: Path, case: str) -> Cause:
    found = causes(watch(program, case))
    assert found, case
    return found[0]


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ("uneven", "imbalance"),
        ("in_turns", "waits"),
        ("serial", "serial part"),
        ("lock", "lock"),
        ("chain", "too little parallelism"),
    ],
)
def test_a_planted_fault_is_found_at_its_line(planted: Path, case: str, fault: str) -> None:
    cause = first(planted, case)
    assert cause.name == fault
    assert cause.share > 0.1
    assert is_at(cause, fault)


@pytest.mark.parametrize("fault", ["too fine tasks", "too fine chunks", "too brief regions"])
def test_what_is_too_fine_is_found(planted: Path, fault: str) -> None:
    """How much of the time it takes depends on what else the machine does."""
    case = {"too fine tasks": "fine_tasks", "too fine chunks": "fine_chunks"}.get(fault, "brief")
    found = {cause.name: cause for cause in causes(watch(planted, case))}
    assert fault in found
    assert is_at(found[fault], fault)
    assert "memory" not in found


def test_the_time_before_the_first_region_is_start_up(planted: Path) -> None:
    cause = first(planted, "start_up")
    assert cause.name == "start-up"
    assert 0.2 <= watch(planted, "start_up").profile.start_up < 0.6
    assert "parallel" not in cause.remedy


def test_a_program_without_a_fault_has_no_cause(planted: Path) -> None:
    assert causes(watch(planted, "even")) == []


def test_more_threads_than_processors(planted: Path) -> None:
    watched = watch(planted, "crowd", threads=4 * allowed().processors)
    cause = next(c for c in causes(watched) if c.name == "more threads than processors")
    assert is_at(cause, "more threads")
    assert not {"imbalance", "waits", "memory"} & {c.name for c in causes(watched)}


def test_threads_that_hold_each_other_up(planted: Path) -> None:
    """They must really run at once, so it is tried again on a busy machine."""
    ran_at_once = False
    for _ in range(TRIES):
        watched = watch(planted, "memory")
        if watched.profile.on_processors <= 0.75:
            continue
        ran_at_once = True
        if found := causes(watched):
            assert found[0].name == "memory"
            assert is_at(found[0], "memory")
            return
    assert not ran_at_once, "no cause was found"
    pytest.skip("the threads had no two processors at once")


SECONDS = (
    "work serial fork task_creation dependence_check dependence_release reduction barrier "
    "taskwait taskgroup dependence_wait critical lock ordered atomic idle"
).split()


def profile(wall: float, spent: Mapping[str, float], *sites: Site) -> Profile:
    counts = {"chunks": 0}
    seconds = {**dict.fromkeys(SECONDS, 0.0), **spent}
    return Profile(wall, 0.0, 1.0, 2, seconds, counts, {"region": 1}, sites)


def loop(seconds: float) -> Site:
    return Site("loop", "a.c:3 (f)", True, seconds, 1, 2, seconds / 2)


def test_memory_is_told_from_a_machine_that_is_busy() -> None:
    """Work that takes longer because other programs have the processors is not held up."""
    alone = profile(1.0, {"work": 1.0}, loop(1.0))
    held = Watched(profile(0.9, {"work": 1.8}, loop(1.8)), 2, 2, alone)
    [cause] = causes(held)
    assert (cause.name, cause.where) == ("memory", "a.c:3 (f)")
    assert cause.share == pytest.approx(0.8 / 1.8)
    busy = replace(held, profile=replace(held.profile, on_processors=0.55))
    assert causes(busy) == []


def test_threads_that_the_program_needs_are_not_too_many() -> None:
    crowd = Watched(profile(1.0, {"work": 2.0}, loop(2.0)), 2, 16)
    assert [cause.name for cause in causes(crowd)] == ["more threads than processors"]
    assert causes(replace(crowd, needs_its_threads=True)) == []


def test_no_bound_is_told_that_the_measured_times_refute() -> None:
    held = Watched(profile(1.0, {"work": 0.1, "serial": 0.95}, loop(0.1)), 2, 2)
    [cause] = causes(held)
    assert cause.name == "serial part"
    assert "at most" not in cause.seen


def test_a_loss_below_a_tenth_is_not_told() -> None:
    near = Site("loop", "a.c:3 (f)", True, 1.85, 1, 2, 1.0)
    assert causes(Watched(profile(1.0, {"work": 1.85, "barrier": 0.15}, near), 2, 2)) == []
    far = replace(near, seconds=1.7)
    [cause] = causes(Watched(profile(1.0, {"work": 1.7, "barrier": 0.3}, far), 2, 2))
    assert cause.name == "imbalance"


def test_the_command_says_why(planted: Path, tmp_path: Path) -> None:
    text = advice(tmp_path, planted, "uneven", OMP_NUM_THREADS="2")
    assert re.search(rf"imbalance at {SOURCE.name}:\d+ \(uneven\)", text)
    assert "schedule(dynamic)" in text
    assert text.index("imbalance at") > text.index("Wall time of the program")


def test_the_budget_ends_a_run_that_is_watched(planted: Path, tmp_path: Path) -> None:
    """It takes long only under the profile."""
    slow = script(tmp_path, f'test -z "$BOBBIN_RECORD" || sleep 60; exec {planted} start_up')
    began = time.monotonic()
    text = advice(tmp_path, slow, options=(*FEW, "--budget", "8"))
    assert "Where its time goes could not be watched: timed out" in text
    assert time.monotonic() - began < 40


def test_a_program_that_cannot_be_watched_gets_advice_nevertheless(
    planted: Path, tmp_path: Path
) -> None:
    stubborn = script(tmp_path, f'test -z "$BOBBIN_RECORD" && exec {planted} uneven', "exit 4")
    text = advice(tmp_path, stubborn, options=FEW)
    assert "Where its time goes could not be watched: exit 4" in text
    assert "what you have" in text
