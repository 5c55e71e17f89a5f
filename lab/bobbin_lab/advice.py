# SPDX-License-Identifier: Apache-2.0
"""Runs a program with many settings, drops those that are far behind, and says which is best."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bobbin_lab.bootstrap import ratio_of_medians
from bobbin_lab.execute import run_case
from bobbin_lab.given_input import Rest
from bobbin_lab.noise import Patience
from bobbin_lab.plan import Case, Experiment
from bobbin_lab.progress import Board
from bobbin_lab.records import Run
from bobbin_lab.schedule import Turn
from bobbin_lab.settings import Setting
from bobbin_lab.stats import Summary, summarise
from bobbin_lab.tables import number

# A setting that took this much longer than the best in the first round is not tried again.
FAR_BEHIND = 1.5


@dataclass
class Trial:
    """A setting with the runs that were made with it."""

    setting: Setting
    times: list[float] = field(default_factory=list)
    processor_times: list[float] = field(default_factory=list)
    error: str | None = None
    dropped: bool = False
    untrusted: int = 0

    @property
    def summary(self) -> Summary:
        return summarise(self.times)

    @property
    def cpu(self) -> Summary:
        return summarise(self.processor_times)

    @property
    def disturbed(self) -> bool:
        return 4 * self.untrusted > len(self.times)

    @property
    def is_default(self) -> bool:
        return not self.setting.variables


@dataclass(frozen=True)
class Advice:
    best: Trial
    sentence: str


def _drop_the_slow(trials: Sequence[Trial]) -> None:
    """The runtimes as they are stay: the others are held against them."""
    best = min((min(t.times) for t in trials if t.times), default=0.0)
    for trial in trials:
        if trial.times and not trial.is_default and min(trial.times) > FAR_BEHIND * best:
            trial.dropped = True


def _one(trial: Trial, turn: Turn) -> Run:
    sample = run_case(turn.case, trial.setting.runtime, turn.experiment.timeout)
    trial.error = sample.error
    if not sample.error:
        metrics = sample.metrics
        trial.times.append(metrics["wall_s"])
        trial.processor_times.append(metrics["cpu_s"])
        trial.untrusted += not sample.noise.trusted()
    return Run(
        turn.experiment.name,
        turn.case.name,
        turn.case.runtime,
        None,
        turn.round,
        turn.case.argv,
        sample.readings,
        sample.noise,
        sample.error,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def try_settings(
    settings: Sequence[Setting],
    argv: tuple[str, ...],
    rounds: int,
    timeout: float,
    quiet_wait: float,
    board_of: Callable[[Sequence[Turn]], Board],
    given: Rest | None = None,
) -> list[Trial]:
    """By turns, in an order that differs from round to round."""
    trials = [Trial(setting) for setting in settings]
    cases = {
        trial.setting.name: Case(
            trial.setting.name,
            trial.setting.runtime.name,
            argv,
            env=trial.setting.variables,
            given=given,
            reports=False,
        )
        for trial in trials
    }
    experiment = Experiment("advise", tuple(cases.values()), (), timeout=timeout)
    order, patience = random.Random(1), Patience(quiet_wait)
    turns = [
        Turn(experiment, case, turn, rounds)
        for turn in range(1, rounds + 1)
        for case in cases.values()
    ]
    with board_of(turns) as board:
        for current in range(1, rounds + 1):
            patience.wait()
            left = [trial for trial in trials if not trial.dropped and not trial.error]
            order.shuffle(left)
            for trial in left:
                turn = Turn(experiment, cases[trial.setting.name], current, rounds)
                board.begin(turn)
                board.end(_one(trial, turn))
            if current == 1:
                _drop_the_slow(trials)
    return trials


def recommendation(trials: Sequence[Trial]) -> Advice | None:
    """The best setting, and how surely it beats what the program has without any."""
    whole = [trial for trial in trials if trial.times and not trial.error and not trial.dropped]
    if not whole:
        return None
    best = min(whole, key=lambda trial: trial.summary.median)
    usual = next((trial for trial in whole if trial.is_default), best)
    if best is usual:
        return Advice(best, f"Nothing was faster than {best.setting.name} as it is:")
    # The best of many is somewhat faster by chance alone.
    rivals = sum(bool(trial.times) for trial in trials) - 1
    ratio = ratio_of_medians(usual.times, best.times, of=rivals)
    faster = f"{number(ratio.value)} times as fast as {usual.setting.name} as it is"
    between = f"(95 % interval {number(ratio.low)} to {number(ratio.high)})"
    if len(best.times) < 5 or not ratio.above(1):
        said = f"{best.setting.name} was fastest, {faster} {between}, which may be chance"
    else:
        said = f"{best.setting.name} is fastest, {faster} {between}"
    if best.disturbed or usual.disturbed:
        said += "; other work on the machine disturbed the runs"
    return Advice(best, f"{said}:")
