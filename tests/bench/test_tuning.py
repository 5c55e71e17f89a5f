# SPDX-License-Identifier: Apache-2.0
"""Programs are right and come to an end whichever heuristics are off, and each has counters."""

from __future__ import annotations

import re

import programs
import pytest
from programs import Command, passes, run

COMMANDS: list[Command] = [
    ("fib", "n=18"),
    ("producer", "tasks=2000"),
    ("chain", "tasks=5000", "addresses=7"),
    ("taskloop", "iterations=2000"),
    ("region", "op=dynamic"),
    ("gap", "period=1000", "seconds=0.1"),
    ("token", "threads=4", "handovers=20"),
]
ROW = re.compile(r"^bobbin: ([a-z-]+) +(\d+) +(\d+) +(\d+)( \(off\))?$", re.MULTILINE)


def counted(
    tuning: str,
    monkeypatch: pytest.MonkeyPatch,
    command: Command = ("fib", "n=18"),
    threads: int = 2,
) -> dict[str, tuple[int, int, bool]]:
    """What the table says of each heuristic: asked, yes, off."""
    monkeypatch.setitem(programs.ENVIRONMENT, "BOBBIN_TUNING", tuning)
    table = run(command, "bobbin", threads).stderr
    rows = ROW.findall(table)
    return {name: (int(asked), int(yes), is_off != "") for name, asked, yes, _, is_off in rows}


def off(names: list[str]) -> str:
    return ",".join(f"{name}:off" for name in names)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_all_off(command: Command, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(counted("counters", monkeypatch))
    assert len(names) > 10
    monkeypatch.setitem(programs.ENVIRONMENT, "BOBBIN_TUNING", off(names))
    passes(command, "bobbin", threads)


def test_each_off_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in counted("counters", monkeypatch):
        monkeypatch.setitem(programs.ENVIRONMENT, "BOBBIN_TUNING", off([name]))
        for command in COMMANDS[:3]:
            passes(command, "bobbin", 3)


def test_counters_count(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counted("counters,apart:off", monkeypatch)
    assert [name for name, (_, _, is_off) in counts.items() if is_off] == ["apart"]
    assert counts["defer-limit"][0] > 0
    assert all(yes <= asked for asked, yes, _ in counts.values())


def test_a_team_of_one_asks_no_heuristic_for_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    chain: Command = ("chain", "tasks=5000", "addresses=7")
    assert counted("counters", monkeypatch, chain, threads=1)["brief-at-once"][:2] == (0, 0)
    assert counted("counters", monkeypatch, chain, threads=2)["brief-at-once"][0] > 0


def test_nothing_is_printed_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(programs.ENVIRONMENT, "BOBBIN_TUNING", "apart:off")
    assert run(("fib", "n=18"), "bobbin", 2).stderr == ""


def test_helpers_spin_for_as_long_as_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    seldom: Command = ("gap", "period=2000", "seconds=1")
    monkeypatch.setitem(programs.ENVIRONMENT, "KMP_BLOCKTIME", "infinite")
    asked, woken_in_time, _ = counted("counters", monkeypatch, seldom)["spin-budget"]
    assert woken_in_time > 0
    assert woken_in_time <= asked
