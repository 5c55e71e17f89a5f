# SPDX-License-Identifier: Apache-2.0
"""The contents of the page, section by section."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from bobbin_lab import machine
from bobbin_lab.model.analyse import SeriesModel, analyse, by_construct
from bobbin_lab.model.extrapolate import beyond
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.plan import SERIAL
from bobbin_lab.plots import bar_plot, growth_plot
from bobbin_lab.records import Results
from bobbin_lab.report.words import sentences
from bobbin_lab.schedule import Outcome
from bobbin_lab.series import Series, benchmarks, collect
from bobbin_lab.suites import TABLES
from bobbin_lab.summary import blocks, cases_of
from bobbin_lab.sweep import grids
from bobbin_lab.tables import cell, headings, number, texts
from bobbin_lab.verdict import evaluate

CSS_CLASS = {Verdict.FINE: "fine", Verdict.PROBLEM: "problem", Verdict.NO_MODEL: "unknown"}


@dataclass(frozen=True)
class Cell:
    text: str
    note: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Grid:
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Plot:
    svg: str
    caption: str


@dataclass
class Section:
    anchor: str
    title: str
    lead: str
    plots: list[Plot] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)

    def holds_anything(self) -> bool:
        return bool(self.plots) or any(grid.rows for grid in self.grids)


@dataclass(frozen=True)
class Page:
    title: str
    where: str
    summary: list[str]
    sections: list[Section]
    machine: str


@dataclass(frozen=True)
class _Material:
    """The data from which sections are made."""

    results: Results
    cases: list[str]
    models: list[SeriesModel]
    # Benchmark, metric, and the series of each case.
    figures: list[tuple[str, str, dict[str, Series]]]

    def of_group(self, group: str) -> list[tuple[str, str, dict[str, Series]]]:
        return [f for f in self.figures if next(iter(f[2].values())).group == group]

    def cases_of_group(self, group: str) -> list[str]:
        """The cases of its figures, without the serial program, which only serves as a divisor."""
        taken = {case for _, _, by_case in self.of_group(group) for case in by_case}
        return [case for case in self.cases if case in taken and case != SERIAL]


def _growth_matrix(material: _Material) -> Section:
    table = by_construct(material.models)
    cases = [c for c in material.cases if any(c in row for row in table.values())]
    rows = []
    for by_case in table.values():
        row = [Cell(next(iter(by_case.values())).series.title)]
        for case in cases:
            model = by_case.get(case)
            if model is None:
                row.append(Cell("-"))
                continue
            note = ""
            if model.per_thread is not None:
                note = f"per thread: {model.per_thread.growth}"
            row.append(Cell(str(model.growth), note, CSS_CLASS[model.verdict]))
        rows.append(row)
    lead = (
        "How each figure grows with the number of threads. Constant, logarithmic and falling are "
        "fine; a faster growth that explains at least 95 % of the variation is a scalability "
        "problem; where it explains less there is no model. Where there are more threads than "
        "processors the total cannot but grow linearly, so the time per thread is judged, too."
    )
    return Section("growth", "Growth classes", lead, grids=[Grid(["figure", *cases], rows)])


def _models_text(by_case: dict[str, SeriesModel]) -> str:
    said = []
    for case, model in by_case.items():
        for branch in model.branches:
            of = "" if branch.name == "all" else f" ({branch.name})"
            known = judge(branch.model) is not Verdict.NO_MODEL
            text = f"{branch.model} {model.series.info.unit}" if known else "no model"
            said.append(f"{case}{of}: {text}")
    return "; ".join(said)


def _curves(material: _Material) -> Section:
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
        "Medians with quartiles; the lines are the models, dotted where they explain too little to "
        "be one. Both axes are logarithmic."
    )
    return Section("curves", "Overhead by threads", lead, plots)


def _speedups(material: _Material, group: str, anchor: str, title: str) -> Section:
    groups: dict[str, dict[str, float]] = {}
    rows = []
    shown = material.cases_of_group(group)
    for _, _, by_case in material.of_group(group):
        if SERIAL not in by_case:
            continue
        base = next(iter(by_case[SERIAL].summaries().values())).median
        first = next(iter(by_case.values()))
        for threads in sorted({t for c, s in by_case.items() if c != SERIAL for t in s.samples}):
            summaries = {c: s.summaries().get(threads) for c, s in by_case.items() if c != SERIAL}
            speedups = {c: base / s.median for c, s in summaries.items() if s is not None}
            groups[f"{first.title}, {threads} thr."] = speedups
            rows.append(
                [
                    Cell(first.title),
                    Cell(str(threads)),
                    *(
                        Cell(cell(s.inverse_scaled(base))) if (s := summaries.get(c)) else Cell("-")
                        for c in shown
                    ),
                ]
            )
    plots = []
    if groups:
        svg = bar_plot(title, "x of the serial program", groups, shown)
        plots.append(Plot(svg, f"{title}: speedup over the serial program"))
    grid = Grid(["program", "threads", *shown], rows)
    lead = (
        "Medians with quartiles of the speedup over the serial program, built by the same compiler."
    )
    return Section(anchor, title, lead, plots, [grid])


def _balance(material: _Material) -> Section:
    """The work of each thread, at the largest number of threads."""
    grouped: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
    units: dict[tuple[str, str], str] = {}
    for benchmark, metric, by_case in material.figures:
        first = next(iter(by_case.values()))
        thread = first.labels.get("thread")
        if thread is None:
            continue
        key = (benchmark, metric.partition("{")[0])
        units[key] = first.info.unit
        for case, series in by_case.items():
            most = max(series.samples)
            bars = grouped.setdefault(key, {}).setdefault(f"thread {thread}", {})
            bars[case] = series.summaries()[most].median
    plots = []
    for (benchmark, metric), groups in grouped.items():
        svg = bar_plot(f"{benchmark} {metric}", units[benchmark, metric], groups, material.cases)
        plots.append(Plot(svg, f"{benchmark}: {metric}"))
    lead = "What each thread did of the work, at the most threads; equal bars are an even share."
    return Section("balance", "Balance of the threads", lead, plots)


def _clients(material: _Material) -> Section:
    rows = []
    shown = material.cases_of_group("client")
    for _, _, by_case in material.of_group("client"):
        first = next(iter(by_case.values()))
        for threads in sorted({t for s in by_case.values() for t in s.samples}):
            cells = [by_case[c].summaries().get(threads) if c in by_case else None for c in shown]
            rows.append(
                [
                    Cell(first.title),
                    Cell(str(threads)),
                    Cell(first.info.unit),
                    *(Cell(cell(s) if s else "-") for s in cells),
                ]
            )
    lead = "Programs that share the machine with others, or with themselves."
    return Section(
        "clients", "Client cases", lead, grids=[Grid(["case", "threads", "unit", *shown], rows)]
    )


def _settings(material: _Material) -> list[Section]:
    """A section for each figure that was measured under combinations of settings."""
    sections = []
    for number_of, grid in enumerate(grids(material.results), 1):
        rows = [
            [
                Cell(row),
                *(
                    Cell(cell(grid.cells[place]), kind="fine" if place == grid.best else "")
                    if (place := (row, column)) in grid.cells
                    else Cell("-")
                    for column in grid.columns
                ),
            ]
            for row in grid.rows
        ]
        marked = "; the best is marked" if grid.best else ""
        lead = ". ".join([f"Medians with quartiles{marked}", *grid.notes]) + "."
        shown = Grid(["", *grid.columns], rows)
        sections.append(Section(f"settings-{number_of}", grid.heading, lead, grids=[shown]))
    return sections


def _targets(material: _Material) -> list[Section]:
    """A section for each table of docs/performance.md that was measured."""
    sections = []
    measured = {run.experiment for run in material.results.runs}
    for suite in dict.fromkeys(session.suite for session in material.results.sessions):
        if suite not in TABLES:
            continue
        columns = TABLES[suite].runtimes
        rows = []
        for experiment in TABLES[suite].experiments():
            if experiment.name not in measured:
                continue
            outcome = Outcome.of(experiment, material.results.runs)
            for row in (evaluate(outcome, figure) for figure in experiment.figures):
                kind = {True: "fine", False: "problem", None: ""}[row.met]
                *plain, met = texts(row, columns)
                rows.append([*(Cell(text) for text in plain), Cell(met, kind=kind)])
        lead = "Medians with quartiles, and whether Bobbin's figure meets its target."
        title = f"Figures with targets: {suite}"
        grid = Grid(headings(columns), rows)
        sections.append(Section(f"targets-{suite}", title, lead, grids=[grid]))
    return sections


def _extrapolations(material: _Material) -> Section:
    said = beyond(material.models)
    rows = [
        [
            Cell(model.series.title),
            Cell(model.series.key.case, "" if name == "all" else name),
            *(
                Cell(
                    f"{number(e.value)} {model.series.info.unit}",
                    f"{number(e.low)} to {number(e.high)}",
                )
                for e in values
            ),
        ]
        for model, name, values in said.rows
    ]
    lead = (
        f"No machine was asked: these are the models, continued beyond the {said.measured} threads "
        "that were measured, with 90 % intervals that hold the doubt about the model. They tell "
        "where a cost would become one, not what it would be."
    )
    headings = ["figure", "runtime", *(f"{t:,} threads" for t in said.targets)]
    return Section("extrapolation", "Extrapolation", lead, grids=[Grid(headings, rows)])


def _every_figure(material: _Material) -> Section:
    grids = [
        Grid(
            block.headings,
            [
                [
                    Cell(row.title, "" if row.trusted else "disturbed"),
                    Cell(str(row.threads)),
                    Cell(row.unit),
                    *(Cell(row.cells.get(case, "-")) for case in block.cases),
                ]
                for figure in block.figures
                for row in figure
            ],
        )
        for block in blocks(material.results)
    ]
    lead = "Medians with quartiles. Disturbed: more than a quarter of the runs lost processor time."
    return Section("figures", "Every figure", lead, grids=grids)


def page_of(results: Results) -> Page:
    cases = cases_of(results)
    models = analyse(results)
    material = _Material(results, cases, models, list(benchmarks(collect(results))))
    every = [
        _growth_matrix(material),
        _curves(material),
        _speedups(material, "tree", "trees", "Unbalanced trees"),
        _speedups(material, "application", "programs", "Programs made of tasks"),
        _balance(material),
        _clients(material),
        *_settings(material),
        *_targets(material),
        _extrapolations(material),
        _every_figure(material),
    ]
    sections = [section for section in every if section.holds_anything()]
    described = results.sessions[-1].machine
    suites = dict.fromkeys(session.suite for session in results.sessions)
    return Page(
        title=f"OpenMP runtimes: {', '.join(suites)}",
        where=machine.sentence(described),
        summary=list(sentences(results, cases, models)),
        sections=sections,
        machine=json.dumps(
            {**described, "libraries": dict(results.sessions[-1].runtimes)}, indent=2
        ),
    )
