# SPDX-License-Identifier: Apache-2.0
"""The setting to recommend, and how certain it is that it beats the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bobbin_lab.advice.allowed import Allowed
from bobbin_lab.advice.budget import ENOUGH
from bobbin_lab.advice.settings import THREADS
from bobbin_lab.advice.trials import Outcome, Trial
from bobbin_lab.analysis.bootstrap import Ratio, ratio_of_medians
from bobbin_lab.output.tables import number

# Of two settings that differ by less, the earlier one in the list is the simpler advice.
_AS_GOOD = 1.03


@dataclass(frozen=True)
class Gain:
    """The factor by which it is faster than the user's setting."""

    ratio: Ratio
    runs: int

    @property
    def sure(self) -> bool:
        return self.runs >= ENOUGH and self.ratio.above(1)

    def __str__(self) -> str:
        times = f"{number(self.ratio.value)} times as fast"
        if self.runs < ENOUGH:
            return times
        return (
            f"{times} (95 % interval {number(self.ratio.low)} to {number(self.ratio.high)}, "
            f"{self.runs} runs each)"
        )


@dataclass(frozen=True)
class Recommendation:
    best: Trial
    gain: Gain | None  # None: the user's own setting is the best
    without_bobbin: tuple[Trial, Gain] | None = None

    @property
    def sure(self) -> bool:
        return self.gain is not None and self.gain.sure

    @property
    def worth_trying(self) -> bool:
        """True where there are too few runs to be sure."""
        return self.gain is not None and self.gain.runs < ENOUGH and self.gain.ratio.value > 1


def _gain(usual: Trial, trial: Trial, rivals: int) -> Gain:
    """The best of many is somewhat faster by chance alone, so the interval holds for all."""
    ratio = ratio_of_medians(usual.walls, trial.walls, of=rivals)
    return Gain(ratio, min(len(usual.times), len(trial.times)))


def _best(trials: Sequence[Trial]) -> Trial:
    fastest = min(trial.summary.median for trial in trials)
    return next(trial for trial in trials if trial.summary.median <= _AS_GOOD * fastest)


def needs_its_threads(outcome: Outcome, allowed: Allowed) -> bool:
    """Returns whether runs with a thread for each processor were not faster than those with the
    user's number, on any runtime.
    """
    plain = {t.setting.runtime.name: t for t in outcome.trials if t.walls and not t.setting.words}

    def has_one_for_each(trial: Trial) -> bool:
        outermost = trial.setting.variables.get(THREADS, "").partition(",")[0]
        return outermost == str(allowed.threads) and not trial.in_vain

    def is_faster(trial: Trial) -> bool:
        other = plain.get(trial.setting.runtime.name)
        if other is None or not trial.walls:
            return False
        return trial.summary.median < other.summary.median

    fewer = list(filter(has_one_for_each, outcome.trials))
    return bool(fewer) and not any(map(is_faster, fewer))


def recommend(outcome: Outcome) -> Recommendation | None:
    """Returns None where nothing can be said: the user's setting has failed, or has no rival."""
    usual = outcome.usual
    left = [trial for trial in outcome.trials if trial.counts]
    timed = [trial for trial in left if trial.times] if usual.times else left
    if usual not in timed or len(outcome.trials) < 2:
        return None
    best = _best(timed)
    if best is usual:
        return Recommendation(usual, None)
    rivals = sum(bool(trial.walls) for trial in outcome.trials) - 1
    gain = _gain(usual, best, rivals)
    plain = None
    own = [trial for trial in timed if trial.setting.runtime.name == "own" and trial is not usual]
    if best.setting.runtime.name == "bobbin" and usual.setting.runtime.name == "own" and own:
        second = _best(own)
        next_gain = _gain(usual, second, rivals)
        plain = (second, next_gain) if next_gain.sure else None
    return Recommendation(best, gain, plain)
