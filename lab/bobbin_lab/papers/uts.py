# SPDX-License-Identifier: Apache-2.0
"""Olivier and Prins (2010): OpenMP tasks and other frameworks on unbalanced task graphs."""

from __future__ import annotations

import os

from bobbin_lab.papers import expressiveness
from bobbin_lab.papers.declared import (
    RIVALS,
    THREADS,
    Bars,
    Curves,
    Entry,
    Figure,
    HeatMap,
    Paper,
    Quantity,
    Words,
    plain,
    speedup,
)
from bobbin_lab.places import Compiler
from bobbin_lab.presets import presets

# As many threads as processors, and at most so many.
_ALL = (len(os.sched_getaffinity(0)),)
_AT_MOST_ALL = tuple(threads for threads in THREADS if threads <= _ALL[0])

_NANOS = ("wfff", "wffl", "wlff", "wlll", "cilk", "bff", "bfl")
# How many tasks a thread may have in its queue, and below how many enclosing tasks it makes some.
_MAXTASKS = ("cutoff=tasks:8", "cutoff=tasks:32", "cutoff=tasks:128", "cutoff=tasks:512")
_MAXLEVEL = ("cutoff=level:4", "cutoff=level:16", "cutoff=level:64", "cutoff=level:256")

_SIZES = ",".join(str(step * 10**power) for power in range(6) for step in (1, 2, 5)) + ",1000000"
_QUICK_SIZES = "hashes=200000 k=1,10,50,100,1000,10000"

# What is no policy of Bobbin's as the paper's runtime had it.
_DIFFERENCES = {
    "cilk": "a parent that waits goes on with the thread that ends its last child",
    "bff": "one queue a thread; Nanos had one for the team",
    "bfl": "one queue a thread; Nanos had one for the team",
}


def _schedulers() -> list[list[str]]:
    return [
        [
            name,
            presets()[name].text.removeprefix("Nanos: "),
            ", ".join(presets()[name].settings),
            _DIFFERENCES.get(name, ""),
        ]
        for name in _NANOS
    ]


def _crossed(policies: tuple[str, ...], settings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{policy}+{setting}" for policy in policies for setting in settings)


def _aggregated(
    number: str, title: str, entry: Entry, runtimes: tuple[str, ...], found: str, here: str
) -> Figure:
    return Figure(
        number,
        title,
        Curves(x="k", lines=("runtime",), x_title="hashes a task"),
        found,
        (entry,),
        speedup(),
        runtimes,
        threads=_ALL,
        quick_threads=_ALL,
        here=here,
    )


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
    here="It is still so for the runtimes of today's compilers, which lose to the serial search. "
    "Bobbin gains, and `cilk`, by which each untied task has a stack of its own, does not.",
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
    here="On two threads stealing by hand is the best. Without taskwaits OpenMP comes near to it "
    "on Bobbin. On this small tree Bobbin leads libgomp by 1.98 to 1.51; on T3 they are equal. "
    "Cilk's versions have not been compiled by a Cilk compiler here.",
)

_GRAIN = Figure(
    "grain",
    "the hand-written search: nodes stolen at once",
    Curves(x="chunk", lines=("threads",), x_title="nodes"),
    "64 nodes were the best number.",
    (Entry("uts-by-hand", "", "", "tree=S3"),),
    speedup(),
    ("bobbin",),  # of which it uses the locks
    threads=(2, 4, 8, 16),
    quick_threads=(2, 4),
    here="64 is among the best numbers here, too. On so small a tree 1 and 2 are as good.",
)
_LOOP = Figure(
    "loop",
    "a loop with a hash an iteration, schedule(dynamic,1): efficiency",
    Curves(),
    "the loop is 92 to 97 % efficient.",
    (Entry("uts-loop", "", "", "hashes=400000"),),
    plain("efficiency", "% of the processors' time"),
    here="It agrees on one thread. On two, which share a counter, libgomp and Bobbin reach 80 % "
    "and libomp 22 %.",
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
    here="100 hashes a node make the overheads small, as in the paper: below 1.5 % on libgomp and "
    "Bobbin, 7 % on libomp.",
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
    here="All these runtimes leave an untied task with the thread that began it, and only Bobbin's "
    "`creation=continuation`, which `cilk` has, lets it move. Then thieves take the rest of tasks "
    "that are suspended, and fewer tasks that have not begun.",
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
    here="Of four threads on two processors, some begin late or never on Bobbin, because the "
    "others do their work.",
)
_IMBALANCE = Figure(
    "6",
    "UTS: what is lost by imbalance",
    Curves(),
    "load balancing is one of the two causes of poor performance; overheads are the other one.",
    (Entry("uts-balance", "", "", "tree=S3"),),
    plain("imbalance_loss", "%"),
    here="On two threads Bobbin loses least. With more threads than processors the figure says "
    "nothing of Bobbin, which need not use them all.",
)
_POLICIES = Figure(
    "8",
    "UTS with untied tasks under the schedulers of Nanos, with limits on queued tasks or levels",
    HeatMap(rows=("policy",), columns=("setting",)),
    "it crosses seven schedulers with ranges of both limits. Nearly all speedups are at most 1.",
    (Entry("uts-untied", "", "", "tree=S3"),),
    plain("time_ms", "ms"),
    _crossed(_NANOS, (*_MAXTASKS, *_MAXLEVEL)),
    threads=_ALL,
    quick_threads=_ALL,
    here="Here, too, few cells are faster than the serial search (43 ms), all of them "
    "breadth-first. Limits matter more than orders: 512 queued tasks are too many for each "
    "work-first scheduler.",
)
_MEMORY = Figure(
    "memory",
    "the same: memory",
    HeatMap(rows=("policy",), columns=("setting",)),
    "breadth-first with a limit on levels ran out of memory.",
    (Entry("uts-untied", "", "", "tree=S3"),),
    plain("rss_mb", "MB"),
    _crossed(_NANOS, (*_MAXTASKS, *_MAXLEVEL)),
    threads=_ALL,
    quick_threads=_ALL,
    here="With `bff` a limit on levels bounds the memory less than one on tasks, as in the paper; "
    "with the others there is little difference. None runs out of it: at `BOBBIN_TASK_MEMORY` "
    "a thread makes no more tasks and executes some instead.",
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
    here="libgomp gains by the clause, unlike the runtimes of the paper. Bobbin decides that "
    "itself. What gcc's and clang's programs make of the same source differs by up to a factor of "
    "two on Bobbin, for a reason that was not looked for.",
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
            here="A version by hand is several times as long as one by tasks.",
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
            here="Compilers differ by 4 % here.",
        ),
        _SPEEDUPS,
        _FRAMEWORKS,
        _GRAIN,
        _LOOP,
        _OVERHEAD,
        _MOVES,
        _NODES,
        _IMBALANCE,
        _aggregated(
            "7",
            "4 million hashes, k of them a task, made by all threads in a static loop: speedup",
            Entry("uts-aggregate", "", f"makers=all k={_SIZES}", f"makers=all {_QUICK_SIZES}"),
            RIVALS,
            "the speedup comes to a plateau as tasks become larger.",
            "From 10 hashes on libgomp and Bobbin are on a plateau, from 50 on libomp, which stays "
            "lower. With 10,000 hashes a task, --quick has 20 tasks, too few to be even.",
        ),
        Figure(
            "T3",
            "the schedulers of Nanos as policies of Bobbin",
            Words(("name", "is", "settings", "differs"), _schedulers),
            "it lists the schedulers that Figures 8 to 10 compare.",
        ),
        _POLICIES,
        _MEMORY,
        _aggregated(
            "9",
            "the same hashes in untied tasks under the schedulers of Nanos, made by all threads: "
            "speedup",
            Entry(
                "uts-aggregate-untied", "", f"makers=all k={_SIZES}", f"makers=all {_QUICK_SIZES}"
            ),
            _NANOS,
            "below 10 hashes a task all of them are far poorer than Intel's compiler.",
            "With one hash a task work-first schedulers lose to the serial program, and "
            "breadth-first ones come near to it or gain. From about 50 hashes on all gain; "
            "quartiles overlap, so they are not ranked.",
        ),
        _aggregated(
            "10",
            "the same, made by one thread: speedup",
            Entry(
                "uts-aggregate-untied", "", f"makers=one k={_SIZES}", f"makers=one {_QUICK_SIZES}"
            ),
            _NANOS,
            "work-first schedulers are best. There two threads make the tasks, here one does.",
            "Not so here: with one hash a task breadth-first schedulers reach 0.8 of the serial "
            "speed, work-first ones at most 0.5. From about 50 hashes on all gain; quartiles "
            "overlap, so they are not ranked.",
        ),
        _IF,
    ),
)
