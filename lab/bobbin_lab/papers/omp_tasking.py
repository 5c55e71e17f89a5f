# SPDX-License-Identifier: Apache-2.0
"""Agathos, Kallimanis and Dimakopoulos (2012): the tasks of the OMPi compiler."""

from __future__ import annotations

from dataclasses import replace

from bobbin_lab.papers.declared import RIVALS, Bars, Curves, Entry, Figure, Paper, plain, speedup
from bobbin_lab.papers.findings import Finding, Here, range_of
from bobbin_lab.places import Compiler, are_translated

_RUNTIMES = (*RIVALS, "ompi")
_RATE = plain("rate_mtasks", "million tasks a second")
_TIME = plain("time_ms", "ms")
# Of turns, each about a cycle: from tasks that are nothing but overhead to those that hide it.
_LOADS = "maxload=0,64,256,1024,4096,16384,65536"


def _over_threads(number: str, title: str, producers: str, here: Here) -> Figure:
    return Figure(
        number,
        title,
        Curves(),
        "throughput of very small tasks, where OMPi completes up to six times as many tasks a "
        "second as the other compilers' runtimes.",
        (
            Entry(
                "producer-1",
                arguments=f"tasks=2000000 maxload=128 producers={producers}",
                quick="tasks=300000",
            ),
        ),
        _RATE,
        _RUNTIMES,
        threads=(2, 4, 8, 16),
        quick_threads=(2, 4, 8),
        here=here,
    )


def _over_loads(number: str, title: str, producers: str, here: Here) -> Figure:
    return Figure(
        number,
        title,
        Curves(x="maxload", x_title="turns of the longest task", log_y=True),
        "the smaller the tasks, the more the queues decide the throughput; for large ones all "
        "runtimes do the same.",
        (
            Entry(
                "producer-1",
                arguments=f"tasks=400000 {_LOADS} producers={producers}",
                quick="tasks=40000",
            ),
        ),
        _RATE,
        _RUNTIMES,
        threads=(16,),
        quick_threads=(4,),
        here=here,
    )


def _application(number: str, title: str, entry: Entry, found: str, here: Here) -> Figure:
    return Figure(number, title, Curves(log_y=True), found, (entry,), _TIME, _RUNTIMES, here=here)


_QUEUES = (
    Finding(
        "`ompi` keeps its throughput over the threads, as in the paper: {0} with two, {1} with "
        "eight.",
        lambda n: n.column("ompi", "2 threads", "8 threads"),
        lambda two, eight: eight > 0.8 * two,
    ),
    Finding(
        "libgomp, whose tasks are in one list under a lock, goes from {0} to {1}.",
        lambda n: n.column("libgomp", "2 threads", "8 threads"),
        lambda two, eight: eight < 0.8 * two,
    ),
    Finding(
        "libomp's queues have become better since: `ompi` is {0} to {1} times as fast, not six.",
        lambda n: range_of(
            a / b for a, b in zip(n.column("ompi"), n.column("libomp"), strict=True)
        ),
        lambda least, most: least > 1 and most < 5,
    ),
    Finding(
        "Bobbin's own policies are {0} to {1} times as fast as `ompi`, because the producer "
        "executes most of these tasks itself at once.",
        lambda n: range_of(
            a / b for a, b in zip(n.column("Bobbin"), n.column("ompi"), strict=True)
        ),
        lambda least, most: least > 1,
    ),
)
_LENGTHS = (
    Finding(
        "The curves come together with the length of the tasks, as in the paper: with 65,536 turns "
        "the fastest runtime completes {0} times as many as the slowest, without work {1}.",
        lambda n: [
            max(n.row(row)) / min(n.row(row))
            for row in (f"{turns} turns of the longest task" for turns in (65536, 0))
        ],
        lambda long, short: long < 1.5 and long < short,
    ),
    Finding(
        "Up to 1,024 turns Bobbin's own policies lead `ompi`, {0} times and more.",
        lambda n: [
            min(
                n[row, "Bobbin"] / n[row, "ompi"]
                for row in (f"{turns} turns of the longest task" for turns in (0, 64, 256, 1024))
            )
        ],
        lambda factor: factor > 1,
    ),
)

# `ompi` with queues of other sizes.
_PLACES = tuple(f"ompi+queue=combining:{places}" for places in (4, 8, 24, 64, 256, 1024))

_SMALL = ("floorplan", "health", "nqueens")
_BY_GCC = (
    Entry("alignment", "alignment", "sequences=100", "sequences=32"),
    Entry("fft", "fft", "n=4194304", "n=131072"),
    Entry("floorplan", "floorplan", "cells=15", "cells=9"),
    Entry("health", "health", "levels=6", "levels=4"),
    Entry("nqueens", "nqueens", "n=13", "n=10"),
    Entry("sort", "sort", "n=33554432", "n=500000"),
    Entry("lu-phases", "sparse LU", "blocks=50 size=100 fill=0.15 times=1", "blocks=30 size=16"),
    Entry("strassen", "strassen", "n=2048", "n=256"),
)
# OMPi is a translator, too, with a native compiler behind it.
_TRANSLATORS = tuple(
    one for one in (Compiler.TRANSLATE_GCC, Compiler.TRANSLATE_CLANG) if are_translated(one)
)
_SUITE = tuple(
    one
    for entry in _BY_GCC
    for one in (
        entry,
        *(
            replace(entry, runtimes=("ompi",), compiler=compiler, others=False)
            for compiler in _TRANSLATORS
        ),
    )
)

PAPER = Paper(
    "omp-tasking",
    6,
    0.75,
    "Speeding up OpenMP tasking",
    "Spiros N. Agathos, Nikolaos D. Kallimanis and Vassilios V. Dimakopoulos, Euro-Par 2012.",
    "The tasks of the OMPi compiler: queues of 24 places in which waiting threads serve each "
    "other, creation breadth-first, and throttling until 30 % of the places are free. Here `ompi` "
    "is Bobbin with these policies, because OMPi itself is not packaged.",
    (
        Figure(
            "T1",
            "the Barcelona task suite, times as fast as the serial programs",
            Bars(bars=("runtime", "compiler")),
            "execution times up to 87 % shorter than those of the other compilers.",
            _SUITE,
            speedup(),
            _RUNTIMES,
            threads=(16,),
            quick_threads=(2,),
            here=(
                Finding(
                    "Where tasks are small (floor plan, health, queens) the runtimes of today's "
                    "compilers lose to the serial program: they reach {0} of it at most.",
                    lambda n: [max(v for r in _SMALL for v in n.row(r, "libgomp", "libomp"))],
                    lambda most: most < 1,
                ),
                Finding(
                    "Bobbin's own policies, which mostly make no task, are ahead of `ompi` there, "
                    "{0} times and more.",
                    lambda n: [min(n[r, "Bobbin"] / n[r, "ompi"] for r in _SMALL)],
                    lambda least: least > 1,
                ),
                Finding(
                    "Health is slower than the serial program on Bobbin, too: {0}.",
                    lambda n: [n["health", "Bobbin"]],
                    lambda speedup: speedup < 1,
                ),
                *(
                    Finding(
                        f"`ompi` is faster than Bobbin's own policies on {name}, {{1}} to {{0}}.",
                        lambda n, name=name: n.row(name, "Bobbin", "ompi"),  # type: ignore[misc]
                        lambda own, ompi: ompi > own,
                    )
                    for name in ("fft", "strassen")
                ),
            ),
        ),
        _over_threads("5a", "one producer, tasks of up to 128 turns", "1", _QUEUES),
        _over_threads(
            "5b", "half of the threads produce, tasks of up to 128 turns", "half", _QUEUES
        ),
        _over_loads("6a", "one producer, over the tasks' length", "1", _LENGTHS),
        _over_loads("6b", "half of the threads produce, over the tasks' length", "half", _LENGTHS),
        Figure(
            "places",
            "one producer and half of the threads, by the size of `ompi`'s queues",
            Bars(groups=("setting",), bars=("entry",)),
            "its queues have 24 places.",
            tuple(
                Entry(
                    "producer-1",
                    title,
                    f"tasks=2000000 maxload=128 producers={producers}",
                    f"tasks=300000 maxload=128 producers={producers}",
                )
                for producers, title in (("1", "one producer"), ("half", "half produce"))
            ),
            _RATE,
            _PLACES,
            threads=(16,),
            quick_threads=(4,),
        ),
        _application(
            "7",
            "Fibonacci numbers, a task a call",
            Entry("fib", arguments="n=40", quick="n=24"),
            "with nothing but tasks to do, the runtimes differ by orders of magnitude.",
            (
                Finding(
                    "They still do: with two threads libgomp takes {0} times, libomp {1} times, "
                    "`ompi` {2} times as long as Bobbin.",
                    lambda n: [
                        n["2 threads", r] / n["2 threads", "Bobbin"]
                        for r in ("libgomp", "libomp", "ompi")
                    ],
                    lambda gomp, omp, ompi: min(gomp, omp) > 5 and ompi > 1,
                ),
                Finding(
                    "All are slower than the serial program ({0} ms), because a call is nothing "
                    "but a task; `spawn.h` is nearest to it, {1} ms.",
                    lambda n: [
                        n["1 thread", "serial"],
                        n["1 thread", "spawn-sync"],
                        *n.row("1 thread", "libgomp", "libomp", "Bobbin", "ompi"),
                    ],
                    lambda serial, spawn, *others: serial < spawn < min(others),
                ),
            ),
        ),
        _application(
            "8",
            "queens on a board",
            Entry("nqueens", arguments="n=14", quick="n=10"),
            "OMPi scales with the threads where the queues of others limit them.",
            (
                Finding(
                    "Only Bobbin's own policies gain by the second thread: {0} instead of {1} ms.",
                    lambda n: [
                        n[row, runtime]
                        for runtime in ("Bobbin", "libgomp", "libomp", "ompi")
                        for row in ("2 threads", "1 thread")
                    ],
                    lambda two, one, *others: (
                        two < one
                        and all(a > b for a, b in zip(others[::2], others[1::2], strict=True))
                    ),
                ),
                "`ompi` defers a task wherever a place is free, which costs more than the work of "
                "so small a task.",
            ),
        ),
        _application(
            "9",
            "a floor plan",
            Entry("floorplan", arguments="cells=20", quick="cells=9"),
            "a branch and bound, whose tasks are many and of unknown length.",
            Finding(
                "From one thread to four the time rises {0} times on libgomp, {1} times on libomp "
                "and {2} times on `ompi`. Bobbin's own policies take {3} of theirs.",
                lambda n: [
                    n["4 threads", r] / n["1 thread", r]
                    for r in ("libgomp", "libomp", "ompi", "Bobbin")
                ],
                lambda gomp, omp, ompi, bobbin: min(gomp, omp, ompi) > 1 >= bobbin,
            ),
        ),
    ),
)
