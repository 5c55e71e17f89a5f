# SPDX-License-Identifier: Apache-2.0
"""Figures and tables of growth: models of the same construct, measured in several ways, side by
side with their R².
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bobbin_lab.model.analyse import SeriesModel, analyse_series, processors_of
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.output.plots import growth_plot
from bobbin_lab.papers.declared import Entry, Figure, Models
from bobbin_lab.papers.points import title_of
from bobbin_lab.papers.work import name_of
from bobbin_lab.results.records import Results, rule_of
from bobbin_lab.results.series import Series, collect
from bobbin_lab.results.stats import LEAST_SAMPLES


@dataclass(frozen=True)
class Growth:
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    pictures: Sequence[str]
    sure: bool


# A construct, with other labels that tell its figures apart.
_Construct = str


def _calm(results: Results, experiment: str) -> Results:
    """Its trusted runs; of a case that has none, all, which are not fit to be published."""
    own, trusted = [r for r in results.runs if r.experiment == experiment], rule_of(results.runs)
    calm = {run.case for run in own if trusted(run)}
    return replace(results, runs=[r for r in own if trusted(r) or r.case not in calm])


def _wanted(series: Series, figure: Figure, entry: Entry, threads: Sequence[int]) -> Series | None:
    """The series at the figure's threads, if it is one that the figure shows."""
    quantity = figure.quantity
    if series.key.metric.partition("{")[0] not in quantity.metrics:
        return None
    if series.key.case not in (entry.runtimes or figure.runtimes):
        return None
    if any(series.labels.get(label, value) != value for label, value in quantity.where.items()):
        return None
    return replace(series, samples={t: v for t, v in series.samples.items() if t in threads})


def _construct(series: Series, figure: Figure, show: Models) -> _Construct:
    own = [
        value if label == "construct" else f"{label} {value}"
        for label, value in series.labels.items()
        if label not in figure.quantity.where
    ]
    given = re.search(r"\bconstruct=(\w+)", series.title)  # the only one, so no label
    said = ", ".join(own) or (given[1] if given else series.title)
    return show.rows.get(said, said)


@dataclass(frozen=True)
class _Modelled:
    entry: Entry
    construct: _Construct
    model: SeriesModel


def _modelled(figure: Figure, show: Models, results: Results, quick: bool) -> Iterator[_Modelled]:
    threads, processors = figure.threads_at(quick), processors_of(results)
    for entry in figure.entries:
        for series in collect(_calm(results, name_of(entry, quick))).values():
            wanted = _wanted(series, figure, entry, threads)
            if wanted is None:
                continue
            model = analyse_series(wanted, processors, show.partition)
            if model is not None:
                yield _Modelled(entry, _construct(wanted, figure, show), model)


def _texts(model: SeriesModel | None) -> list[str]:
    """The models of the classes, and their R². Where points lie too far off there is none, also
    where that is a constant.
    """
    if model is None:
        return ["-", "-"]
    named = any(branch.name != "all" for branch in model.branches)
    laws = [
        "no model" if judge(b.model) is Verdict.NO_MODEL else str(b.model) for b in model.branches
    ]
    said = [
        f"{b.name}: {law}" if named else law for b, law in zip(model.branches, laws, strict=True)
    ]
    shares = [f"{b.model.adjusted_r2:.2f}" if b.model.c1 else "-" for b in model.branches]
    return ["; ".join(said), "; ".join(shares)]


def _rows(figure: Figure, found: Sequence[_Modelled]) -> list[list[str]]:
    """A row for each construct on each runtime, with the ways of measuring side by side."""
    rows = []
    for construct in dict.fromkeys(one.construct for one in found):
        own = [one for one in found if one.construct == construct]
        for case in figure.runtimes:
            of_case = {one.entry: one.model for one in own if one.model.series.key.case == case}
            if of_case:
                ways = [text for e in figure.entries for text in _texts(of_case.get(e))]
                rows.append([construct, title_of(case, figure.names), *ways])
    return rows


def _pictures(figure: Figure, found: Sequence[_Modelled]) -> Iterator[str]:
    for entry in figure.entries:
        for construct in dict.fromkeys(one.construct for one in found if one.entry == entry):
            models: Mapping[str, SeriesModel] = {
                title_of(one.model.series.key.case, figure.names): one.model
                for one in found
                if (one.entry, one.construct) == (entry, construct)
            }
            yield growth_plot(
                ", ".join(word for word in (construct, entry.title) if word),
                {case: model.series for case, model in models.items()},
                {case: model.branches for case, model in models.items()},
                [title_of(runtime, figure.names) for runtime in figure.runtimes],
                sized=True,
            )


def models_of(figure: Figure, show: Models, results: Results, quick: bool) -> Growth | None:
    """None where too few numbers of threads were measured."""
    found = list(_modelled(figure, show, results, quick))
    if not found:
        return None
    disturbed = any(
        one.model.series.disturbed.get(t) for one in found for t in one.model.series.samples
    )
    unit = found[0].model.series.info.unit
    ways = [text for e in figure.entries for text in (f"{e.title or 'model'}, {unit}", "R²")]
    return Growth(
        ["construct", "runtime", *ways],
        _rows(figure, found),
        list(_pictures(figure, found)) if show.pictures else [],
        not disturbed
        and all(
            len(samples) >= LEAST_SAMPLES
            for one in found
            for samples in one.model.series.samples.values()
        ),
    )
