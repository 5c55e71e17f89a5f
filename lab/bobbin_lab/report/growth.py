# SPDX-License-Identifier: Apache-2.0
"""How each cost grows with the number of threads: a table, and a curve for each."""

from __future__ import annotations

from bobbin_lab.model.analyse import SeriesModel, by_construct
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.output.plots import growth_plot
from bobbin_lab.report.parts import DISTURBED, Cell, Grid, Material, Plot, Section
from bobbin_lab.report.words import span

CSS_CLASS = {
    Verdict.FINE: "fine",
    Verdict.SHARED: "shared",
    Verdict.PROBLEM: "problem",
    Verdict.NO_MODEL: "unknown",
}


def _class(model: SeriesModel) -> Cell:
    """The class of growth, and how large the cost is: a small cost may grow."""
    text = "no model" if model.verdict is Verdict.NO_MODEL else str(model.growth)
    notes = [span(model.series)]
    if model.per_thread is not None:
        notes.append(f"per thread: {model.per_thread.growth}")
    if not model.series.trusted():
        notes.append(DISTURBED)
    return Cell(text, "; ".join(notes), CSS_CLASS[model.verdict])


def matrix(material: Material) -> Section:
    table = by_construct(material.models)
    cases = [c for c in material.cases if any(c in row for row in table.values())]
    rows = []
    for by_case in table.values():
        title = Cell(next(iter(by_case.values())).series.title)
        rows.append([title, *(_class(by_case[c]) if c in by_case else Cell("-") for c in cases)])
    lead = (
        "How each cost grows with the number of threads, and how large it is with the fewest and "
        "with the most of them. Constant, logarithmic and falling are fine; a faster growth that "
        "explains at least 95 % of the variation is a scalability problem; where it explains less "
        "there is no model. Where there are more threads than processors, the total cannot but "
        "grow: if the time per thread does not, that is fine, too."
    )
    return Section("growth", "Growth classes", lead, grids=[Grid(["cost", *cases], rows)])


def _models_text(by_case: dict[str, SeriesModel]) -> str:
    said = []
    for case, model in by_case.items():
        for branch in model.branches:
            of = "" if branch.name == "all" else f" ({branch.name})"
            known = judge(branch.model) is not Verdict.NO_MODEL
            text = f"{branch.model} {model.series.info.unit}" if known else "no model"
            said.append(f"{case}{of}: {text}")
    return "; ".join(said)


def curves(material: Material) -> Section:
    table = by_construct(material.models)
    plots = []
    for benchmark, metric, by_case in material.figures:
        found = table.get((benchmark, metric))
        if not found:
            continue
        title = next(iter(by_case.values())).title
        branches = {case: model.branches for case, model in found.items()}
        ordered = {case: found[case] for case in material.cases if case in found}
        caption = f"{title}. {_models_text(ordered)}"
        plots.append(Plot(growth_plot(title, by_case, branches, material.cases), caption))
    lead = (
        "Medians with quartiles, hollow where more than a quarter of the runs were disturbed. The "
        "lines are the models, dotted where they explain too little to be one. Both axes are "
        "logarithmic: a line that rises by one mark for each mark to the right is proportional to "
        "the number of threads."
    )
    return Section("curves", "Costs by threads", lead, plots)
