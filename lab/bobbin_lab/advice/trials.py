# SPDX-License-Identifier: Apache-2.0
"""Runs a program alternately under its settings, and drops those that are far behind."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.budget import Plan
from bobbin_lab.advice.look import Look
from bobbin_lab.advice.settings import THREADS, Setting, environment
from bobbin_lab.experiments.given_input import Rest
from bobbin_lab.experiments.plan import Case, Experiment
from bobbin_lab.host.noise import Patience
from bobbin_lab.measure.execute import TIMED_OUT, Sample, run_case
from bobbin_lab.measure.progress import Board
from bobbin_lab.measure.schedule import Turn
from bobbin_lab.results.records import Run
from bobbin_lab.results.stats import Summary, summarise

# A setting whose first run took this many times as long as the best one's is not tried again. The
# limit is higher where other work may have disturbed the run.
_FAR_BEHIND, _WHEN_DISTURBED = 1.5, 3.0
# A run that takes this many times as long as the user's setting is stopped, but not before a
# minimum time.
_CUT_OFF, _MOMENT = 3.0, 1.0


@dataclass
class Trial:
    """A setting with its runs. The first run also records the regions, which takes time. So it
    counts only where there are no other runs.
    """

    setting: Setting
    look: Look = field(default_factory=Look)
    first: tuple[float, float] | None = None  # wall and processor time of the first run
    times: list[float] = field(default_factory=list)
    processor_times: list[float] = field(default_factory=list)
    error: str | None = None
    dropped: str = ""  # why it is not tried again
    in_vain: bool = False  # the number of threads that it sets has no effect
    doubtful: bool = False  # the first run was disturbed
    untrusted: int = 0

    @property
    def walls(self) -> Sequence[float]:
        return self.times or ([self.first[0]] if self.first else [])

    @property
    def summary(self) -> Summary:
        return summarise(self.walls)

    @property
    def cpu(self) -> Summary:
        return summarise(self.processor_times or ([self.first[1]] if self.first else []))

    @property
    def disturbed(self) -> bool:
        return 4 * self.untrusted > max(len(self.times), 1)

    @property
    def counts(self) -> bool:
        """Returns whether it may still be recommended."""
        return bool(self.walls) and not self.error and not self.dropped

    def note(self, sample: Sample) -> None:
        self.error = sample.error
        if not sample.error:
            self.times.append(sample.metrics["wall_s"])
            self.processor_times.append(sample.metrics["cpu_s"])
            self.untrusted += not sample.noise.calm()


@dataclass(frozen=True)
class Bench:
    """The surroundings of the runs."""

    asked: Asked
    timeout: float
    given: Rest | None = None

    def run(self, setting: Setting, folder: Path | None, timeout: float) -> Sample:
        env = environment(setting, self.asked, folder)
        case = Case(
            setting.name,
            setting.runtime.name,
            self.asked.words,
            env=env,
            given=self.given,
            reports=False,
        )
        return run_case(case, setting.runtime, timeout, probe=False)

    def look(self, setting: Setting, timeout: float) -> tuple[Trial, Sample]:
        """The first run, in which the regions are recorded."""
        trial = Trial(setting)
        with tempfile.TemporaryDirectory(prefix="bobbin-lab-") as folder:
            sample = self.run(setting, Path(folder), timeout)
            trial.look = Look.into(Path(folder))
        trial.error, trial.doubtful = sample.error, not sample.noise.calm()
        if not sample.error:
            trial.first = (sample.metrics["wall_s"], sample.metrics["cpu_s"])
        return trial, sample


@dataclass
class Outcome:
    trials: list[Trial]  # the first has the user's setting
    rounds: int = 0  # number of complete rounds
    ended: str = ""  # reason for an early end

    @property
    def usual(self) -> Trial:
        return self.trials[0]

    @property
    def rival(self) -> Trial | None:
        """The other runtime with the user's own settings: Bobbin, or the one without Bobbin."""
        usual = self.usual.setting
        alike = (trial for trial in self.trials[1:] if trial.setting.variables == usual.variables)
        return next((trial for trial in alike if trial.setting.runtime != usual.runtime), None)

    @property
    def in_vain(self) -> Trial | None:
        """The trial, if any, which shows that OMP_NUM_THREADS changes nothing."""
        return next((trial for trial in self.trials if trial.in_vain), None)


class _Ended(Exception):
    """There is no time left."""


def _heeds_nothing(trial: Trial, usual: Trial) -> bool:
    """Returns whether another number of threads was asked for, but the teams stayed the same."""
    now = usual.look
    if not trial.setting.tries_threads or not now.sizes:
        return False
    asked = trial.setting.variables[THREADS].partition(",")[0]
    return trial.look.sizes.keys() == now.sizes.keys() and asked != str(now.threads)


# For the progress display.
_FIRST_RUNS = Experiment("first runs", (), ())
_TIMED_RUNS = Experiment("timed runs", (), ())


class Session:
    """The runs after the first one."""

    def __init__(
        self,
        bench: Bench,
        usual: Trial,
        plan: Plan,
        deadline: float,
        quiet_wait: float,
        board_of: Callable[[Sequence[Turn]], Board],
    ) -> None:
        self._bench = bench
        self._plan = plan
        self._deadline = deadline
        self._patience = Patience(quiet_wait)
        self._board_of = board_of
        self.outcome = Outcome([usual])

    def _turn(self, setting: Setting, number: int) -> Turn:
        """Round 0 consists of the first runs."""
        case = Case(setting.name, setting.runtime.name, self._bench.asked.words)
        if number == 0:
            return Turn(_FIRST_RUNS, case, 1, 1)
        return Turn(_TIMED_RUNS, case, number, max(number, self._plan.rounds))

    def _measure(self, board: Board, turn: Turn, run: Callable[[], Sample]) -> None:
        board.begin(turn)
        sample = run()
        board.end(
            Run(
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
        )

    def _has(self, seconds: float) -> bool:
        return time.monotonic() + seconds <= self._deadline

    def _must_have(self, seconds: float) -> None:
        if not self._has(seconds):
            raise _Ended

    def _look_at(self, setting: Setting) -> Sample:
        usual = self.outcome.usual
        most = min(self._patience_for_a_run(), _CUT_OFF * usual.walls[0] + _MOMENT)
        trial, sample = self._bench.look(setting, most)
        self.outcome.trials.append(trial)
        if sample.error == TIMED_OUT:
            trial.error, trial.dropped = None, f"stopped after {most:.3g} s"
        elif not sample.error and _heeds_nothing(trial, usual):
            trial.in_vain, trial.dropped = True, f"{THREADS} changes nothing"
        return sample

    def _look_at_all(self, board: Board) -> None:
        for setting in self._plan.settings[1:]:
            if self.outcome.in_vain and setting.tries_threads:
                board.leave_out(_FIRST_RUNS.name, 1)
                continue
            self._must_have(self._plan.once)
            self._measure(board, self._turn(setting, 0), partial(self._look_at, setting))
        left = [trial for trial in self.outcome.trials if trial.counts]
        best = min(trial.walls[0] for trial in left)
        rival = self.outcome.rival
        for trial in (one for one in left[1:] if one is not rival):
            limit = _WHEN_DISTURBED if trial.doubtful else _FAR_BEHIND
            if trial.walls[0] > limit * best:
                trial.dropped = "far behind in its first run"

    def _repeat(self, board: Board) -> None:
        order = random.Random(1)
        for number in range(1, self._plan.wanted + 1):
            self._patience.wait()
            left = [trial for trial in self.outcome.trials if trial.counts]
            if number > self._plan.rounds and not self._has(sum(max(t.walls) for t in left)):
                return
            board.leave_out(_TIMED_RUNS.name, len(self._plan.settings) - len(left))
            order.shuffle(left)
            for trial in left:
                self._must_have(max(trial.walls))
                self._measure(board, self._turn(trial.setting, number), partial(self._again, trial))
            self.outcome.rounds = number

    def _patience_for_a_run(self) -> float:
        """At least a moment, or a run that began in time would count as failed."""
        left = max(self._deadline - time.monotonic(), 0) + _MOMENT
        return min(self._bench.timeout, left)

    def _again(self, trial: Trial) -> Sample:
        most = self._patience_for_a_run()
        sample = self._bench.run(trial.setting, None, most)
        if sample.error == TIMED_OUT and most < self._bench.timeout:
            raise _Ended
        trial.note(sample)
        return sample

    def run(self) -> Outcome:
        """The results at the end, also at an early one."""
        settings = self._plan.settings
        turns = [self._turn(s, 0) for s in settings[1:]]
        turns += [self._turn(s, n) for n in range(1, self._plan.rounds + 1) for s in settings]
        try:
            with self._board_of(turns) as board:
                self._look_at_all(board)
                self._repeat(board)
        except KeyboardInterrupt:
            self.outcome.ended = "interrupted"
        except _Ended:
            self.outcome.ended = "the budget is spent"
        return self.outcome
