# SPDX-License-Identifier: Apache-2.0
"""Agathos, Kallimanis and Dimakopoulos (2012): the tasks of the OMPi compiler."""

from __future__ import annotations

from bobbin_lab.papers.declared import RIVALS, Curves, Entry, Figure, Paper, plain

_RUNTIMES = (*RIVALS, "ompi")
_THREADS = (2, 4, 8, 16)
_QUICK_THREADS = (2, 4, 8)
_RATE = plain("rate_mtasks", "million tasks a second")
_TIME = plain("time_ms", "ms")
_LOADS = "maxload=0,64,256,1024,4096,16384,65536"


def _producers(number: str, title: str, arguments: str, quick: str, found: str) -> Figure:
    return Figure(
        number,
        title,
        Curves(),
        found,
        (Entry("producer-1", "", f"tasks=4000000 {arguments}", f"tasks=200000 {quick}"),),
        _RATE,
        _RUNTIMES,
        threads=_THREADS,
        quick_threads=_QUICK_THREADS,
    )


PAPER = Paper(
    "omp-tasking",
    "Tasks of OMPi",
    "Spiros N. Agathos, Nikolaos D. Kallimanis and Vassilios V. Dimakopoulos, *Speeding up OpenMP "
    "tasking*, Euro-Par 2012.",
    "",
    (_producers("5a", "one producer, over the threads", "maxload=128", "", "to be written"),),
)
