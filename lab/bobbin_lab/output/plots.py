# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG: points with their quartiles, and the models over them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from bobbin_lab.model.analyse import analyse, by_construct
from bobbin_lab.model.behaviour import Branch
from bobbin_lab.model.fit import Model
from bobbin_lab.model.hypotheses import Floats
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.output.drawing import STYLE, legend, log_scale, look_of, new_axes, plain, svg
from bobbin_lab.output.summary import cases_of
from bobbin_lab.results.records import Results
from bobbin_lab.results.series import Series, benchmarks, collect
from bobbin_lab.results.stats import Summary


def _thread_ticks(axes: Axes, threads: Sequence[int]) -> None:
    axes.set_xscale("log", base=2)
    shown = [t for t in threads if t & (t - 1) == 0] or list(threads)
    axes.set_xticks(shown, [str(t) for t in shown])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("threads in the team")


def quantity(series: Series) -> str:
    """The title of an axis: what the figure is, and its unit."""
    name = series.key.metric.partition("{")[0]
    suffix = f"_{series.info.unit}"
    name = name.removesuffix(suffix).replace("_", " ")
    return f"{name} in {series.info.unit}" if series.info.unit != "1" else name


def _points(axes: Axes, one: Series, look: tuple[str, str], label: str) -> bool:
    """Draws medians with quartiles, hollow where they were disturbed. Returns whether any was."""
    colour, marker = look
    doubtful = False
    for trusted in (True, False):
        summaries = {t: s for t, s in one.summaries().items() if one.trusted_at(t) is trusted}
        if not summaries:
            continue
        axes.errorbar(
            list(summaries),
            [s.median for s in summaries.values()],
            yerr=[
                [s.median - s.low for s in summaries.values()],
                [s.high - s.median for s in summaries.values()],
            ],
            fmt=marker,
            color=colour,
            label=plain(label),
            markersize=5,
            capsize=2,
            markerfacecolor=colour if trusted else "white",
        )
        label = "_"  # in the legend once
        doubtful = doubtful or not trusted
    return doubtful


def _visible(model: Model, along: Floats) -> Floats:
    """A model ends where it leaves the points downwards: below zero there is no cost."""
    values = model(along)
    return np.where(values > model.points.values.min() / 2, values, np.nan)


def growth_plot(
    title: str,
    series: Mapping[str, Series],
    models: Mapping[str, Sequence[Branch]],
    cases: Sequence[str],
    sized: bool = False,
) -> str:
    """Medians with quartiles over the threads, and each model as a line. `sized`: see svg()."""
    with mpl.rc_context(STYLE):
        figure, axes = new_axes()
        every: set[int] = set()
        seen: list[float] = []
        doubtful = False
        for case in (case for case in cases if case in series):
            one = series[case]
            look = look_of(case, cases)
            every |= set(one.samples)
            seen += [s.median for s in one.summaries().values() if s.median > 0]
            doubtful |= _points(axes, one, look, case)
            for branch in models.get(case, ()):
                threads = branch.model.points.threads
                along = np.geomspace(threads.min(), threads.max(), 60)
                style = ":" if judge(branch.model) is Verdict.NO_MODEL else "-"
                axes.plot(along, _visible(branch.model, along), style, color=look[0], alpha=0.8)
        log_scale(axes, seen)
        if seen:  # a quartile may go below zero, but the picture must not follow it
            axes.set_ylim(min(seen) / 2, max(seen) * 2)
        axes.set_ylabel(plain(quantity(next(iter(series.values())))))
        _thread_ticks(axes, sorted(every))
        hollow = Line2D([], [], marker="o", color="#5b5b5b", markerfacecolor="white", linestyle="")
        legend(figure, axes, hollow if doubtful else None)
        return svg(figure, title, sized)


@dataclass(frozen=True)
class Bar:
    summary: Summary
    trusted: bool = True


def bar_plot(
    title: str,
    axis: str,
    groups: Mapping[str, Mapping[str, Bar]],
    cases: Sequence[str],
    line_at: float | None = None,
) -> str:
    """Bars side by side, with whiskers to the quartiles: each group has one bar for each case.
    Disturbed ones are hatched.
    """
    with mpl.rc_context(STYLE):
        figure, axes = new_axes(height=1.6 + 0.3 * sum(len(g) + 1 for g in groups.values()))
        place = 0.0
        ticks: list[float] = []
        named: set[str] = set()
        doubtful = False
        for members in groups.values():
            start = place
            for case in (case for case in cases if case in members):
                bar = members[case]
                value = bar.summary.median
                colour, _ = look_of(case, cases)
                label = None if case in named else plain(case)
                named.add(case)
                axes.barh(
                    place,
                    value,
                    xerr=[[value - bar.summary.low], [bar.summary.high - value]],
                    color=colour if bar.trusted else "white",
                    edgecolor=colour,
                    hatch="" if bar.trusted else "////",
                    label=label,
                    height=0.85,
                    error_kw={"ecolor": "#1c1c1c", "elinewidth": 1, "capsize": 2},
                )
                axes.annotate(
                    f"{value:.3g}",
                    (bar.summary.high, place),
                    xytext=(5, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=10,
                )
                doubtful = doubtful or not bar.trusted
                place += 1
            ticks.append((start + place - 1) / 2)
            place += 0.8
        axes.set_yticks(ticks, [plain(textwrap.fill(group, 18)) for group in groups])
        axes.invert_yaxis()
        axes.margins(x=0.16)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(plain(axis))
        if line_at is not None:
            axes.axvline(line_at, color="#1c1c1c", linewidth=1.2, linestyle="--")
        hatched = Patch(facecolor="white", edgecolor="#5b5b5b", hatch="////")
        legend(figure, axes, hatched if doubtful else None)
        return svg(figure, title)


def write_all(results: Results, folder: Path) -> list[Path]:
    """A file for each benchmark and metric."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = cases_of(results)
    models = by_construct(analyse(results))
    written: list[Path] = []
    for benchmark, metric, by_case in benchmarks(collect(results)):
        found = models.get((benchmark, metric), {})
        branches = {case: model.branches for case, model in found.items()}
        title = next(iter(by_case.values())).title
        stem = re.sub(r"\W+", "-", f"{benchmark}-{metric}").strip("-")
        path = folder / f"{stem}.svg"
        if path in written:  # written for a name that differs only in other characters
            path = folder / f"{stem}-{len(written)}.svg"
        path.write_text(growth_plot(title, by_case, branches, cases), encoding="utf-8")
        written.append(path)
    return written
