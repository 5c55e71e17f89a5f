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
        "Bobbin (runtime/sched/deque.h, runtime/task)",
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

_SIZES = "size=1024 planes=32 regions=16 substeps=8 steps=4"
_QUICK_SIZES = "size=256 planes=16 regions=8 substeps=4 steps=4"
_CONFIGURATIONS = ("bobbin+queue=data", "omp+KMP_ENABLE_TASK_THROTTLING=0")


def _breakdowns() -> tuple[Entry, ...]:
    return tuple(
        Entry(f"breakdown-{name}", name, full, quick) for name, full, quick in _APPLICATIONS
    )


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
    "nothing of creation and dependences, so there the user's part holds them.",
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
            here="On one thread Bobbin makes hardly any task, so all is work of the user. On two, "
            "creation takes 8 % and waiting 12 % where tasks are smallest (Fibonacci), and "
            "less elsewhere. Where a task is executed at once, what it costs counts as the "
            "user's.",
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
            here="Dependences cost 5 % of the time for Jacobi and 7 % for sparse LU to check, and "
            "less than 1 % to release. For these small sizes they do not make the threads "
            "wait less than taskwaits do.",
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
            here="A check takes 85 cycles, however many addresses there are, because Bobbin's "
            "table grows with them. Creation takes ten times as much.",
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
                    "sparse LU, blocks of 128x128",
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
            here="Without throttling libomp's times of Jacobi overlap with those with it. Bobbin "
            "loses a quarter for small blocks of Jacobi, and gains 5 % for sparse LU, where it is "
            "slower than both rivals. So on two processors throttling is not harmful to Jacobi.",
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
            here="A chain of a region has all its tasks but the first one behind another, which is "
            "the most that is possible. In Bobbin and in libomp a thread that ends one goes on "
            "with its successor, so they reach that in every order, without `queue=data`. "
            "libgomp has the tasks in the order of their submission.",
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
            here="Depth-first submission gains 19 to 24 % on two threads with every runtime. "
            "`queue=data` gains nothing, for the reason that Figure 5 shows.",
        ),
    ),
)
