# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG: points with their quartiles, and the models over them."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bobbin_lab.model.analyse import analyse, by_construct
from bobbin_lab.model.behaviour import Branch
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.records import Results
from bobbin_lab.series import Series, benchmarks, collect
from bobbin_lab.summary import cases_of

# Distinguishable in print, and by readers who cannot distinguish red and green.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text, so it can be read aloud, searched and scaled
    "svg.hashsalt": "bobbin",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}


def look_of(case: str, cases: Sequence[str]) -> tuple[str, str]:
    """A case has the same colour and mark in every plot."""
    place = list(cases).index(case)
    return _COLOURS[place % len(_COLOURS)], _MARKERS[place % len(_MARKERS)]


def _svg(figure: Figure, label: str) -> str:
    """The bare element, for use in a page. `label` is its name for blind readers."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    # The page determines its size. Ids must be unique among the page's plots, also where two plots
    # have the same label.
    text = re.sub(r'^<svg ([^>]*?)width="[^"]*"', r"<svg \1", text, count=1)
    text = re.sub(r'^<svg ([^>]*?)height="[^"]*"', r"<svg \1", text, count=1)
    prefix = re.sub(r"\W+", "-", label) + "-" + hashlib.sha256(text.encode()).hexdigest()[:8]
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = text.replace("url(#", f"url(#{prefix}-")
    return text.replace("<svg ", f'<svg role="img" aria-label="{html.escape(label)}" ', 1)


def _plain(text: str) -> str:
    """Escapes text, so that Matplotlib does not typeset it."""
    return text.replace("$", r"\$")


def _axes(width: float = 6.4, height: float = 3.6) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def _thread_ticks(axes: Axes, threads: Sequence[int]) -> None:
    axes.set_xscale("log", base=2)
    shown = [t for t in threads if t & (t - 1) == 0] or list(threads)
    axes.set_xticks(shown, [str(t) for t in shown])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("threads")


def growth_plot(
    title: str,
    series: Mapping[str, Series],
    models: Mapping[str, Sequence[Branch]],
    cases: Sequence[str],
) -> str:
    """Medians with quartiles over the threads, and each model as a line."""
    with mpl.rc_context(_STYLE):
        figure, axes = _axes()
        every: set[int] = set()
        seen: list[float] = []
        for case in (case for case in cases if case in series):
            one = series[case]
            colour, marker = look_of(case, cases)
            summaries = one.summaries()
            every |= set(summaries)
            middle = [s.median for s in summaries.values()]
            seen += [value for value in middle if value > 0]
            below = [s.median - s.low for s in summaries.values()]
            above = [s.high - s.median for s in summaries.values()]
            axes.errorbar(
                list(summaries),
                middle,
                yerr=[below, above],
                fmt=marker,
                color=colour,
                label=_plain(case),
                markersize=5,
                capsize=2,
            )
            for branch in models.get(case, ()):
                threads = branch.model.points.threads
                along = np.geomspace(threads.min(), threads.max(), 60)
                style = ":" if judge(branch.model) is Verdict.NO_MODEL else "-"
                axes.plot(along, branch.model(along), style, color=colour, linewidth=1.2, alpha=0.8)
        axes.set_yscale("log")
        if seen:  # a model or a quartile may go below zero, but the picture must not follow it
            axes.set_ylim(min(seen) / 2, max(seen) * 2)
        axes.set_ylabel(_plain(next(iter(series.values())).info.unit))
        _thread_ticks(axes, sorted(every))
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
        return _svg(figure, title)


def bar_plot(
    title: str, unit: str, groups: Mapping[str, Mapping[str, float]], cases: Sequence[str]
) -> str:
    """Bars side by side: each group has one bar for each case."""
    with mpl.rc_context(_STYLE):
        figure, axes = _axes(height=1.2 + 0.28 * sum(len(g) + 1 for g in groups.values()))
        place = 0.0
        ticks: list[float] = []
        named: set[str] = set()
        for members in groups.values():
            start = place
            for case in (case for case in cases if case in members):
                value = members[case]
                colour, _ = look_of(case, cases)
                label = None if case in named else _plain(case)
                named.add(case)
                axes.barh(place, value, color=colour, label=label, height=0.85)
                axes.annotate(f" {value:.3g}", (value, place), va="center", fontsize=9)
                place += 1
            ticks.append((start + place - 1) / 2)
            place += 0.8
        axes.set_yticks(ticks, [_plain(group) for group in groups])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(_plain(unit))
        figure.legend(loc="outside lower center", ncols=4)
        return _svg(figure, title)


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
