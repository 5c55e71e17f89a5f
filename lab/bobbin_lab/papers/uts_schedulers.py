# SPDX-License-Identifier: Apache-2.0
"""Olivier and Prins (2010): the schedulers of Nanos, and work put together into tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from bobbin_lab.papers.declared import RIVALS, Curves, Entry, Figure, HeatMap, Words, plain, speedup
from bobbin_lab.papers.findings import Finding, Here
from bobbin_lab.presets import presets

# As many threads as processors.
_ALL = (len(os.sched_getaffinity(0)),)
# So that some only execute what two of them make.
_MORE_THAN_TWO = (max(4, *_ALL),)

_WORK_FIRST = ("wfff", "wffl", "wlff", "wlll", "cilk")
_NANOS = (*_WORK_FIRST, "bff", "bfl")
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


def _couples(values: Sequence[float]) -> Iterable[tuple[float, float]]:
    return zip(values[::2], values[1::2], strict=True)


def _rank(text: str, holds: Callable[[float, float], bool]) -> Finding:
    return Finding(
        text,
        lambda n: [
            max(n.row("1 hashes a task", *_WORK_FIRST)),
            min(n.row("1 hashes a task", "bff", "bfl")),
        ],
        holds,
    )


_ALL_GAIN = Finding(
    "From 50 hashes on all gain, at least {0} times; quartiles overlap, so they are not ranked.",
    lambda n: [min(v for (r, _), v in n.cells.items() if int(r.partition(" ")[0]) >= 50)],
    lambda least: least > 1,
)


def _aggregated(
    number: str,
    title: str,
    entry: Entry,
    runtimes: tuple[str, ...],
    found: str,
    here: Here,
    threads: tuple[int, ...] = _ALL,
) -> Figure:
    return Figure(
        number,
        title,
        Curves(x="k", lines=("runtime",), x_title="hashes a task"),
        found,
        (entry,),
        speedup(),
        runtimes,
        threads=threads,
        quick_threads=threads,
        here=here,
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
    here=(
        Finding(
            "Limits matter more than orders: 512 queued tasks are too many for each work-first "
            "scheduler. With 8 the slowest of them takes {0} ms, with 512 the fastest {1}.",
            lambda n: [
                max(n.column("cutoff=tasks:8", *_WORK_FIRST)),
                min(n.column("cutoff=tasks:512", *_WORK_FIRST)),
            ],
            lambda few, many: many > 1.2 * few,
        ),
        Finding(
            "The fastest cell of all, {0} ms, is breadth-first; the fastest work-first one takes "
            "{1}.",
            lambda n: [
                min(v for (row, _), v in n.cells.items() if row not in _WORK_FIRST),
                min(v for (row, _), v in n.cells.items() if row in _WORK_FIRST),
            ],
            lambda breadth, work: breadth < work,
        ),
    ),
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
    here=(
        Finding(
            "With `bff` a limit on levels bounds the memory less than one on tasks, as in the "
            "paper: at most {0} MB and {1} MB.",
            lambda n: [
                max(v for (r, c), v in n.cells.items() if r == "bff" and "level" in c),
                max(v for (r, c), v in n.cells.items() if r == "bff" and "tasks" in c),
            ],
            lambda level, tasks: level > tasks,
        ),
        "None runs out of it: at `BOBBIN_TASK_MEMORY` a thread makes no more tasks and executes "
        "some instead.",
    ),
)

FIGURES = (
    _aggregated(
        "7",
        "4 million hashes, k of them a task, made by all threads in a static loop: speedup",
        Entry("uts-aggregate", "", f"makers=all k={_SIZES}", f"makers=all {_QUICK_SIZES}"),
        RIVALS,
        "the speedup comes to a plateau as tasks become larger.",
        (
            Finding(
                "Here, too: from 10 to 1,000 hashes a task the speedup goes from {0} to {1} on "
                "libgomp, from {2} to {3} on libomp, and from {4} to {5} on Bobbin.",
                lambda n: [
                    n[f"{k} hashes a task", r]
                    for r in ("libgomp", "libomp", "Bobbin")
                    for k in (10, 1000)
                ],
                lambda *speedups: all(0.8 < a / b < 1.25 for a, b in _couples(speedups)),
            ),
            "With 10,000 hashes a task, --quick has 20 tasks, too few to be even.",
        ),
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
        Entry("uts-aggregate-untied", "", f"makers=all k={_SIZES}", f"makers=all {_QUICK_SIZES}"),
        _NANOS,
        "below 10 hashes a task all of them are far poorer than Intel's compiler.",
        (
            _rank(
                "With one hash a task work-first schedulers lose to the serial program (at most "
                "{0}), and breadth-first ones lose less or gain ({1} and more).",
                lambda work, breadth: work < 1 and work < breadth,
            ),
            _ALL_GAIN,
        ),
    ),
    _aggregated(
        "10",
        "the same, made by two threads of four or more: speedup",
        Entry("uts-aggregate-untied", "", f"makers=two k={_SIZES}", f"makers=two {_QUICK_SIZES}"),
        _NANOS,
        "work-first schedulers are best. Two threads make the tasks evenly.",
        (
            _rank(
                "It agrees: with one hash a task work-first schedulers reach {0} of the serial "
                "speed, and breadth-first ones {1} and more.",
                lambda work, breadth: work >= breadth,
            ),
            _rank(
                "Not so here: with one hash a task work-first schedulers reach at most {0} of the "
                "serial speed, and breadth-first ones {1} and more.",
                lambda work, breadth: work < breadth,
            ),
            _ALL_GAIN,
        ),
        threads=_MORE_THAN_TWO,
    ),
)
