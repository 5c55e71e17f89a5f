# SPDX-License-Identifier: Apache-2.0
"""Gautier, Perez and Richard (2018): what tasks cost, and where the threads spend their time."""

from __future__ import annotations

import os

from bobbin_lab.papers.declared import Bars, Curves, Entry, Figure, Table, plain
from bobbin_lab.papers.findings import Finding
from bobbin_lab.places import Compiler

# As many threads as processors.
_ALL = (len(os.sched_getaffinity(0)),)
_SHARE = plain("share", "% of the threads' time")

_APPLICATIONS = (
    ("alignment", "", "sequences=10"),
    ("fft", "", "n=16384"),
    ("fib", "n=32", "n=20"),
    ("health", "", "days=50"),
    ("nqueens", "n=13", "n=9"),
    ("sort", "", "n=200000"),
    ("strassen", "", "n=256"),
)
_DEPENDENT = (
    ("jacobi", "blocks=64 size=128 sweeps=10", "blocks=32 size=8 sweeps=100"),
    ("lu", "blocks=64 size=128 fill=0.15 times=1", "blocks=40 size=8 fill=0.15 times=1"),
)
_WAYS = {"tasks": "dependences", "phases": "taskwaits"}

_BREADTH = "bobbin+creation=breadth-first"
_EVERY_TASK = {_BREADTH: "Bobbin, each task deferred"}


def _breakdowns(kind: str = "breakdown", compiler: Compiler = Compiler.GCC) -> tuple[Entry, ...]:
    return tuple(
        Entry(f"{kind}-{name}", name, full, quick, compiler=compiler)
        for name, full, quick in (*_APPLICATIONS, ("uts", "tree=T3 mode=wait", "tree=S3 mode=wait"))
    )


def _calls() -> tuple[Entry, ...]:
    dependent = tuple(
        Entry(f"calls-{name}", name, f"{full} mode=tasks", quick, compiler=Compiler.CLANG)
        for name, full, quick in _DEPENDENT
    )
    return (*_breakdowns("calls", Compiler.CLANG), *dependent)


def _with_and_without() -> tuple[Entry, ...]:
    return tuple(
        Entry(f"breakdown-{name}", f"{name}, {spoken}", f"{full} mode={mode}", f"{quick}")
        for name, full, quick in _DEPENDENT
        for mode, spoken in _WAYS.items()
    )


FIGURES = (
    Figure(
        "1",
        "task programs on Bobbin: where the threads spend their time",
        Bars(groups=("entry", "threads"), bars=("part",), stacked=True),
        "it breaks down the completion time of Intel's runtime on BOTS, 1 to 24 cores.",
        _breakdowns(),
        _SHARE,
        ("bobbin",),
        threads=(1, 4, 16),
        quick_threads=(1, 2),
        here=(
            Finding(
                "On one thread Bobbin makes hardly any task, so all is work of the user: {0} % "
                "and more.",
                lambda n: [
                    min(v for (r, c), v in n.cells.items() if "1 thread" in r and c == "user")
                ],
                lambda least: least > 95,
            ),
            "Where a task is executed at once, what it costs counts as the user's.",
            Finding(
                "On two threads creation takes {0} % and waiting {1} % where tasks are "
                "smallest (Fibonacci).",
                lambda n: n.row("fib, 2 threads", "creation", "idle"),
                lambda *_: True,
            ),
        ),
    ),
    Figure(
        "1b",
        "the same: cycles of an operation, with Bobbin's own policies and where each task is "
        "deferred",
        Table(("entry", "threads", "runtime"), ("part",)),
        "it tells the cycles of an operation by the number of cores. UTS is its case of costly "
        "queues.",
        _breakdowns(),
        plain("cycles", "cycles"),
        ("bobbin", _BREADTH),
        _EVERY_TASK,
        threads=(1, 2, 4, 8, 16),
        quick_threads=(1, 2, 4),
        here="The user's part is that of a task, creation that of a deferred one.",
    ),
    Figure(
        "1c",
        "cycles of the calls by which clang's programs make a task, measured from outside",
        Table(("entry", "threads", "runtime"), ("part",)),
        "it tells allocation, atomic operations and the queue apart.",
        _calls(),
        plain("cycles", "cycles"),
        ("omp", "iomp", "bobbin", _BREADTH),
        _EVERY_TASK,
        threads=(1, 2, 4, 8, 16),
        quick_threads=(1, 2, 4),
        here="A library in front of the runtime times the calls, without the tasks that they "
        "execute. So runtimes stand side by side that tell a tool nothing of it. The atomic "
        "operations on the counts of unfinished tasks are part of the calls. *dependences* are "
        "the look for predecessors and the queue.",
    ),
    Figure(
        "2",
        "Jacobi and sparse LU with dependences and with taskwaits: where the threads spend "
        "their time",
        Bars(groups=("entry", "runtime"), bars=("part",), stacked=True),
        "it shows what dependences add.",
        _with_and_without(),
        _SHARE,
        ("omp", "bobbin"),  # those that have OMPT
        names={"omp": "libomp (user: with tasking)"},
        threads=_ALL,
        quick_threads=_ALL,
        here=(
            Finding(
                "To check dependences costs {0} % of the time for Jacobi and {2} % for sparse "
                "LU, to release them {1} % and {3} %.",
                lambda n: [
                    n[f"{name}, dependences, Bobbin", f"dependence-{part}"]
                    for name in ("jacobi", "lu")
                    for part in ("check", "release")
                ],
                lambda *_: True,
            ),
            Finding(
                "For these sizes they do not make Bobbin's threads wait less than taskwaits "
                "do: {0} instead of {1} % for Jacobi, {2} instead of {3} % for sparse LU.",
                lambda n: [
                    n[f"{name}, {way}, Bobbin", "idle"]
                    for name in ("jacobi", "lu")
                    for way in ("dependences", "taskwaits")
                ],
                lambda a, b, c, d: a > 0.9 * b and c > 0.9 * d,
            ),
        ),
    ),
    Figure(
        "3",
        "chains of dependent tasks over more and more addresses: cycles of a task",
        Bars(groups=("addresses",), bars=("part",)),
        "it varies the size of the hash table of dependences.",
        (
            Entry(
                "breakdown-chain",
                "",
                "addresses=1,1024,65536,262144",
                "tasks=200000 addresses=1,1024,65536",
            ),
        ),
        plain("cycles", "cycles"),
        ("bobbin",),
        threads=_ALL,
        quick_threads=_ALL,
        here=(
            Finding(
                "A check takes {0} to {1} cycles, however many addresses there are, because "
                "Bobbin's table grows with them.",
                lambda n: [
                    min(n.column("dependence-check")),
                    max(n.column("dependence-check")),
                ],
                lambda least, most: most < 1.25 * least,
            ),
            Finding(
                "Creation takes {0} times as much as a check, or more.",
                lambda n: [
                    min(
                        made / checked
                        for made, checked in zip(
                            n.column("creation"), n.column("dependence-check"), strict=True
                        )
                    )
                ],
                lambda factor: factor > 1,
            ),
        ),
    ),
    Figure(
        "3b",
        "Bobbin's table of dependences alone, by its places: cycles of a look-up",
        Curves(x="places", lines=("addresses",), log_y=True, x_title="places at first"),
        "it varies the size of the hash table of dependences.",
        (
            Entry(
                "depend-map",
                "",
                "addresses=1,1024,65536 places=0,2048,16384,131072,1048576",
                "addresses=1,1024,65536 places=0,2048,16384,131072,1048576 rounds=20",
            ),
        ),
        plain("cycles", "cycles"),
        ("bobbin",),
        threads=(1,),
        quick_threads=(1,),
        here="With 0 places the table grows from 16, as it does in the runtime. It is at most "
        "half full, so a larger number of addresses makes it grow in any case.",
    ),
)
