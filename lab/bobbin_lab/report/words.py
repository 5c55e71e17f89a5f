# SPDX-License-Identifier: Apache-2.0
"""The results in sentences: the part that is read first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bobbin_lab.analysis.comparison import Outcome, Pair, pairs
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.model.analyse import SeriesModel
from bobbin_lab.model.verdict import Verdict
from bobbin_lab.output.summary import clock_note
from bobbin_lab.output.sweep import grids, plain
from bobbin_lab.output.tables import number
from bobbin_lab.results.records import Results, ResultsError
from bobbin_lab.results.series import Series
from bobbin_lab.results.stats import LEAST_SAMPLES, summarise

# More items than this are counted, not named.
NAMED = 4
# Share of the runs in per cent. With more of them disturbed, marks alone would mislead.
MOST_DISTURBED = 25


def _listed(names: Sequence[str]) -> str:
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return ", ".join(names)


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def span(series: Series) -> str:
    """How large a figure is with the fewest and with the most threads."""
    summaries = series.summaries()
    few, many = min(summaries), max(summaries)
    first = f"{number(summaries[few].median)} {series.info.unit} with {few}"
    if few == many:
        return first
    return f"{first}, {number(summaries[many].median)} {series.info.unit} with {many}"


def _measured(results: Results) -> str:
    runtimes = dict.fromkeys(name for session in results.sessions for name in session.runtimes)
    figures = len({(run.experiment, run.threads) for run in results.runs})
    named = plain(results, list(runtimes))
    combined = len(runtimes) - len(named)
    if combined:
        named.append(_plural(combined, "combination") + " of settings")
    return (
        f"{_plural(len(results.runs), 'run')} were made of {_plural(figures, 'setting')} on "
        f"{_listed(named)}, by turns."
    )


def _disturbed(results: Results) -> str:
    disturbed = results.untrusted()
    if not disturbed:
        return "No run was disturbed by other work on the machine."
    share = 100 * disturbed / len(results.runs)
    text = (
        f"{share:.0f} % of the runs were disturbed by other work on the machine. Figures that rest "
        "on them are marked."
    )
    if share > MOST_DISTURBED:
        text += " That is too many: take every figure here as a rough one, and measure again."
    return text


def _grow(count: int) -> str:
    return "grows" if count == 1 else "grow"


def _growth(case: str, models: Sequence[SeriesModel]) -> str:
    own = [model for model in models if model.series.key.case == case]
    by_verdict = {v: [m for m in own if m.verdict is v] for v in Verdict}
    said = []
    if fine := len(by_verdict[Verdict.FINE]):
        said.append(f"{fine} hardly {_grow(fine)} with the number of threads")
    if shared := len(by_verdict[Verdict.SHARED]):
        said.append(f"{shared} {_grow(shared)} in total, but not for each thread")
    if problems := by_verdict[Verdict.PROBLEM]:
        most = sorted(problems, key=lambda m: -max(s.median for s in m.series.summaries().values()))
        named = [f"{m.series.title} ({span(m.series)} threads)" for m in most]
        count = len(problems)
        said.append(f"{count} {_grow(count)} faster than a logarithm: {_listed(named)}")
    if unknown := len(by_verdict[Verdict.NO_MODEL]):
        said.append(f"{unknown} {'follows' if unknown == 1 else 'follow'} no simple law")
    return f"{case}, {_plural(len(own), 'cost')}: {'; '.join(said)}."


def _worst(found: Sequence[Pair]) -> Pair:
    return max(found, key=lambda pair: pair.cost.low)


def _typical(found: Sequence[Pair], a: str, b: str) -> str:
    middle = summarise([pair.cost.value for pair in found]).median
    if middle < 1:
        return f" Half of the costs are at least {number(1 / middle)} times smaller on {a}."
    return f" Half of the costs are at least {number(middle)} times as large on {a} as on {b}."


def _against(results: Results, a: str, b: str) -> str | None:
    try:
        found = pairs(results, a, b)
    except ResultsError:
        return None
    faster = [pair for pair in found if pair.outcome is Outcome.FASTER]
    slower = [pair for pair in found if pair.outcome is Outcome.SLOWER]
    equal = sum(pair.outcome is Outcome.EQUAL for pair in found)
    unknown = sum(pair.outcome is Outcome.UNKNOWN for pair in found)
    text = f"{a} against {b}: better in {len(faster)} of {_plural(len(found), 'comparison')}"
    text += f", worse in {len(slower)}"
    if equal:
        text += f", too close to tell in {equal}"
    if unknown:
        text += f", with fewer than {LEAST_SAMPLES} trusted samples in {unknown}"
    text += "."
    if len(found) > unknown:
        text += _typical([pair for pair in found if pair.known], a, b)
    if slower:
        pair = _worst(slower)
        text += (
            f" Worst: {pair.title} with {_plural(pair.threads, 'thread')}, "
            f"{number(pair.cost.value)} times the cost."
        )
    return text


def _who_is_faster(results: Results, cases: Sequence[str]) -> Iterator[str]:
    apart = plain(results, cases)
    first = "bobbin" if "bobbin" in apart else next(iter(apart), SERIAL)
    runtimes = {name for session in results.sessions for name in session.runtimes}
    for case in apart:
        if case != first and case in runtimes:  # the others stand beside it in the tables
            text = _against(results, first, case)
            if text is not None:
                yield text


def sentences(
    results: Results, cases: Sequence[str], models: Sequence[SeriesModel]
) -> Iterator[str]:
    yield from _who_is_faster(results, cases)
    yield _measured(results)
    yield _disturbed(results)
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
    failed = [f"{benchmark} on {column}" for benchmark, column in results.failed()]
    if failed:
        yield f"Failed, and so without figures or with fewer: {_listed(failed)}."
    absent = dict.fromkeys(
        f"{run.experiment} ({run.skipped})" for run in results.runs if run.skipped
    )
    if absent:
        yield f"Not found here: {_listed(list(absent))}."
