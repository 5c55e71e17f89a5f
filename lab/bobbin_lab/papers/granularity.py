# SPDX-License-Identifier: Apache-2.0
"""Gautier, Perez and Richard (2018): the granularity of OpenMP tasks."""

from __future__ import annotations

import os

from bobbin_lab.papers.declared import (
    RIVALS,
    Bars,
    Curves,
    Entry,
    Figure,
    Paper,
    Quantity,
    Table,
    Words,
    plain,
    speedup,
)
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
_SPARSE = "sparse LU, blocks of 128x128"
_WAYS = {"tasks": "dependences", "phases": "taskwaits"}

_CHARACTERISTICS = (
    (
        "libgomp (gcc 12, libgomp/task.c)",
        "lists by priority in the parent, the taskgroup and the team; one lock a team",
        "undeferred while more than 64 tasks a thread are unfinished",
        "a hash table in each task that makes dependent tasks; it grows",
    ),
    (
        "libomp, libiomp5 (LLVM 19, kmp_tasking.cpp, kmp_taskdeps.cpp)",
        "a deque a thread, 256 places at first, a lock each",
        "undeferred when the deque is full; off with KMP_ENABLE_TASK_THROTTLING=0, then it grows",
        "a hash table in each task that makes dependent tasks: 97 or 997 lists, up to 270,029",
    ),
    (
        "Bobbin (runtime/sched/queues/deque.h, runtime/task)",
        "a deque a thread, which grows, without locks; others by BOBBIN_TASK_POLICY",
        "undeferred beyond 4 to 256 tasks a thread, as many as thieves take; with dependences, if "
        "they are brief or their maker is 1,024 ahead",
        "an open hash table in each task that makes dependent tasks, at most half full; it grows",
    ),
)

_GRAPH = (
    ("trace back", "planes x regions x substeps", "the mass of the last step", "the region's feet"),
    (
        "interpolate",
        "planes x regions",
        "the region's feet; the old cells of the region and its neighbours",
        "the region's new cells and mass",
    ),
    ("add up", "1", "the masses of all regions", "the mass of the step"),
)

_BREADTH = "bobbin+creation=breadth-first"
_EVERY_TASK = {_BREADTH: "Bobbin, each task deferred"}

_SIZES = "size=1024 planes=32 regions=16 substeps=8 steps=4"
_QUICK_SIZES = "size=256 planes=16 regions=8 substeps=4 steps=4"
_CONFIGURATIONS = ("bobbin+queue=data", "omp+KMP_ENABLE_TASK_THROTTLING=0")


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


PAPER = Paper(
    "granularity",
    1.3,
    1.0,
    "Granularity of tasks",
    "Thierry Gautier, Christian Perez and Jérôme Richard, *On the impact of OpenMP task "
    "granularity*, IWOMP 2018.",
    "The breakdowns come from the instrument of `bobbin run --profile`. LLVM's runtime tells it "
    "nothing of creation and dependences, so there the user's part holds them. Figure 1c measures "
    "them from outside.",
    (
        Figure(
            "T1",
            "characteristics of the runtimes, from their sources",
            Words(("runtime", "queues", "throttle", "dependence table"), lambda: _CHARACTERISTICS),
            "it compares the runtimes of its time.",
        ),
        Figure(
            "T1b",
            "tasks that one of 16 threads makes and nobody takes: how many are kept, in how much "
            "memory",
            Table(("runtime", "depend"), ("metric",)),
            "it compares the throttles and the sizes of task descriptors.",
            (Entry("tasks-kept"),),
            Quantity(("kept", "kept_bytes"), "of at most 100,000"),
            (*RIVALS, "omp+KMP_ENABLE_TASK_THROTTLING=0", "bobbin+creation=breadth-first", "ompi"),
            names={
                "omp+KMP_ENABLE_TASK_THROTTLING=0": "libomp without throttling",
                "bobbin+creation=breadth-first": "Bobbin without throttling",
            },
            threads=(16,),
            quick_threads=(16,),
        ),
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
            "S3.2",
            "Jacobi and sparse LU by dependent tasks, with throttling and without: speedup",
            Bars(groups=("entry",), bars=("runtime",)),
            "throttling was harmful: Jacobi gained when tasks were not serialised.",
            (
                Entry(
                    "jacobi",
                    "Jacobi, blocks of 128x128",
                    "blocks=64 size=128 sweeps=10",
                    "blocks=16 size=128 sweeps=20",
                ),
                Entry(
                    "jacobi",
                    "Jacobi, blocks of 256x256",
                    "blocks=64 size=256 sweeps=10",
                    "blocks=8 size=256 sweeps=20",
                ),
                Entry(
                    "lu",
                    _SPARSE,
                    "blocks=64 size=128 fill=0.15 times=1",
                    "blocks=12 size=128 fill=0.15 times=1",
                ),
            ),
            speedup(),
            (
                "gomp",
                "omp",
                "omp+KMP_ENABLE_TASK_THROTTLING=0",
                "bobbin",
                "bobbin+creation=breadth-first",
            ),
            names={
                "omp+KMP_ENABLE_TASK_THROTTLING=0": "libomp without throttling",
                "bobbin+creation=breadth-first": "Bobbin without throttling",
            },
            threads=_ALL,
            quick_threads=_ALL,
            here=(
                Finding(
                    "Here throttling is not harmful to Jacobi on Bobbin: with small blocks the "
                    "speed-up is {0} with it and {1} without, with large ones {2} and {3}.",
                    lambda n: [
                        n[f"Jacobi, blocks of {size}x{size}", runtime]
                        for size in (128, 256)
                        for runtime in ("Bobbin", "Bobbin without throttling")
                    ],
                    lambda a, b, c, d: a > b and c > d,
                ),
                Finding(
                    "It is harmful to sparse LU: Bobbin gains from {0} to {1} without throttling.",
                    lambda n: n.row(_SPARSE, "Bobbin", "Bobbin without throttling"),
                    lambda throttled, free: free > throttled,
                ),
                Finding(
                    "Its sparse LU is slower than both rivals' either way, {0} and {1}.",
                    lambda n: n.row(
                        _SPARSE, "libgomp", "libomp", "Bobbin", "Bobbin without throttling"
                    ),
                    lambda gomp, omp, *own: max(own) < min(gomp, omp),
                ),
            ),
        ),
        Figure(
            "4",
            "the graph of a time step of advection in regions",
            Words(("task", "how many", "reads", "writes"), lambda: _GRAPH),
            "planes are divided into regions; the chain of a region ends with a stencil over the "
            "plane, and one task depends on all regions.",
        ),
        Figure(
            "5",
            "advection in regions: tasks that a thread begins right behind one of the same region",
            Bars(groups=("order",), bars=("runtime",)),
            "it shows two orders of the ready list, of which one keeps to the data in the cache.",
            (Entry("advection-regions", "", _SIZES, _QUICK_SIZES),),
            plain("followed", "% of the tasks"),
            (*RIVALS, *_CONFIGURATIONS),
            names={"omp+KMP_ENABLE_TASK_THROTTLING=0": "libomp without throttling"},
            threads=_ALL,
            quick_threads=_ALL,
            here=(
                Finding(
                    "The most that is possible is all but the first task of a chain, {0} % here. "
                    "In Bobbin and in libomp a thread that ends one goes on with its successor, so "
                    "they reach that in every order, without `queue=data`: {1} % and more.",
                    lambda n: [
                        max(n.cells.values()),
                        min(*n.column("Bobbin"), *n.column("libomp")),
                    ],
                    lambda most, least: least > 0.98 * most,
                ),
                Finding(
                    "libgomp has the tasks in the order of their submission: {0}, {1} and {2} %.",
                    lambda n: n.column(
                        "libgomp", *(f"order {o}" for o in ("breadth", "depth", "recursive"))
                    ),
                    lambda breadth, depth, recursive: max(breadth, depth) < recursive / 2,
                ),
            ),
        ),
        Figure(
            "6",
            "advection in regions, by the order of submission: speedup over the serial program",
            Curves(lines=("order", "runtime")),
            "the better order of the ready list gained 41 %, and depth-first submission by hand "
            "38 %.",
            (
                Entry(
                    "advection-regions",
                    "",
                    f"{_SIZES} order=breadth,recursive",
                    f"{_QUICK_SIZES} order=breadth,recursive",
                ),
            ),
            speedup(),
            (*RIVALS, "bobbin+queue=data"),
            here=(
                Finding(
                    "Depth-first submission makes the program {0} (libgomp), {1} (libomp) and {2} "
                    "(Bobbin) times as fast on two threads.",
                    lambda n: [
                        n["2 threads", f"order recursive, {r}"]
                        / n["2 threads", f"order breadth, {r}"]
                        for r in ("libgomp", "libomp", "Bobbin")
                    ],
                    lambda *gains: min(gains) > 1.05,
                ),
                Finding(
                    "`queue=data` gains nothing ({0} instead of {1}), for the reason that Figure 5 "
                    "shows.",
                    lambda n: n.row(
                        "2 threads", "order breadth, Bobbin queue=data", "order breadth, Bobbin"
                    ),
                    lambda data, usual: data <= 1.05 * usual,
                ),
            ),
        ),
    ),
)
