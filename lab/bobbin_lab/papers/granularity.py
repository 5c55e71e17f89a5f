# SPDX-License-Identifier: Apache-2.0
"""Gautier, Perez and Richard (2018): the granularity of OpenMP tasks."""

from __future__ import annotations

import os

from bobbin_lab.papers import granularity_costs
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

# As many threads as processors.
_ALL = (len(os.sched_getaffinity(0)),)

_SPARSE = "sparse LU, blocks of 128x128"

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

_SIZES = "size=1024 planes=32 regions=16 substeps=8 steps=4"
_QUICK_SIZES = "size=256 planes=16 regions=8 substeps=4 steps=4"
_CONFIGURATIONS = ("bobbin+queue=data", "omp+KMP_ENABLE_TASK_THROTTLING=0")


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
        *granularity_costs.FIGURES,
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
