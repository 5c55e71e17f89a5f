# SPDX-License-Identifier: Apache-2.0
"""Iwainsky et al. (2015): how the costs of OpenMP constructs grow with the threads."""

from __future__ import annotations

from bobbin_lab.experiments.catalogue import thread_lists
from bobbin_lab.output.tables import TITLES
from bobbin_lab.papers.declared import Curves, Entry, Figure, Models, Paper, Quantity
from bobbin_lab.papers.findings import Finding, range_of

_RUNTIMES = ("gomp", "omp", "iomp", "bobbin")
_BINDINGS = ("spread", "close")
# The same with each thread bound to a place, and how that is called.
_BOUND = {
    f"{runtime}+OMP_PROC_BIND={binding}": f"{TITLES[runtime]}, {binding}"
    for runtime in _RUNTIMES
    for binding in _BINDINGS
}
_METRICS = ("overhead_us", "last_out_first_in_us")
# A schedule by single iterations, an array of 4 KB, and a construct from its entry to its exit.
_WHERE = {"chunk": "1", "bytes": "4096", "phase": "whole"}
_BOTH = Quantity(_METRICS, "us", where=_WHERE)

_ALL = thread_lists()["classes"]
_QUICK = (2, 3, 4, 6, 8, 12, 16)
_EIGHTS = thread_lists()["eights"]
_QUICK_CLASSES = (1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 36)
_QUICK_EIGHTS = (1, 3, 5, 8, 9, 13, 16, 24, 32, 40)

# The paper's number of samples. At --quick a sample is shorter.
_SAMPLES = "samples=100"
_SHORT = f"{_SAMPLES} sample_us=300"
_EPCC = Entry("overhead", "EPCC", _SAMPLES, _SHORT)
_ISOLATED = Entry("isolated", "isolated", _SAMPLES)
# As the programs call the same constructs.
_ROWS = {
    "for_static": "static",
    "for_dynamic": "dynamic",
    "for_guided": "guided",
    "for_ordered": "ordered_static",
    "for_reduction": "for with reduction",
    "parallel_reduction": "reduction",
    "parallel_firstprivate_8": "firstprivate of 8 bytes",
    "parallel_firstprivate_4096": "firstprivate",
    "single_copyprivate": "copyprivate",
}


def _some(first: str, second: str) -> Entry:
    """Two constructs, of which the second one must do at --quick."""
    return Entry(
        "overhead",
        "EPCC",
        f"{_SAMPLES} construct={first},{second}",
        f"{_SHORT} construct={second}",
    )


PAPER = Paper(
    "scalability",
    5,
    1.5,
    "How many threads will be too many?",
    "Christian Iwainsky, Sergei Shudler, Alexandru Calotoiu, Alexandre Strube, Michael Knobloch, "
    "Christian Bischof and Felix Wolf, Euro-Par 2015.",
    "Models of how the costs of constructs grow with the number of threads, to find problems of "
    "scale before there are such machines, and to watch them while a runtime is developed "
    "(`bobbin lab gate`).",
    (
        Figure(
            "T1",
            "models of all constructs, by EPCC's method and in isolation",
            Models(pictures=False, rows=_ROWS),
            "many constructs grow linearly or faster on the runtimes of four vendors, where "
            "logarithmic growth is possible.",
            (_EPCC, _ISOLATED),
            _BOTH,
            _RUNTIMES,
            threads=_ALL,
            quick_threads=_QUICK,
            here="Nearly all of these threads share two processors, so the growth is that of "
            "threads taking turns. Growth on more processors is not shown.",
        ),
        Figure(
            "1",
            "a barrier in isolation",
            Curves(lines=("metric", "runtime"), log_y=True),
            "three times of a construct that all threads enter at one point of time: which no "
            "thread can avoid, the mean, and that of the slowest.",
            (_ISOLATED,),
            Quantity(
                ("first_out_last_in_us", "avg_out_last_in_us", "last_out_first_in_us"),
                "us",
                where={"construct": "barrier", "phase": "whole"},
            ),
            ("gomp", "bobbin"),
            threads=_ALL,
            quick_threads=_QUICK,
            here=(
                Finding(
                    "The time that no thread can avoid is {0} to {1} us on Bobbin.",
                    lambda n: range_of(n.column("first out - last in, Bobbin")),
                    lambda least, most: most < 2 * least,
                ),
                Finding(
                    "The time of the slowest thread grows with the turns that threads take on two "
                    "processors: with 16 threads it is {0} us on Bobbin and {1} on libgomp.",
                    lambda n: n.row(
                        "16 threads", "last out - first in, Bobbin", "last out - first in, libgomp"
                    ),
                    lambda bobbin, gomp: bobbin < gomp,
                ),
            ),
        ),
        Figure(
            "2",
            "models by classes of thread numbers: powers of two, EVEN and ODD",
            Models("4+2"),
            "on nodes of 16 cores, multiples of 16, those with 8 more, and powers of two follow "
            "laws of their own. On two processors the classes are taken by a period of 4.",
            (_some("parallel", "barrier"),),
            _BOTH,
            _RUNTIMES,
            threads=_ALL,
            quick_threads=_QUICK_CLASSES,
            here="The classes have models of their own, as in the paper, but here none has a "
            "reason in the machine: it has two processors. *no model*, in older tables a constant "
            "without R² or a growth with one below 0.95, means that no law fits the points.",
        ),
        Figure(
            "3",
            "models of multiples of 8 and of the rest",
            Models("eights"),
            "on the Xeon Phi, multiples of 8 behave otherwise than the numbers between them.",
            (_some("parallel", "barrier"),),
            _BOTH,
            _RUNTIMES,
            threads=_EIGHTS,
            quick_threads=_QUICK_EIGHTS,
            here="As in Figure 2.",
        ),
        Figure(
            "4",
            "models up to a thread a processor, and beyond",
            Models("crowd"),
            "where threads share cores, costs grow by another law.",
            (_some("single", "dynamic"),),
            _BOTH,
            _RUNTIMES,
            threads=_ALL,
            quick_threads=_QUICK,
            here="There are too few numbers of threads up to two processors for a model, so only "
            "the law beyond is told.",
        ),
        Figure(
            "binding",
            "models with threads bound, spread over the machine or close together",
            Models(),
            "it measures each runtime with its threads spread over the machine and close together.",
            (_some("parallel", "barrier"),),
            _BOTH,
            tuple(_BOUND),
            _BOUND,
            threads=_ALL,
            quick_threads=_QUICK,
            here="With two processors of one package the places are the same. What differs is the "
            "order in which threads beyond the processors are dealt to them.",
        ),
    ),
)
