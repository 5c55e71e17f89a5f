# SPDX-License-Identifier: Apache-2.0
"""Hadjidoukas and Dimakopoulos (2007): nested parallelism in the OMPi compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bobbin_lab.experiments.plan import Relation
from bobbin_lab.papers.declared import (
    RIVALS,
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
from bobbin_lab.papers.findings import Finding, Here, range_of

_KERNEL = "bobbin+BOBBIN_PROVIDER=kernel"
_BOUND = "bobbin+OMP_PROC_BIND=spread"
_RUNTIMES = (*RIVALS, _KERNEL, _BOUND)
_NAMES = {_KERNEL: "Bobbin, kernel threads", _BOUND: "Bobbin, bound"}
# Orders in which bound threads are dealt to the places.
_DEALT = {
    "bobbin+KMP_AFFINITY=scatter": "Bobbin, scatter",
    "bobbin+KMP_AFFINITY=compact": "Bobbin, compact",
    _BOUND: _NAMES[_BOUND],
}
_OVERHEAD = plain("overhead_us", "overhead in us")


def _routine() -> Sequence[Sequence[str]]:
    return [
        [
            "omp for schedule(dynamic,1)",
            "`ntasks` iterations, dealt one by one to the outer team",
            "`mode=loop ntasks=N`",
        ],
        [
            "the routine of EPCC in each iteration",
            "many repetitions of a construct around a delay, in a team of its own",
            "`construct=parallel`, `for`, or any other that `list=yes` shows",
        ],
        [
            "nested or not",
            "the loop is parallel, or serial: then the same teams are outermost ones",
            "both in one run, in turn; label `nested`",
        ],
        [
            "reference",
            "the delays without the construct, called from the same loop",
            "taken away from the total: the overhead",
        ],
    ]


def _iterations(count: int) -> str:
    return f"{count} iterations of the loop"


_AS_LONG = Finding(
    "It agrees: 16 iterations take libgomp {0} times, libomp {1} times as long as Bobbin.",
    lambda n: [n[_iterations(16), r] / n[_iterations(16), "Bobbin"] for r in ("libgomp", "libomp")],
    lambda gomp, omp: min(gomp, omp) > 2,
)
_FIBERS = Finding(
    "It agrees for fibers, whose ratio is {0} to {1}.",
    lambda n: range_of(n.column("Bobbin")),
    lambda least, most: most < 1.5,
)


def _of_bound(text: str, holds: Callable[[float, float], bool]) -> Finding:
    return Finding(text, lambda n: n.row(_iterations(16), _NAMES[_BOUND], "Bobbin"), holds)


_BOUND_FIBERS = (
    _of_bound(
        "Bound threads are fibers, too: 16 iterations take them {0} us, unbound ones {1}.",
        lambda bound, unbound: bound < 10 * unbound,
    ),
    _of_bound(
        "Bound threads were kernel threads when this and the figures beside it were measured: 16 "
        "iterations took them {0} us. They are fibers now.",
        lambda bound, unbound: bound >= 10 * unbound,
    ),
)


def _from_loop(
    number: str, construct: str, quantity: Quantity, title: str, found: str, here: Here
) -> Figure:
    return Figure(
        number,
        title,
        Curves(x="ntasks", lines=("runtime",), log_y=True, x_title="iterations of the loop"),
        found,
        (
            Entry(
                f"loop-{construct}",
                arguments="ntasks=1,2,4,8,16,32,64 samples=20",
                quick="ntasks=1,4,16 samples=3 sample_us=500",
            ),
        ),
        quantity,
        _RUNTIMES,
        _NAMES,
        threads=(4,),
        quick_threads=(2,),
        here=here,
    )


def _total(number: str, construct: str, here: Here) -> Figure:
    return _from_loop(
        number,
        construct,
        Quantity(("total_us",), "time of a repetition in us", where={"nested": "yes"}),
        f"{construct}: time from the iterations of a parallel loop",
        "kernel threads cost the more, the more iterations open teams; user-level threads hardly.",
        here,
    )


def _ratio(number: str, construct: str, here: Here) -> Figure:
    return _from_loop(
        number,
        construct,
        Quantity(("overhead_us",), "nested over flat", Relation.SLOWDOWN, {"nested": "no"}),
        f"{construct}: overhead in nested teams over that in outermost ones",
        "with user-level threads the ratio stays near 1; with kernel threads it grows with the "
        "number of iterations.",
        here,
    )


def _shapes(records: str) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            "cluster-nested", f"{n}x{n}", f"outer={n} inner={n} {records}", "records=800 stop=300"
        )
        for n in (2, 4, 8)
    )


PAPER = Paper(
    "nested",
    0.9,
    0.9,
    "Nested parallelism in the OMPi OpenMP/C compiler",
    "Panagiotis E. Hadjidoukas and Vassilios V. Dimakopoulos, Euro-Par 2007.",
    "Threads of OpenMP as user-level threads, so that teams within teams cost little, with queues "
    "from which idle processors steal by distance. Here fibers play that part; the same Bobbin on "
    "kernel threads, and with its threads bound to places, stand beside them.",
    (
        Figure(
            "2",
            "overheads without nesting",
            Bars(("entry", "threads"), log=True),
            "the user-level threads add nothing to the overheads of a single level.",
            (
                Entry("overhead-parallel", "parallel"),
                Entry("overhead-for", "for"),
                Entry("overhead-barrier", "barrier"),
                Entry("overhead-lock", "lock"),
            ),
            _OVERHEAD,
            _RUNTIMES,
            _NAMES,
            threads=(2, 4, 8),
            quick_threads=(2, 4),
            here=(
                Finding(
                    "Where threads outnumber the processors, kernel threads, those of libgomp and "
                    "libomp as well, cost {0} to {1} times as much as fibers in all but the lock.",
                    lambda n: range_of(
                        n[f"{construct}, 4 threads", runtime]
                        / n[f"{construct}, 4 threads", "Bobbin"]
                        for construct in ("parallel", "for", "barrier")
                        for runtime in ("libgomp", "libomp", _NAMES[_KERNEL])
                    ),
                    lambda least, most: least > 1,
                ),
                Finding(
                    "libomp's barrier of two threads takes {0} us, that of four {1}, for a reason "
                    "that is not known.",
                    lambda n: n.column("libomp", "barrier, 2 threads", "barrier, 4 threads"),
                    lambda two, four: two > four,
                ),
            ),
        ),
        Figure(
            "3",
            "the routine that the next figures measure",
            Words(("paper", "does", "here: `bench/overheads`"), _routine),
            "the loop that calls EPCC's routines, nested and not.",
        ),
        _total("4a", "parallel", (_AS_LONG, *_BOUND_FIBERS)),
        _ratio(
            "4b",
            "parallel",
            (
                _FIBERS,
                Finding(
                    "libgomp's ratio is {0} to {1}, because it ends and begins kernel threads for "
                    "each nested team.",
                    lambda n: range_of(n.column("libgomp")),
                    lambda least, most: least > 10,
                ),
                Finding(
                    "libomp keeps its kernel threads, and its ratio grows with the iterations, "
                    "from {0} to {1}.",
                    lambda n: n.column("libomp", _iterations(1), _iterations(16)),
                    lambda first, last: last > 1.25 * first,
                ),
            ),
        ),
        _total("5a", "for", (_AS_LONG, *_BOUND_FIBERS)),
        _ratio(
            "5b",
            "for",
            (
                _FIBERS,
                Finding(
                    "libgomp's ratio goes from {0} with one iteration to {1} with four.",
                    lambda n: n.column("libgomp", _iterations(1), _iterations(4)),
                    lambda *_: True,
                ),
                Finding(
                    "libomp's goes from {0} with four to {1} with sixteen.",
                    lambda n: n.column("libomp", _iterations(4), _iterations(16)),
                    lambda *_: True,
                ),
            ),
        ),
        Figure(
            "6",
            "hierarchical clustering, outer x inner threads",
            Bars(),
            "PCURE, a clustering with two parallel loops within each other, gains from the inner "
            "level where threads are cheap.",
            _shapes("records=5000"),
            speedup(),
            _RUNTIMES,
            _NAMES,
            threads=(2,),
            quick_threads=(2,),
            here=(
                Finding(
                    "Only on fibers is the program not slower than serially: {0} times as fast at "
                    "best, on the others {1}.",
                    lambda n: [
                        max(n.column("Bobbin")),
                        max(n.column("libgomp") + n.column("libomp") + n.column(_NAMES[_KERNEL])),
                    ],
                    lambda fibers, others: fibers > 1 > others,
                ),
                "A search took 27 us on one processor and 38 where both work, and that is the "
                "limit.",
            ),
        ),
        Figure(
            "dealing",
            "the same with the outer threads dealt to processors in several orders",
            Bars(),
            "outer threads are dealt cyclically over the tree of the machine.",
            _shapes("records=5000"),
            speedup(),
            ("bobbin", *_DEALT),
            _DEALT,
            threads=(2,),
            quick_threads=(2,),
            here="Scatter is the paper's order: neighbours in the team are as far apart as can be. "
            "The usual order, of threads that are not bound, is where idle processors steal. On "
            "two processors all orders are the same.",
        ),
    ),
)
