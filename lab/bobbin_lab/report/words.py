# SPDX-License-Identifier: Apache-2.0
"""The results in sentences: the part that is read first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bobbin_lab.comparison import LEAST_SAMPLES, Outcome, Pair, pairs
from bobbin_lab.model.analyse import SeriesModel
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.model.verdict import Verdict
from bobbin_lab.plan import SERIAL
from bobbin_lab.records import Results, ResultsError
from bobbin_lab.summary import clock_note
from bobbin_lab.sweep import grids, plain
from bobbin_lab.tables import number

# More items than this are counted, not named.
NAMED = 4


def _listed(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return ", ".join(names)


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _measured(results: Results) -> str:
    runtimes = dict.fromkeys(name for session in results.sessions for name in session.runtimes)
    figures = len({(run.experiment, run.threads) for run in results.runs})
    named = plain(results, list(runtimes))
    combined = len(runtimes) - len(named)
    if combined:
        named.append(_plural(combined, "combination") + " of settings")
    text = (
        f"{_plural(len(results.runs), 'run')} of {_plural(figures, 'setting')} on {_listed(named)}."
    )
    disturbed = results.untrusted()
    if not disturbed:
        return f"{text} No run was disturbed by other work on the machine."
    share = 100 * disturbed / len(results.runs)
    return f"{text} {share:.0f} % of the runs were disturbed; figures that rest on them are marked."


def _growth(case: str, models: Sequence[SeriesModel]) -> str:
    own = [model for model in models if model.series.key.case == case]
    problems = [m.series.title for m in own if m.verdict is Verdict.PROBLEM]
    unknown = [m for m in own if m.verdict is Verdict.NO_MODEL]
    floor = [
        m
        for m in own
        if m.verdict is Verdict.PROBLEM
        and m.per_thread is not None
        and m.per_thread.growth <= Growth.LOGARITHMIC
    ]
    fine = len(own) - len(problems) - len(unknown)
    text = f"{case}: {fine} of {_plural(len(own), 'modelled figure')} grow at most logarithmically."
    if problems:
        text += f" Faster: {_listed(problems)}"
        text += f" ({len(floor)} of them not in time per thread)." if floor else "."
    if unknown:
        text += f" No model for {len(unknown)}."
    return text


def _worst(found: Sequence[Pair]) -> Pair:
    return max(found, key=lambda pair: pair.cost.low)


def _against(results: Results, a: str, b: str) -> str | None:
    try:
        found = pairs(results, a, b)
    except ResultsError:
        return None
    faster = [pair for pair in found if pair.outcome is Outcome.FASTER]
    slower = [pair for pair in found if pair.outcome is Outcome.SLOWER]
    text = (
        f"{a} against {b}, {_plural(len(found), 'figure')}: surely better in {len(faster)}, surely "
        f"worse in {len(slower)}."
    )
    unknown = sum(pair.outcome is Outcome.UNKNOWN for pair in found)
    if unknown:
        text += f" {unknown} with fewer than {LEAST_SAMPLES} samples tell nothing."
    if slower:
        pair = _worst(slower)
        text += (
            f" Worst: {pair.title} at {_plural(pair.threads, 'thread')}, "
            f"{number(pair.cost.value)} times the cost."
        )
    return text


def sentences(
    results: Results, cases: Sequence[str], models: Sequence[SeriesModel]
) -> Iterator[str]:
    yield _measured(results)
    clock = clock_note(results)
    if clock is not None:
        yield clock
    modelled = {model.series.key.case for model in models}
    for case in cases:
        if case in modelled:
            yield _growth(case, models)
    for grid in grids(results):
        best = grid.best
        if best is None:
            continue
        yield (
            f"{grid.heading}: best with {', '.join(best)}, {number(grid.cells[best].median)}"
            f"{''.join(f'; {note}' for note in grid.notes)}."
        )
    apart = plain(results, cases)
    first = "bobbin" if "bobbin" in apart else next(iter(apart), SERIAL)
    for case in apart:
        if case not in (first, SERIAL):
            text = _against(results, first, case)
            if text is not None:
                yield text
    failed = [f"{benchmark} on {column}" for benchmark, column in results.failed()]
    if failed:
        yield f"Failed, and so without figures or with fewer: {_listed(failed)}."
    absent = dict.fromkeys(
        f"{run.experiment} ({run.skipped})" for run in results.runs if run.skipped
    )
    if absent:
        yield f"Not found here: {_listed(list(absent))}."
