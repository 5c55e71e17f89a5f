# SPDX-License-Identifier: Apache-2.0
"""Task graphs of programs that are executed for it, and how long these really take."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bobbin_lab.experiments.plan import Case
from bobbin_lab.graph import task_graph
from bobbin_lab.measure.execute import run_case
from bobbin_lab.places import COMMAND, program
from bobbin_lab.runtimes import MissingError, known_runtimes, resolve

# Other programs only lengthen the work, so the recording with the least work counts, and the
# shortest run.
_RECORDINGS = 3
_PATIENCE_S = 600.0


def record(words: Sequence[str], threads: int, folder: Path) -> Path:
    """The path of the program's graph, of several recordings."""
    best, least = Path(), float("inf")
    env = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    env["OMP_NUM_THREADS"] = str(threads)
    for number in range(_RECORDINGS):
        path = folder / f"recorded-{number}"
        done = subprocess.run(
            [str(COMMAND), "run", "--span", "--record", str(path), *words],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0 or not path.is_file():
            last = (done.stderr.strip().splitlines() or ["it wrote no graph"])[-1]
            raise MissingError(f"{shlex.join(words)} could not be recorded: {last}")
        work = task_graph.load(path).total_work()
        if work < least:
            best, least = path, work
    return best


def hand_over_ns(folder: Path) -> float:
    """How long it takes on this machine until another processor goes on with a task."""
    words = [program("fib"), "n=20"]
    heads = (task_graph.load(record(words, 1, folder)).head for _ in range(_RECORDINGS))
    return 1e9 * min(float(head["hand_over_seconds"]) for head in heads)


def recording_ns(folder: Path) -> float:
    """What recording adds to a part of a task: the usual work of parts that have next to none."""
    work = task_graph.load(record([program("fib"), "n=20"], 1, folder)).work
    return float(np.median(work[work > 0]))


def wall_ns(words: Sequence[str], counts: Sequence[int], rounds: int) -> dict[int, float]:
    """The least time of the program on Bobbin, by its number of threads; these take turns."""
    runtime = resolve("bobbin", known_runtimes(of=words[0]))
    taken: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(rounds):
        for count in counts:
            case = Case(str(count), runtime.name, tuple(words), threads=count)
            sample = run_case(case, runtime, _PATIENCE_S, probe=False)
            if sample.error:
                raise MissingError(f"{shlex.join(words)} with {count} threads: {sample.error}")
            taken[count].append(sample.metrics["wall_s"])
    return {count: 1e9 * min(times) for count, times in taken.items()}
