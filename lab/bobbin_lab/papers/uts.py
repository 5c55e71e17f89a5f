# SPDX-License-Identifier: Apache-2.0
"""Olivier and Prins (2010): OpenMP tasks and other frameworks on unbalanced task graphs."""

from __future__ import annotations

import os

from bobbin_lab.papers import expressiveness, uts_schedulers
from bobbin_lab.papers.declared import (
    RIVALS,
    THREADS,
    Bars,
    Curves,
    Entry,
    Figure,
    Paper,
    Quantity,
    Words,
    plain,
    speedup,
)
from bobbin_lab.papers.findings import Finding
from bobbin_lab.places import Compiler

# As many threads as processors, and at most so many.
_ALL = (len(os.sched_getaffinity(0)),)
_AT_MOST_ALL = tuple(threads for threads in THREADS if threads <= _ALL[0])

_SPEEDUPS = Figure(
    "1",
    "UTS by OpenMP tasks and taskwaits: speedup over the serial search",
    Curves(),
    "it compares OpenMP, Cilk, Cilk++ and TBB. Most runtimes did poorly, because of their load "
    "balancing and their overheads.",
    (
        Entry("uts-T3-wait", "tied", "", "tree=S3", others=False),
        Entry("uts-untied", "untied", "", "tree=S3", runtimes=(*RIVALS, "cilk")),
    ),
    speedup(),
    here=(
        Finding(
            "It is still so for the runtimes of today's compilers, which lose to the serial "
            "search: {0} on libgomp, {1} on libomp with two threads.",
            lambda n: n.row("2 threads", "tied, libgomp", "tied, libomp"),
            lambda *speedups: max(speedups) < 1,
        ),
        Finding(
            "Bobbin gains: {0} times.",
            lambda n: [n["2 threads", "tied, Bobbin"]],
            lambda speedup: speedup > 1,
        ),
        Finding(
            "`cilk`, by which each untied task has a stack of its own, does not gain: {0}.",
            lambda n: [n["2 threads", "untied, cilk"]],
            lambda speedup: speedup < 1,
        ),
    ),
)
_FRAMEWORKS = Figure(
    "2",
    "UTS without taskwaits and by other frameworks: speedup over the serial search",
    Curves(),
    "it shows the search in which threads steal by hand, alone.",
    (
        Entry("uts-T3-wait", "summed", "", "tree=S3", runtimes=("bobbin",)),
        Entry("uts-T3-tasks", "by thread", "", "tree=S3"),
    ),
    speedup(),
    here=(
        Finding(
            "On two threads stealing by hand is the best: {0}.",
            lambda n: [n["2 threads", "by thread, by-hand"], *n.row("2 threads")],
            lambda by_hand, *every: by_hand == max(every),
        ),
        Finding(
            "Without taskwaits OpenMP comes near to stealing by hand on Bobbin: {0} to {1} on two "
            "threads.",
            lambda n: n.row("2 threads", "by thread, Bobbin", "by thread, by-hand"),
            lambda bobbin, by_hand: bobbin > 0.9 * by_hand,
        ),
        Finding(
            "On two threads Bobbin leads libgomp by {0} to {1} without taskwaits.",
            lambda n: n.row("2 threads", "by thread, Bobbin", "by thread, libgomp"),
            lambda bobbin, gomp: bobbin > 1.1 * gomp,
        ),
    ),
)

_GRAIN = Figure(
    "grain",
    "the hand-written search: nodes stolen at once",
    Curves(x="chunk", lines=("threads",), x_title="nodes at once"),
    "64 nodes were the best number.",
    (Entry("uts-by-hand", "", "", "tree=S3"),),
    speedup(),
    ("bobbin",),  # of which it uses the locks
    threads=(2, 4, 8, 16),
    quick_threads=(2, 4),
    here=Finding(
        "64 is among the best numbers here, too: {0} on two threads, where the best is {1}.",
        lambda n: [n["64 nodes at once", "2 threads"], max(n.column("2 threads"))],
        lambda of_64, best: of_64 > 0.9 * best,
    ),
)
_LOOP = Figure(
    "loop",
    "a loop with a hash an iteration, schedule(dynamic,1): efficiency",
    Curves(),
    "the loop is 92 to 97 % efficient.",
    (Entry("uts-loop", "", "", "hashes=400000"),),
    plain("efficiency", "% of the processors' time"),
    here=(
        Finding(
            "It agrees on one thread: {0} % on libgomp, {1} % on libomp, {2} % on Bobbin.",
            lambda n: n.row("1 thread", "libgomp", "libomp", "Bobbin"),
            lambda *shares: min(shares) >= 92 and max(shares) <= 105,
        ),
        Finding(
            "On two threads, which share a counter, libgomp reaches {0} %, libomp {1} %, and "
            "Bobbin {2} %.",
            lambda n: n.row("2 threads", "libgomp", "libomp", "Bobbin"),
            lambda *shares: min(shares) < 92,
        ),
    ),
)
_OVERHEAD = Figure(
    "3",
    "UTS with 1 and with 100 hashes a node: time outside hashing",
    Curves(lines=("hashes", "runtime")),
    "it shows the share of the overheads with 100 hashes a node.",
    (Entry("uts-balance", "", "hashes=1,100", "tree=S1"),),
    plain("outside_hashing", "% of the threads' time"),
    # Threads that share a processor would count each other's time as their own hashing.
    threads=_AT_MOST_ALL,
    quick_threads=_AT_MOST_ALL,
    here=Finding(
        "100 hashes a node make the overheads small, as in the paper: {0} % on libgomp, {1} % on "
        "libomp, {2} % on Bobbin with two threads.",
        lambda n: n.row(
            "2 threads", *(f"hashes 100, {r}" for r in ("libgomp", "libomp", "Bobbin"))
        ),
        lambda *shares: max(shares) < 10,
    ),
)
_MOVES = Figure(
    "4",
    "UTS with untied tasks: tasks begun by another thread than their maker, and moves of suspended "
    "tasks",
    Bars(groups=("threads", "runtime"), bars=("metric",), log=True),
    "it counts tasks that another thread begins, and tasks that migrate while they are suspended.",
    (Entry("uts-moves", "", "", "tree=S3"),),
    Quantity(("tasks_of_others", "moves_at_task", "moves_at_wait"), "tasks and moves"),
    (*RIVALS, "bobbin+creation=continuation", "cilk"),
    threads=(2, 8),
    quick_threads=(2, 4),
    here=(
        Finding(
            "The runtimes leave an untied task with the thread that began it, and Bobbin's "
            "`creation=continuation`, which `cilk` has, lets it move: {3} and {4} moves with two "
            "threads while a child began.",
            lambda n: n.column(
                "moved while a child began",
                "2 threads, libgomp",
                "2 threads, libomp",
                "2 threads, Bobbin",
                "2 threads, Bobbin creation=continuation",
                "2 threads, cilk",
            ),
            lambda gomp, omp, bobbin, *moved: gomp == omp == bobbin == 0 and min(moved) > 0,
        ),
        Finding(
            "With `cilk` thieves take the rest of tasks that are suspended, and fewer tasks that "
            "have not begun: {1} instead of {0}.",
            lambda n: n.column(
                "begun by another thread than their maker", "2 threads, Bobbin", "2 threads, cilk"
            ),
            lambda usual, moved: moved < usual,
        ),
    ),
)
_MOVES_TOLD = Figure(
    "4b",
    "the same of the unmodified program, by its profile",
    Bars(groups=("threads", "runtime"), bars=("metric",), log=True),
    "it counts them in a version of the program for that.",
    (Entry("breakdown-uts-untied", "", "tree=T3 mode=wait", "tree=S3 mode=wait"),),
    Quantity(("tasks_elsewhere", "tasks_moved"), "tasks and moves"),
    ("omp", "bobbin", "bobbin+creation=continuation", "cilk"),  # those that have OMPT
    threads=(2, 8),
    quick_threads=(2, 4),
)
_NODES = Figure(
    "5",
    "UTS: nodes that each thread visits",
    Bars(groups=("thread",), bars=("runtime",)),
    "it shows how unevenly the nodes are shared out.",
    (Entry("uts-balance", "", "", "tree=S3"),),
    plain("nodes", "nodes"),
    threads=(8,),
    quick_threads=(4,),
    here=Finding(
        "Of four threads on two processors, some begin late or never on Bobbin, because the others "
        "do their work: the least has {0} nodes, the most {1}.",
        lambda n: [min(n.column("Bobbin")), max(n.column("Bobbin"))],
        lambda least, most: least < most / 4,
    ),
)
_NODES_TOLD = Figure(
    "5b",
    "the same of the unmodified program: tasks that each thread begins, by its profile",
    Bars(groups=("thread",), bars=("runtime",)),
    "it counts nodes in a version of the program for that.",
    (Entry("breakdown-uts", "", "tree=T3 mode=tasks", "tree=S3 mode=tasks"),),
    plain("tasks_begun", "tasks"),
    ("omp", "bobbin"),  # those that have OMPT
    threads=(8,),
    quick_threads=(4,),
)
_IMBALANCE = Figure(
    "6",
    "UTS: what is lost by imbalance",
    Curves(),
    "load balancing is one of the two causes of poor performance; overheads are the other one.",
    (Entry("uts-balance", "", "", "tree=S3"),),
    plain("imbalance_loss", "%"),
    here=(
        Finding(
            "On two threads Bobbin loses least: {0} %, libgomp {1} %, libomp {2} %.",
            lambda n: n.row("2 threads", "Bobbin", "libgomp", "libomp"),
            lambda bobbin, *others: bobbin < min(others),
        ),
        Finding(
            "With more threads than processors the figure says nothing of Bobbin ({0} % with "
            "four), which need not use them all.",
            lambda n: [n["4 threads", "Bobbin"]],
            lambda loss: loss > 10,
        ),
    ),
)
_IF = Figure(
    "11",
    "UTS with tasks undeferred by an if clause: speedup over the serial search",
    Curves(x="in_place", lines=("entry", "runtime"), x_title="% undeferred"),
    "the speedup falls as the share of undeferred tasks rises from 0.01 to 100 %.",
    (
        Entry(
            "uts-if",
            "gcc",
            "tree=T3 in_place=0.01,0.1,1,10,100",
            "tree=S3 in_place=0.01,0.1,1,10,100",
            runtimes=("gomp", "bobbin"),
        ),
        Entry(
            "uts-if",
            "clang",
            "tree=T3 in_place=0.01,0.1,1,10,100",
            "tree=S3 in_place=0.01,0.1,1,10,100",
            runtimes=("omp", "iomp", "bobbin"),
            compiler=Compiler.CLANG,
        ),
    ),
    speedup(),
    threads=_ALL,
    quick_threads=_ALL,
    here=(
        Finding(
            "libgomp gains by the clause, unlike the runtimes of the paper: {0} with 0.01 %, {1} "
            "with all tasks undeferred.",
            lambda n: n.column("gcc, libgomp", "0.01 % undeferred", "100 % undeferred"),
            lambda few, every: every > 1.1 * few,
        ),
        "Bobbin decides that itself.",
        Finding(
            "What gcc's and clang's programs make of the same source differs on Bobbin by up to "
            "{0} times, for a reason that was not looked for.",
            lambda n: [
                max(
                    g / c
                    for g, c in zip(n.column("gcc, Bobbin"), n.column("clang, Bobbin"), strict=True)
                )
            ],
            lambda factor: factor > 1.3,
        ),
    ),
)

PAPER = Paper(
    "uts",
    13,
    0.45,
    "Unbalanced tree search",
    "Stephen L. Olivier and Jan F. Prins, *Comparison of OpenMP 3.0 and other task parallel "
    "frameworks on unbalanced task graphs*, International Journal of Parallel Programming 38(5), "
    "2010.",
    "The tree is T3, of 4.1 million nodes; at `--quick` it is S3, of 194,000. `bench/uts` has the "
    "versions of the search.",
    (
        Figure(
            "T1",
            "lines of code of each version, counted in its source",
            Words(expressiveness.HEADINGS, expressiveness.rows),
            "its table counts no lines. It has two rows of yes and no: whether a framework has "
            "level-wise synchronisation, and accumulation.",
            here=(
                "A version whose counts are returned waits at each level. The others accumulate "
                "them, and wait once. The Cilk versions have never been compiled by a Cilk "
                "compiler, because none is packaged.",
                Finding(
                    "A version by hand is {0} times as long as one by tasks.",
                    lambda n: [
                        n["threads, stealing by hand", "lines"]
                        / n["OpenMP tasks, taskwait", "lines"]
                    ],
                    lambda factor: factor > 2,
                ),
            ),
        ),
        Figure(
            "T2",
            "the serial search, by compiler",
            Bars(groups=("tree",), bars=("entry",)),
            "it tells the rate of the serial search, which the speedups are based on.",
            (
                Entry("uts-rate", "gcc", "", "tree=S1,S3", runtimes=("bobbin",)),
                Entry(
                    "uts-rate",
                    "clang",
                    "",
                    "tree=S1,S3",
                    runtimes=("bobbin",),
                    compiler=Compiler.CLANG,
                ),
            ),
            plain("rate_mnodes", "million nodes a second"),
            threads=(1,),
            quick_threads=(1,),
            here=Finding(
                "The compilers' rates are {0} and {1} for S3.",
                lambda n: n.row("tree S3", "gcc", "clang"),
                lambda *_: True,
            ),
        ),
        _SPEEDUPS,
        _FRAMEWORKS,
        _GRAIN,
        _LOOP,
        _OVERHEAD,
        _MOVES,
        _MOVES_TOLD,
        _NODES,
        _NODES_TOLD,
        _IMBALANCE,
        *uts_schedulers.FIGURES,
        _IF,
    ),
)
