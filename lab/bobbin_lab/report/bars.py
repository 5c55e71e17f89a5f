# SPDX-License-Identifier: Apache-2.0
"""Whole programs: speedups, costs of tasks, and the balance of the threads."""

from __future__ import annotations

from bobbin_lab.analysis.possible import refused_speedup
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.model.analyse import processors_of
from bobbin_lab.output.plots import Bar, bar_plot
from bobbin_lab.report.parts import Cell, Grid, Material, Plot, Section, figure_cell

# The figure of programs whose tasks do next to nothing: their speedup would be an invisible bar.
TASK_NS = "task_ns"


def speedups(material: Material, group: str, anchor: str, title: str) -> Section:
    groups: dict[str, dict[str, Bar]] = {}
    rows = []
    shown = material.cases_of_group(group)
    processors = processors_of(material.results)
    tiny = {benchmark for benchmark, metric, _ in material.figures if metric == TASK_NS}
    for benchmark, metric, by_case in material.of_group(group):
        if SERIAL not in by_case or metric == TASK_NS:
            continue
        base = next(iter(by_case[SERIAL].summaries().values())).median
        first = next(iter(by_case.values()))
        measured = {case: series for case, series in by_case.items() if case != SERIAL}
        for threads in sorted({t for series in measured.values() for t in series.samples}):
            if benchmark not in tiny:
                groups[f"{first.title}, {threads} thr."] = {
                    case: Bar(speedup, series.trusted_at(threads))
                    for case, series in measured.items()
                    if threads in (s := series.summaries())
                    and (speedup := s[threads].inverse_scaled(base))
                    and not refused_speedup(speedup.median, threads, processors)
                }
            cells = [figure_cell(measured.get(case), threads, base, processors) for case in shown]
            rows.append([Cell(first.title), Cell(str(threads)), *cells])
    plots = []
    if groups:
        axis = "speedup over the serial program"
        svg = bar_plot(title, axis, groups, shown, line_at=1.0)
        plots.append(Plot(svg, f"{title}: {axis}. Left of the dashed line it is slower than that."))
    grid = Grid(["program", "threads", *shown], rows)
    lead = (
        "Medians with quartiles of the speedup over the serial program, built by the same compiler."
    )
    return Section(anchor, title, lead, plots, [grid])


def tasks(material: Material) -> Section:
    """What one task costs, in programs whose tasks are next to empty."""
    rows = []
    found = [by_case for _, metric, by_case in material.figures if metric == TASK_NS]
    taken = {case for by_case in found for case in by_case}
    shown = [case for case in material.cases if case in taken]
    for by_case in found:
        first = next(iter(by_case.values()))
        counts = {t for case, series in by_case.items() if case != SERIAL for t in series.samples}
        alone = next(iter(by_case[SERIAL].samples)) if SERIAL in by_case else 0
        for threads in sorted(counts):
            cells = [figure_cell(by_case.get(c), alone if c == SERIAL else threads) for c in shown]
            rows.append([Cell(first.title), Cell(str(threads)), *cells])
    lead = (
        "Nanoseconds of the whole program for each of its tasks, which do next to nothing: what is "
        "above the serial program's is the price of a task."
    )
    grid = Grid(["program", "threads", *(f"{case}, ns" for case in shown)], rows)
    return Section("tasks", "The price of a task", lead, grids=[grid])


def balance(material: Material) -> Section:
    """The work of each thread, at the largest number of threads."""
    grouped: dict[tuple[str, str], dict[str, dict[str, Bar]]] = {}
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
            members = grouped.setdefault(key, {}).setdefault(f"thread {thread}", {})
            members[case] = Bar(series.summaries()[most], series.trusted_at(most))
    plots = []
    for (benchmark, metric), groups in grouped.items():
        unit = units[benchmark, metric]
        axis = metric if unit in ("1", metric) else f"{metric}, {unit}"
        svg = bar_plot(f"{benchmark} {metric}", axis, groups, material.cases)
        plots.append(Plot(svg, f"{benchmark}: {metric} of each thread"))
    lead = "What each thread did of the work, at the most threads; equal bars are an even share."
    return Section("balance", "Balance of the threads", lead, plots)
