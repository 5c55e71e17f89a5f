# SPDX-License-Identifier: Apache-2.0
"""bobbin run --trace: the timeline, against what programs of known behaviour do."""

from __future__ import annotations

import bisect
import json
import math
import os
import re
import signal
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from chrome_trace import check_format
from conftest import PROGRAMS, Compile, clang_library, clean_environment, run

Event = dict[str, Any]
SOURCE = "profiled.c"
TASKS_OF_FIB = 28656
KILLED = 128


def ns(microseconds: float) -> int:
    return round(microseconds * 1000)


def begin_of(event: Event) -> int:
    return ns(event["ts"])


def end_of(event: Event) -> int:
    return begin_of(event) + ns(event.get("dur", 0))


@dataclass
class Trace:
    """A file of --trace, checked as a viewer needs it."""

    events: list[Event]
    overwritten: int
    said: str

    def slices(self, category: str | None = None, process: int | None = None) -> list[Event]:
        return [
            e
            for e in self.events
            if e["ph"] == "X" and category in (None, e["cat"]) and process in (None, e["pid"])
        ]

    def named(self, start: str) -> list[Event]:
        return [e for e in self.slices() if e["name"].startswith(start)]

    def arrows(self, category: str) -> list[tuple[Event, Event]]:
        ends: dict[int, dict[str, Event]] = defaultdict(dict)
        for event in self.events:
            if event["ph"] in "sf" and event["cat"] == category:
                ends[event["id"]][event["ph"]] = event
        return [(pair["s"], pair["f"]) for pair in ends.values()]

    def counter(self, name: str) -> list[int]:
        return [e["args"]["value"] for e in self.events if e["ph"] == "C" and e["name"] == name]

    def tracks(self) -> dict[tuple[int, int], list[Event]]:
        found: dict[tuple[int, int], list[Event]] = defaultdict(list)
        for event in self.slices():
            found[event["pid"], event["tid"]].append(event)
        return found

    def slice_at(self, point: Event) -> Event | None:
        """The innermost slice that contains the point."""
        around = [
            s
            for s in self.tracks()[point["pid"], point["tid"]]
            if begin_of(s) <= begin_of(point) <= end_of(s)
        ]
        return max(around, key=begin_of, default=None)


def check_nesting(trace: Trace) -> None:
    for track in trace.tracks().values():
        ends: list[int] = []
        for event in sorted(track, key=lambda e: (begin_of(e), -ns(e["dur"]))):
            assert ns(event["dur"]) >= 0
            while ends and ends[-1] <= begin_of(event):
                ends.pop()
            assert not ends or end_of(event) <= ends[-1], event
            ends.append(end_of(event))


def check_tasks(trace: Trace) -> None:
    """Each task begins once, after its creation."""
    tasks = trace.slices("task")
    ids = Counter((t["pid"], t["args"]["task"]) for t in tasks)
    assert set(ids.values()) <= {1}
    for task in tasks:
        if trace.overwritten == 0:
            assert ns(task["args"]["created"]) <= begin_of(task)
    for kind in ("creation", "theft", "dependence", "wake-up"):
        assert all(begin_of(start) <= begin_of(finish) for start, finish in trace.arrows(kind))


def check_workers(trace: Trace) -> None:
    """A thread is on one worker at a time, and works there. A worker does one thing at a time."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace.events if e["ph"] == "M"}
    carries: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for track, slices in trace.tracks().items():
        is_worker = names[track].startswith("worker ")
        assert is_worker or names[track].startswith("OpenMP thread "), names[track]
        own = {"carried thread", "carried region", "carried task", "sleep"}
        assert all((e["cat"] in own) == is_worker for e in slices)
        if not is_worker:
            continue
        outer = sorted((e for e in slices if e["cat"] in ("carried thread", "sleep")), key=begin_of)
        assert all(end_of(a) <= begin_of(b) for a, b in pairwise(outer))
        for event in outer:
            if event["cat"] == "carried thread":
                thread = event["pid"], event["args"]["thread"]
                assert event["name"] == names[thread]
                carries[thread].append((begin_of(event), end_of(event)))
        for inner in (e for e in slices if e["cat"] in ("carried region", "carried task")):
            assert any(
                begin_of(e) <= begin_of(inner) and end_of(inner) <= end_of(e)
                for e in outer
                if e["cat"] == "carried thread"
            ), inner
    for times in carries.values():
        times.sort()
        assert all(a[1] <= b[0] for a, b in pairwise(times)), times
    if trace.overwritten != 0:
        return
    for event in (e for e in trace.slices() if e["cat"] in ("region", "task", "chunk")):
        times = carries[event["pid"], event["tid"]]
        place = bisect.bisect_right(times, (begin_of(event), math.inf)) - 1
        assert place >= 0, event
        assert begin_of(event) <= times[place][1], event


def check_counters(trace: Trace) -> None:
    for name in ("tasks waiting", "threads working"):
        values = trace.counter(name)
        assert all(value >= 0 for value in values)
        assert not values or values[-1] == 0


def traced(
    bobbin: Path, folder: Path, *command: str | Path, status: int = 0, **variables: str
) -> Trace:
    """Words before the program may be further options."""
    file = folder / "trace.json"
    result = run(bobbin, "run", "--trace", file, *command, **variables)
    assert result.returncode == status, result.stderr
    read = json.loads(file.read_text())
    check_format(read)
    trace = Trace(read["traceEvents"], read["otherData"]["events_overwritten"], result.stderr)
    check_nesting(trace)
    check_tasks(trace)
    check_workers(trace)
    check_counters(trace)
    return trace


def marked(mark: str) -> int:
    lines = (PROGRAMS / SOURCE).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


@pytest.fixture(params=["gcc", "clang"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    compiler = os.environ.get("CC", "gcc")
    if request.param == "clang":
        compiler = request.getfixturevalue("clang")
    output = tmp_path / "profiled"
    result = run(compiler, "-O1", "-g", "-fopenmp", PROGRAMS / SOURCE, "-o", output)
    assert result.returncode == 0, result.stderr
    return output


@pytest.fixture
def gcc_program(compile_c: Compile) -> Path:
    return compile_c(SOURCE, "-fopenmp", "-g")


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_tasks(bobbin: Path, program: Path, tmp_path: Path, provider: str) -> None:
    trace = traced(
        bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="2", BOBBIN_PROVIDER=provider
    )
    tasks = trace.slices("task")
    assert len(tasks) == TASKS_OF_FIB
    assert {t["name"] for t in tasks} == {f"task profiled.c:{marked('the task')} (fib)"}
    assert len(trace.named("taskwait profiled.c:")) == TASKS_OF_FIB
    region = trace.slices("region")
    assert [e["args"]["number"] for e in sorted(region, key=begin_of)] in ([0, 1], [1, 0])
    assert all(f"profiled.c:{marked('region of tasks')}" in e["name"] for e in region)
    assert trace.overwritten == 0
    assert max(trace.counter("tasks waiting")) > 0
    # An arrow comes from the thread that has made the task and leads to the task.
    by_begin = {(t["tid"], begin_of(t)): t for t in tasks}
    for start, finish in [*trace.arrows("creation"), *trace.arrows("theft")]:
        task = by_begin[finish["tid"], begin_of(finish)]
        assert task["args"]["created_by"] == start["tid"]
    assert all(start["tid"] != finish["tid"] for start, finish in trace.arrows("theft"))
    names = {e["args"]["name"] for e in trace.events if e.get("name") == "thread_name"}
    threads = {name for name in names if name.startswith("OpenMP")}
    assert threads == {"OpenMP thread 0 (initial)", "OpenMP thread 1"}
    # A worker shows the tasks that are in no other one.
    carried = {e["args"]["task"] for e in trace.slices("carried task")}
    assert carried == outermost(tasks)


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_theft(bobbin: Path, program: Path, tmp_path: Path, provider: str) -> None:
    trace = traced(bobbin, tmp_path, program, "theft", BOBBIN_PROVIDER=provider)
    by_begin = {(t["tid"], begin_of(t)): t for t in trace.slices("task")}
    thefts = trace.arrows("theft")
    assert thefts
    for start, finish in thefts:
        assert start["tid"] != finish["tid"]
        assert by_begin[finish["tid"], begin_of(finish)]["args"]["created_by"] == start["tid"]


def outermost(tasks: list[Event]) -> set[int]:
    found = set()
    latest: dict[int, int] = defaultdict(int)  # the end of the last one, by thread
    for task in sorted(tasks, key=lambda e: (begin_of(e), -ns(e["dur"]))):
        if begin_of(task) >= latest[task["tid"]]:
            latest[task["tid"]] = end_of(task)
            found.add(task["args"]["task"])
    return found


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_more_threads_than_workers(
    bobbin: Path, program: Path, tmp_path: Path, provider: str
) -> None:
    """They wait for each other at barriers, and whoever ends a wait is told."""
    trace = traced(
        *(bobbin, tmp_path, program, "barriers"), OMP_NUM_THREADS="8", BOBBIN_PROVIDER=provider
    )
    threads = {e["args"]["thread"] for e in trace.slices("carried thread")}
    assert len(threads) == 8
    workers = {e["tid"] for e in trace.slices("carried thread")}
    assert len(workers) == 8 if provider == "kernel" else len(workers) < 8
    wake_ups = trace.arrows("wake-up")
    assert wake_ups
    for start, finish in wake_ups:
        assert finish["tid"] in workers
        assert start["tid"] in threads
        woken = next(
            e
            for e in trace.slices("carried thread")
            if e["tid"] == finish["tid"] and begin_of(e) == begin_of(finish)
        )
        assert woken["args"]["thread"] != start["tid"]


def test_dependences(bobbin: Path, program: Path, tmp_path: Path) -> None:
    trace = traced(bobbin, tmp_path, program, "chain")
    tasks = sorted(trace.slices("task"), key=begin_of)
    assert len(tasks) == 100
    assert all(end_of(a) <= begin_of(b) for a, b in pairwise(tasks))
    arrows = trace.arrows("dependence")
    # A task that has ended before its successor was made is not told as its predecessor.
    assert len(arrows) > 10
    for start, finish in arrows:
        before, after = trace.slice_at(start), trace.slice_at(finish)
        assert before is not None
        assert after is not None
        assert before["cat"] == after["cat"] == "task"
        assert tasks.index(after) == tasks.index(before) + 1


def test_loops_and_waits(bobbin: Path, program: Path, tmp_path: Path) -> None:
    trace = traced(bobbin, tmp_path, program, "loop", OMP_SCHEDULE="dynamic,1")
    loops = trace.slices("work")
    assert len(loops) == 2
    # gcc makes one call of the region and its loop.
    assert all(re.match(r"loop profiled\.c:\d+ \(loop\)$", e["name"]) for e in loops)
    assert [e["args"]["iterations"] for e in loops] == [4, 4]
    chunks = trace.slices("chunk")
    assert sum(c["args"]["iterations"] for c in chunks) == 4
    # The iterations take 0.01 and 0.03 s at least.
    assert sorted(c["dur"] for c in chunks)[0] >= 9_000
    assert trace.named("barrier")


def test_critical(bobbin: Path, program: Path, tmp_path: Path) -> None:
    trace = traced(bobbin, tmp_path, program, "critical")
    waits = trace.named(f"critical profiled.c:{marked('the fight')}")
    assert len(waits) == 20
    assert {w["cat"] for w in waits} == {"wait"}


@pytest.mark.parametrize("which", ["ordered", "locks"])
def test_other_constructs(bobbin: Path, program: Path, tmp_path: Path, which: str) -> None:
    trace = traced(bobbin, tmp_path, program, which)
    expected = {"ordered": ("ordered", 20), "locks": ("lock", 300)}
    name, count = expected[which]
    assert len(trace.named(f"{name} profiled.c:")) == count


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_killed_program_leaves_its_trace(
    bobbin: Path, gcc_program: Path, tmp_path: Path, number: int
) -> None:
    trace = traced(
        bobbin, tmp_path, gcc_program, "killed", str(int(number)), status=KILLED + number
    )
    parts = trace.slices("region")
    assert len(parts) == 2
    assert all(part["dur"] >= 49_000 for part in parts)


def test_small_buffers_keep_the_end(bobbin: Path, gcc_program: Path, tmp_path: Path) -> None:
    whole = traced(bobbin, tmp_path, gcc_program, "tasks", OMP_NUM_THREADS="1")
    trace = traced(
        bobbin, tmp_path, "--trace-buffer", "64", gcc_program, "tasks", OMP_NUM_THREADS="1"
    )
    places = 64 * 1024 // 16
    # For each task: made, begun, ended, and a taskwait; then what the region has.
    events = TASKS_OF_FIB * 5
    assert events - places <= trace.overwritten <= events - places + 20
    assert f"oldest {trace.overwritten} are missing (--trace-buffer" in trace.said
    assert 0 < len(trace.slices()) < len(whole.slices())
    assert "missing" not in whole.said
    # The region has begun before what is known, and encloses all.
    [region] = trace.slices("region")
    assert region["args"]["began_earlier"] is True
    track = trace.tracks()[region["pid"], region["tid"]]
    assert begin_of(region) == min(begin_of(s) for s in track)


def test_only_the_last_seconds(bobbin: Path, gcc_program: Path, tmp_path: Path) -> None:
    trace = traced(
        bobbin, tmp_path, "--trace-last", "0.2", gcc_program, "killed", "9", status=KILLED + 9
    )
    assert trace.slices()
    times = [time for s in trace.slices() for time in (begin_of(s), end_of(s))]
    assert max(times) - min(times) <= 200_000_000


def test_children_are_processes_of_their_own(
    bobbin: Path, gcc_program: Path, tmp_path: Path
) -> None:
    trace = traced(bobbin, tmp_path, gcc_program, "child", status=7, OMP_NUM_THREADS="2")
    processes = {e["pid"] for e in trace.slices()}
    assert len(processes) == 2
    tasks = {pid: len(trace.slices("task", pid)) for pid in processes}
    assert sorted(tasks.values()) == [0, TASKS_OF_FIB]
    child = next(pid for pid, count in tasks.items() if count == 0)
    parent = next(pid for pid, count in tasks.items() if count != 0)
    last_task = max(end_of(t) for t in trace.slices("task", parent))
    # On one scale of time: the child begins after the parent's tasks.
    assert min(begin_of(s) for s in trace.slices(process=child)) >= last_task


def test_a_program_without_openmp(bobbin: Path, tmp_path: Path) -> None:
    result = run(bobbin, "run", "--trace", tmp_path / "trace.json", "true")
    assert result.returncode == 0
    assert "nothing was recorded" in result.stderr


def test_nothing_in_the_last_seconds_is_told(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    program = compile_c("compared.c", "-fopenmp")
    words = ("run", "--trace", tmp_path / "trace.json", "--trace-last")
    result = run(bobbin, *words, "0.1", program, "10", "sleep")
    assert "nothing happened with OpenMP in the last 0.1 s of the program" in result.stderr
    assert "nothing was recorded" not in result.stderr
    assert " slices of " in run(bobbin, *words, "100", program, "10", "sleep").stderr
    result = run(bobbin, *words, "0.1", "true")
    assert "nothing was recorded" in result.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--trace", "x", "--profile"), "exclude each other"),
        (("--trace-last", "1"), "--trace-last needs --trace"),
        (("--trace-buffer", "64"), "--trace-buffer needs --trace"),
        (("--trace", "x", "--trace-last", "0"), "--trace-last"),
        (("--trace", "x", "--trace-buffer", "1"), "--trace-buffer"),
    ],
)
def test_wrong_options(bobbin: Path, words: tuple[str, ...], problem: str) -> None:
    result = run(bobbin, "run", *words, "true")
    assert result.returncode == 125
    assert problem in result.stderr


def test_under_llvms_runtime(bobbin: Path, build: Path, clang: str, tmp_path: Path) -> None:
    """The instrument needs no more than the standard's interface."""
    output = tmp_path / "profiled"
    result = run(clang, "-O1", "-g", "-fopenmp", PROGRAMS / SOURCE, "-o", output)
    assert result.returncode == 0, result.stderr
    runtime = clang_library(clang, "libomp.so")
    folder = tmp_path / "recordings"
    folder.mkdir()
    made = subprocess.run(
        [output, "tasks"],
        env=clean_environment()
        | {
            "LD_PRELOAD": str(runtime),
            "OMP_TOOL_LIBRARIES": str(build / "lib/compat/libbobbin-trace.so"),
            "BOBBIN_RECORD": str(folder),
            "OMP_NUM_THREADS": "2",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    [file] = list(folder.iterdir())
    data = file.read_bytes()
    assert data.startswith(b"BobbinR1")
    assert re.search(rb"LLVM OMP", data[:4096])


def test_each_of_many_sites_has_its_place(bobbin: Path, tmp_path: Path) -> None:
    """So many sites that any of the table's first places is some site's, wherever the program lies."""
    sites = 600
    source = tmp_path / "sites.c"
    tasks = "\n#pragma omp task\n  run++;\n" * sites
    source.write_text(
        "static int run;\nint main(void) {\n#pragma omp parallel num_threads(1)\n{\n"
        f"{tasks}\n}}\n  return run != {sites};\n}}\n"
    )
    program = tmp_path / "sites"
    built = run(os.environ.get("CC", "gcc"), "-O1", "-g", "-fopenmp", source, "-o", program)
    assert built.returncode == 0, built.stderr
    for _ in range(4):
        trace = traced(bobbin, tmp_path, program)
        names = [t["name"] for t in trace.slices("task")]
        assert len(names) == sites
        assert all("sites.c:" in name for name in names)
