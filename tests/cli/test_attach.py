# SPDX-License-Identifier: Apache-2.0
"""bobbin profile --pid: where the time of a process goes that runs already."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from conftest import PROGRAMS, TIMEOUT_S, Compile, Figures, Start, attached, run

# A program comes to where it hangs in less.
PATIENCE_S = 60

def marked(source: str, mark: str) -> int:
    lines = (PROGRAMS / source).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// line {mark}"))


def spent(figures: Figures, what: str, line: int | None = None) -> float:
    found = [
        float(site["seconds"])
        for site in figures["sites"]
        if site["what"] == what and (line is None or site.get("line") == line)
    ]
    return sum(found)


def test_shares_are_those_of_the_program(
    bobbin: Path, compile_c: Compile, start: Start, tmp_path: Path
) -> None:
    program = compile_c("attached.c", "-g", "-fopenmp")
    process = start(bobbin, "run", program, "12")
    figures = None
    while figures is None:
        figures = attached(bobbin, process, tmp_path, "6")
    assert figures["samples"] > 50
    assert [thread["type"] for thread in figures["threads"]][:2] == ["initial", "worker"]
    total = figures["total"]["thread_seconds"]
    for thread in figures["threads"]:
        assert sum(thread["seconds"].values()) == pytest.approx(thread["thread_seconds"])
        assert thread["thread_seconds"] <= figures["seconds"] * 1.001
    assert sum(site["seconds"] for site in figures["sites"]) == pytest.approx(total)
    # A round takes 0.8 s: 0.1 s work of one thread, 0.05 s of both by turns, a task of 0.1 s, and
    # half a second in the kernel. On a busy machine what burns takes as long, what waits longer.
    share = {
        "alone": spent(figures, "region", marked("attached.c", "alone")) / total,
        "critical": spent(figures, "critical", marked("attached.c", "critical")) / total,
        "task": spent(figures, "task", marked("attached.c", "task")) / total,
        "kernel": spent(figures, "region", marked("attached.c", "kernel")) / total,
        "barrier": spent(figures, "barrier") / total,
    }
    assert 0.01 < share["alone"] < 0.15, share
    assert 0.01 < share["task"] < 0.15, share
    assert 0.003 < share["critical"] < 0.1, share
    assert 0.15 < share["kernel"] < 0.55, share
    assert 0.2 < share["barrier"] < 0.7, share
    functions = [function["function"] for function in figures["functions"]]
    assert functions[0] in ("burn", "epoll_wait")
    assert "burn" in functions
    # A look makes no system call fail.
    assert process.wait(TIMEOUT_S) == 0
    assert process.stdout is not None
    assert process.stdout.read() == "0 calls failed, 1 tasks\n"


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
@pytest.mark.parametrize(
    ("which", "what", "mark"),
    [
        ("barrier", "barrier", "missed"),
        ("locks", "lock", "second lock"),
        ("event", "taskwait", "taskwait"),
        ("critical", "critical", "critical"),
        ("nested", "barrier", "missed"),
        ("taskgroup", "taskgroup", None),
    ],
)
def test_waits_are_told_apart(
    bobbin: Path,
    compile_c: Compile,
    start: Start,
    tmp_path: Path,
    which: str,
    what: str,
    mark: str | None,
    provider: str,
) -> None:
    program = compile_c("hangs.c", "-g", "-fopenmp")
    process = start(bobbin, "run", program, which, BOBBIN_PROVIDER=provider)
    line = marked("hangs.c", mark) if mark else None
    end = time.monotonic() + PATIENCE_S
    while True:
        figures = attached(bobbin, process, tmp_path, "0.2")
        if figures is not None:
            waits = figures["total"]["seconds"]
            if spent(figures, what, line) > 0 and waits["work"] == 0:
                return
        assert time.monotonic() < end, figures


def test_threads_for_which_there_is_no_processor(
    bobbin: Path, compile_c: Compile, start: Start, tmp_path: Path
) -> None:
    """Most threads have been woken from the barrier, and wait for their turn there."""
    process = start(bobbin, "run", compile_c("attached.c", "-g", "-fopenmp"), "600", "barriers")
    figures = None
    while figures is None or figures["samples"] < 20:
        figures = attached(bobbin, process, tmp_path, "2")
    assert len(figures["threads"]) == 32
    share = figures["total"]["seconds"]["work"] / figures["total"]["thread_seconds"]
    assert share < 0.35


def test_a_process_that_ends(
    bobbin: Path, compile_c: Compile, start: Start, tmp_path: Path
) -> None:
    process = start(bobbin, "run", compile_c("attached.c", "-fopenmp"), "1.5")
    figures = None
    while figures is None:
        figures = attached(bobbin, process, tmp_path, "600")
    assert 0 < figures["seconds"] < 100


def test_a_process_that_executes_another_program(
    bobbin: Path, compile_c: Compile, start: Start, tmp_path: Path
) -> None:
    process = start(bobbin, "run", compile_c("executes_again.c", "-fopenmp"))
    for _ in range(20):
        attached(bobbin, process, tmp_path, "0.01")


def test_what_cannot_be_looked_at(bobbin: Path, start: Start, tmp_path: Path) -> None:
    sleeper = start("sleep", "600")
    for words, status, said in (
        (("--pid", str(sleeper.pid)), 1, "does not use Bobbin"),
        (("--pid", "4194304"), 127, "there is no such process"),
        (("--pid", "x"), 125, "'x' is not the number of a process"),
        (("--pid", "1", "--seconds", "0"), 125, "a number of seconds above 0"),
        (("--seconds", "1"), 125, "--seconds"),
        (("--pid", "1", str(tmp_path)), 125, "--pid"),
        ((), 125, "of what?"),
    ):
        result = run(bobbin, "profile", *words)
        assert result.returncode == status, result.stderr
        assert said in result.stderr
