# SPDX-License-Identifier: Apache-2.0
"""As many rounds as a given time has room for: each round has each case once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from bobbin_lab.experiments.plan import Experiment
from bobbin_lab.host.noise import Patience
from bobbin_lab.measure.schedule import Turn
from bobbin_lab.measure.session import Work, begin, carry_out
from bobbin_lab.results.records import Results, Run, load
from bobbin_lab.results.stats import LEAST_SAMPLES

# Of the time, for what follows the runs: models and intervals.
_FOR_RESULTS = 0.05

Case = tuple[str, str]  # the names of the experiment and of the case


@dataclass
class _Clock:
    """When the next run would end too late."""

    end: float
    took: dict[Case, float]  # a run of a case

    def left(self) -> float:
        return self.end - time.monotonic()

    def allows(self, turn: Turn) -> bool:
        case = (turn.experiment.name, turn.case.name)
        return self.left() > self.took.get(case, turn.experiment.timeout)


def _took(run: Run) -> float:
    """Seconds of a run that ended by itself."""
    return next((r.value for r in run.readings if r.metric == "wall_s"), 0.0)


def too_long(took: Mapping[Case, float], done: Mapping[Case, int], seconds: float) -> set[Case]:
    """The cases to leave out of the next round, the longest first, so that each other one can have
    the least number of rounds, and the next one, in so many seconds.
    """
    left_out = set[Case]()
    costs = {case: took[case] * max(LEAST_SAMPLES - done[case], 1) for case in took}
    sum_of_all = sum(costs.values())
    for case in sorted(costs, key=lambda case: costs[case], reverse=True):
        if sum_of_all <= seconds:
            break
        sum_of_all -= costs[case]
        left_out.add(case)
    return left_out


def _without(experiments: Sequence[Experiment], cases: set[Case]) -> list[Experiment]:
    return [
        replace(e, cases=tuple(c for c in e.cases if (e.name, c.name) not in cases))
        for e in experiments
    ]


def _counts(runs: Iterable[Run]) -> Counter[Case]:
    return Counter((run.experiment, run.case) for run in runs if not run.error)


def measure_for(work: Work, path: Path, seconds: float, rounds: int, screen: Console) -> Results:
    """At most so many seconds and rounds. Before each round but the first, cases are left out that
    would take too long for the least number of rounds. One that is faster than it seemed to be, for
    instance because the machine is calm now, has its rounds later. A case that has failed is not
    tried again.
    """
    clock = _Clock(time.monotonic() + seconds * (1 - _FOR_RESULTS), {})
    writer = begin(work.session, path, Results(), screen)
    done, patience, own = list[Run](), Patience(work.settings.quiet_wait), 0.0
    left_out = set[Case]()
    try:
        patience.wait()
        for number in range(1, rounds + 1):
            settings = replace(work.settings, rounds=number, warm_up=number == 1)
            planned = _without(work.experiments, left_out)
            began, before = time.monotonic(), len(done)
            carry_out(
                planned, work.runtimes, settings, done, patience, writer, screen, clock.allows
            )
            done = load(path).runs
            cut_short = number == 1 and len(done) < sum(len(e.cases) for e in planned)
            if len(done) == before or cut_short:
                break
            if number == 1:
                # Each run has its part of what the lab itself does beside it.
                own = max(time.monotonic() - began - sum(map(_took, done)), 0) / len(done)
            clock.took = {(r.experiment, r.case): _took(r) + own for r in done if not r.error}
            left_out = too_long(clock.took, _counts(done), clock.left())
    finally:
        writer.close()
    return load(path)


def rounds_of(results: Results) -> int:
    """The number of runs of the cases that were in each round."""
    return max(_counts(results.runs).values(), default=0)


def fit_to_be_shown(results: Results) -> Results:
    """Of a case with fewer than the least number of runs only the last one."""
    counts = _counts(results.runs)
    last = {(run.experiment, run.case): run.round for run in results.runs if not run.error}

    def shown(run: Run) -> bool:
        case = (run.experiment, run.case)
        return bool(run.error) or counts[case] >= LEAST_SAMPLES or run.round == last[case]

    return replace(results, runs=[run for run in results.runs if shown(run)])
