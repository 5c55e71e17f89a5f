# SPDX-License-Identifier: Apache-2.0
"""The contents of the page, section by section."""

from __future__ import annotations

from bobbin_lab.analysis.verdict import evaluate
from bobbin_lab.host import machine
from bobbin_lab.measure.schedule import Outcome
from bobbin_lab.model.analyse import analyse
from bobbin_lab.model.extrapolate import Extrapolation, beyond
from bobbin_lab.output.summary import blocks, cases_of
from bobbin_lab.output.sweep import grids
from bobbin_lab.output.tables import cell, headings, number, texts
from bobbin_lab.report import bars, growth
from bobbin_lab.report.parts import DISTURBED, Cell, Grid, Material, Page, Section, figure_cell
from bobbin_lab.report.words import sentences
from bobbin_lab.results.records import Results
from bobbin_lab.results.series import benchmarks, collect
from bobbin_lab.suites import TABLES


def _clients(material: Material) -> Section:
    rows = []
    shown = material.cases_of_group("client")
    for _, _, by_case in material.of_group("client"):
        first = next(iter(by_case.values()))
        for threads in sorted({t for s in by_case.values() for t in s.samples}):
            cells = [figure_cell(by_case.get(case), threads) for case in shown]
            rows.append([Cell(first.title), Cell(str(threads)), Cell(first.info.unit), *cells])
    lead = "Programs that share the machine with others, or with themselves."
    return Section(
        "clients", "Client cases", lead, grids=[Grid(["case", "threads", "unit", *shown], rows)]
    )


def _settings(material: Material) -> list[Section]:
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


def _targets(material: Material) -> list[Section]:
    """A section for each table of docs/results that was measured."""
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


def _predicted(told: Extrapolation, unit: str) -> Cell:
    if told.value <= 0:
        return Cell("-", "the model ends before")  # a falling one, at zero
    return Cell(f"{number(told.value)} {unit}", f"{number(told.low)} to {number(told.high)}")


def _extrapolations(material: Material) -> Section:
    said = beyond(material.models)
    rows = [
        [
            Cell(model.series.title),
            Cell(model.series.key.case, "" if name == "all" else name),
            *(_predicted(e, model.series.info.unit) for e in values),
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


def _every_figure(material: Material) -> Section:
    grids = [
        Grid(
            block.headings,
            [
                [
                    Cell(row.title),
                    Cell(str(row.threads)),
                    Cell(row.unit),
                    *(
                        Cell(row.cells.get(case, "-"), DISTURBED if case in row.disturbed else "")
                        for case in block.cases
                    ),
                ]
                for figure in block.figures
                for row in figure
            ],
        )
        for block in blocks(material.results)
    ]
    lead = (
        "Medians with quartiles. Disturbed: more than a quarter of the runs lost processor time to "
        "other work."
    )
    return Section("figures", "Every figure", lead, grids=grids)


def page_of(results: Results) -> Page:
    cases = cases_of(results)
    models = analyse(results)
    material = Material(results, cases, models, list(benchmarks(collect(results))))
    every = [
        bars.speedups(material, "tree", "trees", "Unbalanced trees"),
        bars.speedups(material, "application", "programs", "Programs made of tasks"),
        bars.tasks(material),
        bars.balance(material),
        growth.matrix(material),
        growth.curves(material),
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
        facts_title="Machine",
        facts=machine.in_words(described, results.sessions[-1].runtimes),
    )
