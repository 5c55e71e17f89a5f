# SPDX-License-Identifier: Apache-2.0
"""Runs cases alternately, in an order that differs from round to round."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bobbin_lab.experiments.plan import Case, Experiment
from bobbin_lab.host.noise import Patience
from bobbin_lab.measure import execute
from bobbin_lab.measure.execute import Sample
from bobbin_lab.results.records import Run
from bobbin_lab.results.stats import LEAST_SAMPLES
from bobbin_lab.runtimes import Runtime


@dataclass(frozen=True)
class Settings:
    rounds: int = 5
    retries: int = 2  # for a sample that foreign load disturbed
    quiet_wait: float = 20.0
    seed: int = 1
    warm_up: bool = True


@dataclass
class Outcome:
    """All samples of an experiment, by case."""

    experiment: Experiment
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def values(self, case: str, metric: str) -> list[float]:
        """Of the undisturbed runs only, where they are enough."""
        found = [s for s in self.samples.get(case, []) if metric in s.metrics]
        calm = [s for s in found if s.noise.calm()]
        return [s.metrics[metric] for s in (calm if len(calm) >= LEAST_SAMPLES else found)]

    def error(self, case: str) -> str | None:
        errors = [s.error or s.skipped for s in self.samples.get(case, [])]
        return next((error for error in errors if error), None)

    def untrusted(self) -> int:
        return sum(not s.noise.calm() for ss in self.samples.values() for s in ss)

    def count(self) -> int:
        return sum(len(ss) for ss in self.samples.values())

    def add(self, case: str, sample: Sample) -> None:
        self.samples.setdefault(case, []).append(sample)

    @staticmethod
    def of(experiment: Experiment, runs: Iterable[Run]) -> Outcome:
        """Restores it from written records."""
        outcome = Outcome(experiment, {case.name: [] for case in experiment.cases})
        for run in runs:
            if run.experiment == experiment.name:
                outcome.add(run.case, Sample(run.readings, run.noise, run.error, run.skipped))
        return outcome


@dataclass(frozen=True)
class Turn:
    """One future run."""

    experiment: Experiment
    case: Case
    round: int
    rounds: int

    @property
    def identity(self) -> tuple[str, str, int]:
        return (self.experiment.name, self.case.name, self.round)

    def __str__(self) -> str:
        return f"{self.experiment.name}: {self.case.name}, round {self.round} of {self.rounds}"


def turns(experiment: Experiment, runtimes: Collection[str], settings: Settings) -> Iterator[Turn]:
    """Every round has each case once, in a new random order that only the seed determines."""
    cases = [case for case in experiment.cases if case.runtime in runtimes]
    order = random.Random(f"{settings.seed} {experiment.name}")
    rounds = settings.rounds * experiment.repeat
    for number in range(1, rounds + 1):
        order.shuffle(cases)
        for case in cases:
            yield Turn(experiment, case, number, rounds)


def make(turn: Turn, runtime: Runtime, settings: Settings, patience: Patience) -> Run:
    """Runs a turn's case, and repeats it when others disturbed it and have ended since."""
    timeout = turn.experiment.timeout
    sample = execute.run_case(turn.case, runtime, timeout)
    for _ in range(settings.retries):
        if sample.noise.calm() or sample.error or not patience.wait():
            break
        sample = execute.run_case(turn.case, runtime, timeout)
    return Run(
        experiment=turn.experiment.name,
        case=turn.case.name,
        runtime=turn.case.runtime,
        threads=turn.case.threads,
        round=turn.round,
        command=turn.case.argv,
        readings=sample.readings,
        noise=sample.noise,
        error=sample.error,
        skipped=sample.skipped,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def run_experiment(
    experiment: Experiment,
    runtimes: Mapping[str, Runtime],
    settings: Settings,
    tell: Callable[[Turn, Outcome], None] = lambda _turn, _so_far: None,
    done: Sequence[Run] = (),
    patience: Patience | None = None,
    allows: Callable[[Turn], bool] = lambda _turn: True,
) -> Iterator[Run]:
    """Yields each run when it ends. `tell` is called before each run. Runs that are already done
    are not repeated, and a case that has failed once is not tried again. A run that is not allowed
    when its turn comes is left out.
    """
    patience = patience or Patience(settings.quiet_wait)
    outcome = Outcome.of(experiment, done)
    known = {run.identity for run in done}
    warm: set[tuple[str, str]] = set()
    waited = 0
    for turn in turns(experiment, runtimes, settings):
        if turn.identity in known or outcome.error(turn.case.name) or not allows(turn):
            continue
        tell(turn, outcome)
        if settings.retries and turn.round > waited:
            patience.wait()
            waited = turn.round
        runtime = runtimes[turn.case.runtime]
        start = (turn.case.argv[0], runtime.name)
        if settings.warm_up and start not in warm:
            execute.run_case(turn.case, runtime, experiment.timeout)
            warm.add(start)
        run = make(turn, runtime, settings, patience)
        outcome.add(run.case, Sample(run.readings, run.noise, run.error, run.skipped))
        yield run
