# SPDX-License-Identifier: Apache-2.0
"""Converts samples to rows: medians, the best rival, and whether the target is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bobbin_lab.analysis.possible import refused_speedup
from bobbin_lab.experiments.plan import BEST_RIVAL, Case, Figure, Relation, Role, Sense
from bobbin_lab.host.noise import PROCESSORS, TOGETHER_LEAST, TRANSFER_FAR, TRANSFER_SPREAD, Noise
from bobbin_lab.measure.schedule import Outcome
from bobbin_lab.results.stats import LEAST_SAMPLES, Summary, summarise

# A row with a larger share of disturbed samples is marked.
UNTRUSTED_SHARE = 0.25
# It is also marked where the quartiles of a cell are farther apart than this factor.
SCATTER = 10.0


@dataclass(frozen=True)
class Row:
    figure: Figure
    cells: dict[str, Summary]  # by case; the base of a relation is not among them
    base: Summary | None
    errors: dict[str, str]
    best_rival: str | None
    gain: float | None  # how many times better Bobbin is than the best rival
    met: bool | None  # None: there is no target, or nothing to compare with
    warnings: tuple[str, ...]  # why it is not trusted

    @property
    def trusted(self) -> bool:
        return not self.warnings


def _higher_is_better(figure: Figure) -> bool:
    return figure.higher_is_better or figure.relation is Relation.SPEEDUP


def _cell(figure: Figure, values: list[float], base: Summary | None) -> Summary:
    summary = summarise(values)
    if base is None:
        return summary
    if figure.relation is Relation.SLOWDOWN:
        return summary.scaled(1 / base.median)
    return summary.inverse_scaled(base.median)


def _best(figure: Figure, cells: dict[str, Summary], cases: list[Case]) -> str | None:
    rivals = [c.name for c in cases if c.role is Role.RIVAL and c.name in cells]
    if not rivals:
        return None
    choose = max if _higher_is_better(figure) else min
    return choose(rivals, key=lambda name: cells[name].median)


def _met(
    figure: Figure, subject: Summary, cells: dict[str, Summary], best: str | None
) -> bool | None:
    target = figure.target
    if target is None:
        return None
    limit = target.limit
    if target.of is not None:
        reference = best if target.of == BEST_RIVAL else target.of
        if reference is None or reference not in cells:
            return None
        limit *= cells[reference].median
    if target.sense is Sense.AT_MOST:
        return subject.median <= limit
    return subject.median >= limit


def _gain(figure: Figure, subject: Summary, best: Summary | None) -> float | None:
    if best is None or subject.median <= 0 or best.median <= 0:
        return None
    gain = best.median / subject.median
    return 1 / gain if _higher_is_better(figure) else gain


def _probes(outcome: Outcome, probe: Callable[[Noise], float | None]) -> list[float]:
    """The median of each case's runs."""
    medians = []
    for samples in outcome.samples.values():
        seen = [value for s in samples if (value := probe(s.noise)) is not None]
        if seen:
            medians.append(summarise(seen).median)
    return medians


def _warnings(outcome: Outcome) -> list[str]:
    warnings = []
    whole = [samples for case, samples in outcome.samples.items() if not outcome.error(case)]
    if any(0 < len(samples) < LEAST_SAMPLES for samples in whole):
        warnings.append(f"fewer than {LEAST_SAMPLES} runs")
    if outcome.untrusted() > UNTRUSTED_SHARE * outcome.count():
        warnings.append(f"disturbed: {outcome.untrusted()} of {outcome.count()} runs")
    lines = _probes(outcome, lambda noise: noise.transfer_ns)
    if lines and max(lines) > TRANSFER_SPREAD * min(lines):
        warnings.append(f"processors moved: a line took {min(lines):.0f} to {max(lines):.0f} ns")
    elif lines and max(lines) > TRANSFER_FAR:
        warnings.append(f"processors far apart: a line took {max(lines):.0f} ns")
    together = _probes(outcome, lambda noise: noise.together)
    if together and min(together) < TOGETHER_LEAST:
        warnings.append(f"processors share a core: both did {min(together):.2g}x what one does")
    return warnings


def _scattered(cells: dict[str, Summary]) -> list[str]:
    """What takes now one time and now another has no median that tells anything."""
    return [
        f"{name} scatters: {s.low:.3g} to {s.high:.3g}"
        for name, s in cells.items()
        if s.low > 0 and s.high > SCATTER * s.low
    ]


def _refused(speedups: dict[str, Summary]) -> dict[str, str]:
    count = len(PROCESSORS)
    found = {name: refused_speedup(s.median, count, count) for name, s in speedups.items()}
    return {name: why for name, why in found.items() if why}


def evaluate(outcome: Outcome, figure: Figure) -> Row:
    cases = [c for c in outcome.experiment.cases if c.name in outcome.samples]
    base = None
    if figure.base is not None:
        base_values = outcome.values(figure.base, figure.metric)
        base = summarise(base_values) if base_values else None
    cells: dict[str, Summary] = {}
    for case in cases:
        values = outcome.values(case.name, figure.metric)
        usable = base is not None or figure.base is None
        if values and usable and case.name != figure.base:
            cells[case.name] = _cell(figure, values, base)
    errors = {c.name: e for c in cases if (e := outcome.error(c.name))}
    best = _best(figure, cells, cases)
    subject = next((c.name for c in cases if c.role is Role.SUBJECT), "")
    gain: float | None = None
    met: bool | None = None
    warnings = _warnings(outcome) + _scattered(cells)
    if figure.relation is Relation.SPEEDUP:
        refused = _refused(cells)
        cells = {name: cell for name, cell in cells.items() if name not in refused}
        warnings += [f"refused: {name}, {why}" for name, why in refused.items()]
    if subject in cells:
        met = None if warnings else _met(figure, cells[subject], cells, best)
        gain = _gain(figure, cells[subject], cells.get(best or ""))
    if subject in errors and figure.target:
        met = False  # also with times from earlier rounds, because the program fails
    return Row(figure, cells, base, errors, best, gain, met, tuple(warnings))
