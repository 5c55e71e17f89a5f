# SPDX-License-Identifier: Apache-2.0
"""The text of `advise`: what it has seen, why a setting is faster, and what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from bobbin_lab.advice.allowed import Allowed
from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.budget import ENOUGH, Plan, spoken
from bobbin_lab.advice.recommendation import Recommendation
from bobbin_lab.advice.settings import THREADS, Setting
from bobbin_lab.advice.trials import Outcome, Trial
from bobbin_lab.analysis.bootstrap import Ratio, ratio_of_medians
from bobbin_lab.output.tables import number

# From this ratio on, a setting saves enough processor time to tell that threads wait in vain.
_SAVES = 1.15


def count(many: int, thing: str) -> str:
    return f"{many:,} {thing}{'' if many == 1 else 's'}"


def _seconds(trial: Trial) -> str:
    return f"{number(trial.summary.median)} s"


def seen(trial: Trial, allowed: Allowed, asked: Asked) -> Iterator[str]:
    """Describes the first run."""
    look = trial.look
    where = f" in {len(look.in_use)} processes" if len(look.in_use) > 1 else ""
    places = count(allowed.processors, "processor")
    if allowed.limited:
        places += f", with a cpu quota for {allowed.quota}"
    if look.hidden:
        yield (
            f"It took {_seconds(trial)} on {look.runtime}, on {places}. Its regions could not be "
            "counted: something in it puts a runtime under the program itself."
        )
    else:
        regions = count(look.regions, "parallel region")
        threads = f"{look.team} thread{'' if look.team == '1' else 's'}"
        yield (
            f"It took {_seconds(trial)} on {look.runtime}: {regions} of {threads}{where}, on "
            f"{places}."
        )
    if asked.openmp:
        given = (f"{name}={shlex.quote(value)}" for name, value in asked.openmp.items())
        yield f"Set by you, and kept: {' '.join(given)}"


def no_openmp(trial: Trial) -> str:
    look = trial.look
    if look.processes:
        why = f"{look.runtime} was loaded, but no parallel region was opened"
    else:
        why = "no process of it had an OpenMP runtime"
    return (
        f"It took {_seconds(trial)} and did not use OpenMP: {why}. So there is nothing that a "
        "setting of OpenMP, or another runtime, could change."
    )


def outlook(plan: Plan, budget: float, watched: int, watching: float) -> str:
    """Announces the runs to come. `watched` of them show where the time goes, in `watching` s."""
    text = (
        f"At most {plan.runs + watched} more runs follow, about "
        f"{spoken(plan.seconds + watching)}: {len(plan.settings)} settings, each looked at once, "
        f"then {count(plan.rounds, 'round')}, and {watched} runs that show where the time goes. "
        "Ctrl-C ends them with what is known by then."
    )
    if plan.left_out:
        text += f" {plan.left_out} settings do not fit into --budget {budget:g}."
    return text


def early_end(outcome: Outcome) -> str:
    if not outcome.usual.times:
        return f"Not even one round is complete: {outcome.ended}."
    return f"Only {count(outcome.rounds, 'round')} complete: {outcome.ended}."


def which_is_faster(outcome: Outcome) -> Iterator[str]:
    """Compares Bobbin with the other runtime, both with the user's own settings."""
    usual, rival = outcome.usual, outcome.rival
    if rival is None or not usual.walls or rival.error:
        return
    bobbin, other = (usual, rival) if usual.look.runtime == "Bobbin" else (rival, usual)
    if not bobbin.walls or not other.walls:
        stopped = bobbin if not bobbin.walls else other
        yield f"{stopped.look.runtime} is slower here: it was {stopped.dropped}."
        return
    ratio = ratio_of_medians(other.walls, bobbin.walls)
    sides = f"Bobbin {{}} {other.look.runtime}"
    if min(len(usual.times), len(rival.times)) < ENOUGH:
        what = f"takes {number(1 / ratio.value)} times as long as"
        yield f"With what you have set, {sides.format(what)}, by too few runs to be sure."
        return
    saved = 1 - bobbin.cpu.median / other.cpu.median
    text = f"With what you have set, it is not sure whether {sides.format('is faster than')}"
    if ratio.above(1):
        text = f"With what you have set, {sides.format(f'is {ratio.value:.2f}x faster than')}"
    elif ratio.below(1):
        text = f"With what you have set, {sides.format(f'is {1 / ratio.value:.2f}x slower than')}"
        ratio = Ratio(1 / ratio.value, 1 / ratio.high, 1 / ratio.low)
    yield (
        f"{text} ({ratio.low:.2f} to {ratio.high:.2f}), with {abs(saved):.0%} "
        f"{'less' if saved >= 0 else 'more'} processor time."
    )


def _crowd(threads: int, allowed: Allowed, runtime: str) -> str:
    """Explains why so many threads cannot run at once."""
    sharing = f"{threads} threads share "
    if not allowed.limited:
        return sharing + count(allowed.processors, "processor")
    time = f"the time of {count(allowed.threads, 'processor')}"
    text = f"{sharing}{time}, because the cpu quota allows no more"
    if threads == allowed.processors and runtime == "libgomp":
        text += f" (libgomp starts one for each of the {threads} processors that it sees)"
    return text


def _in_vain(outcome: Outcome) -> Iterator[str]:
    """Says what sets the number of threads where an outside OMP_NUM_THREADS has no effect."""
    tried = outcome.in_vain
    if tried is None:
        return
    there = [text for text in tried.look.num_threads if text != tried.setting.variables[THREADS]]
    if there:
        yield (
            f"A script or program on the way sets {THREADS}={there[0]} itself, so that setting it "
            "outside changes nothing: other numbers of threads have to be set there."
        )
    else:
        yield (
            f"The program sets its number of threads itself ({outcome.usual.look.team}), by "
            f"num_threads or omp_set_num_threads: {THREADS} changes nothing."
        )


def _cause(outcome: Outcome, found: Recommendation, allowed: Allowed) -> Iterator[str]:
    usual, best, look = outcome.usual, found.best, outcome.usual.look
    saved = found.sure and usual.cpu.median > _SAVES * best.cpu.median
    spent = (
        f"a run takes {number(usual.cpu.median)} s of processor time, with the line below "
        f"{number(best.cpu.median)} s"
    )
    if look.threads > allowed.threads:
        text = _crowd(look.threads, allowed, look.runtime)
        if saved:
            text += f", and those that wait keep others from working: {spent}"
        yield f"{text}."
    elif not found.sure or not look.threads:
        return
    elif best.look.threads < look.threads:
        why = f": {spent}." if saved else "."
        yield f"{look.team} threads are more than it has use for{why}"
    elif best.look.threads > look.threads:
        yield f"It uses {look.team} of {count(allowed.threads, 'processor')}."
    elif saved:
        yield f"Its threads wait long for each other: {spent}."


def _change(setting: Setting, usual: Setting) -> str:
    """What to do, as a request."""
    number_of_threads = setting.variables.get(THREADS, "").partition(",")[0]
    on = "Run it on Bobbin" if setting.runtime.name == "bobbin" else ""
    if setting.runtime.name not in ("bobbin", "own"):
        on = f"Run it on {setting.runtime.title}"
    if setting.runtime.title == "without Bobbin":
        on = "Run it without Bobbin"
    if setting.runtime == usual.runtime:
        on = ""
    if number_of_threads:
        return (on or "Run it") + f" with {count(int(number_of_threads), 'thread')}"
    if setting.variables:
        return f"{on} and set {setting.words}" if on else f"Set {setting.words}"
    return on


def conclusion(
    outcome: Outcome, found: Recommendation, allowed: Allowed, asked: Asked
) -> Iterator[str]:
    usual, best = outcome.usual, found.best
    yield from _cause(outcome, found, allowed)
    yield from _in_vain(outcome)
    if found.gain is None:
        yield "Nothing that was tried is faster than what you have: leave it as it is."
    elif found.sure:
        yield f"{_change(best.setting, usual.setting)}: {found.gain}."
    elif found.worth_trying:
        yield (
            f"{_change(best.setting, usual.setting)}: perhaps {found.gain}, by "
            f"{count(found.gain.runs, 'timed run')} of each. It takes {ENOUGH} to be sure."
        )
    else:
        yield (
            f"Nothing is surely faster than what you have. {best.setting.name} was fastest, "
            f"{found.gain}, which may be chance."
        )
    if found.without_bobbin is not None:
        other, gain = found.without_bobbin
        yield (
            f"Without Bobbin, {number(gain.ratio.value)} times as fast: "
            f"{other.setting.command(asked)}"
        )
    if best.disturbed or usual.disturbed:
        yield (
            "Other work on the machine disturbed the runs: unless it is always there, ask again "
            "when it has ended."
        )
