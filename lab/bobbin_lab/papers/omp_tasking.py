# SPDX-License-Identifier: Apache-2.0
"""Agathos, Kallimanis and Dimakopoulos (2012): the tasks of the OMPi compiler."""

from __future__ import annotations

from bobbin_lab.papers.declared import RIVALS, Bars, Curves, Entry, Figure, Paper, plain, speedup

_RUNTIMES = (*RIVALS, "ompi")
_RATE = plain("rate_mtasks", "million tasks a second")
_TIME = plain("time_ms", "ms")
# Of turns, each about a cycle: from tasks that are nothing but overhead to those that hide it.
_LOADS = "maxload=0,64,256,1024,4096,16384,65536"


def _over_threads(number: str, title: str, producers: str, here: str) -> Figure:
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


def _over_loads(number: str, title: str, producers: str, here: str) -> Figure:
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


def _application(number: str, title: str, entry: Entry, found: str, here: str) -> Figure:
    return Figure(number, title, Curves(log_y=True), found, (entry,), _TIME, _RUNTIMES, here=here)


_QUEUES = (
    "`ompi` keeps its throughput over the threads, as in the paper, and libgomp, whose tasks are "
    "in one list under a lock, loses most of its own. libomp's queues have become better since: "
    "`ompi` is twice as fast, not six times. Bobbin's own policies are faster than both, because "
    "the producer executes most of these tasks itself at once."
)
_HALF = "As in Figure 5a, except that libgomp gains more by several producers than the others."
_LENGTHS = (
    "The curves come together from about 16,384 turns on (some microseconds a task), as in the "
    "paper. Below, Bobbin's own policies lead, then `ompi`."
)

_SUITE = (
    Entry("alignment", "alignment", "sequences=100", "sequences=32"),
    Entry("fft", "fft", "n=4194304", "n=131072"),
    Entry("floorplan", "floorplan", "cells=15", "cells=9"),
    Entry("health", "health", "levels=6", "levels=4"),
    Entry("nqueens", "nqueens", "n=13", "n=10"),
    Entry("sort", "sort", "n=33554432", "n=500000"),
    Entry("lu-phases", "sparse LU", "blocks=50 size=100 fill=0.15 times=1", "blocks=30 size=16"),
    Entry("strassen", "strassen", "n=2048", "n=256"),
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
            Bars(),
            "execution times up to 87 % shorter than those of the other compilers.",
            _SUITE,
            speedup(),
            _RUNTIMES,
            threads=(16,),
            quick_threads=(2,),
            here="The order agrees where tasks are small (floor plan, health, queens): the "
            "runtimes of today's compilers lose to the serial program there, and `ompi` loses "
            "less. Bobbin's own policies, which mostly make no task, are ahead of `ompi` in all "
            "of these. But health is slower than the serial program on them, too, and `ompi` is "
            "faster than they are on fft and strassen.",
        ),
        _over_threads("5a", "one producer, tasks of up to 128 turns", "1", _QUEUES),
        _over_threads("5b", "half of the threads produce, tasks of up to 128 turns", "half", _HALF),
        _over_loads("6a", "one producer, over the tasks' length", "1", _LENGTHS),
        _over_loads("6b", "half of the threads produce, over the tasks' length", "half", _LENGTHS),
        _application(
            "7",
            "Fibonacci numbers, a task a call",
            Entry("fib", arguments="n=40", quick="n=24"),
            "with nothing but tasks to do, the runtimes differ by orders of magnitude.",
            "They still do: an order of magnitude between libgomp or libomp and Bobbin, with "
            "`ompi` in the middle. All are slower than the serial program, because a call is "
            "nothing but a task; `spawn.h` is nearest to it.",
        ),
        _application(
            "8",
            "queens on a board",
            Entry("nqueens", arguments="n=14", quick="n=10"),
            "OMPi scales with the threads where the queues of others limit them.",
            "On two processors only Bobbin's own policies gain by the second thread. `ompi` defers "
            "a task wherever a place is free, which costs more than the work of so small a task.",
        ),
        _application(
            "9",
            "a floor plan",
            Entry("floorplan", arguments="cells=20", quick="cells=9"),
            "a branch and bound, whose tasks are many and of unknown length.",
            "libgomp and libomp become slower with each thread, `ompi` a little, and Bobbin's own "
            "policies do not.",
        ),
    ),
)
