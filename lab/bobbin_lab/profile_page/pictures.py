# SPDX-License-Identifier: Apache-2.0
"""The pictures of a profile: what each thread did, and what the lines of the program take."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from bobbin_lab.output.drawing import STYLE, new_axes, plain, svg
from bobbin_lab.profile_page.kinds import KINDS, Kind, kind_of_site

_BAR = 0.75


def _figure(rows: int, width: float, row: float = 0.3) -> tuple[Figure, Axes]:
    """`width` and the height of a `row` in inches."""
    figure, axes = new_axes(width, 1.5 + row * rows)
    axes.grid(visible=False, axis="y")
    return figure, axes


def _legend(figure: Figure, kinds: Sequence[Kind]) -> None:
    handles = [Patch(facecolor=kind.colour, label=kind.title) for kind in KINDS if kind in kinds]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=9)


def threads_picture(threads: Mapping[str, Mapping[str, float]], width: float = 4.8) -> str:
    """For each thread its seconds, by kind, side by side."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(len(threads), width)
        used = []
        begins = [0.0] * len(threads)
        for kind in KINDS:
            lengths = [kind.spent(seconds) for seconds in threads.values()]
            if not any(lengths):
                continue
            used.append(kind)
            axes.barh(range(len(threads)), lengths, _BAR, begins, color=kind.colour)
            begins = [begin + length for begin, length in zip(begins, lengths, strict=True)]
        axes.set_yticks(range(len(threads)), list(threads))
        axes.invert_yaxis()
        axes.set_xlabel("seconds")
        _legend(figure, used)
        return svg(figure, "what the threads did")


def lines_picture(lines: Sequence[tuple[str, str, float]], width: float = 4.8) -> str:
    """`lines`: what is there, where, and the seconds of all threads."""
    with mpl.rc_context(STYLE):
        figure, axes = _figure(len(lines), width, row=0.45)
        for place, (what, _, seconds) in enumerate(lines):
            axes.barh(place, seconds, _BAR, color=kind_of_site(what).colour)
        labels = [
            plain(textwrap.shorten(where, 28, placeholder="...") + f"\n{what}")
            for what, where, _ in lines
        ]
        axes.set_yticks(range(len(lines)), labels, fontsize=9)
        axes.invert_yaxis()
        axes.set_xlabel("seconds of all threads")
        _legend(figure, [kind_of_site(what) for what, _, _ in lines])
        return svg(figure, "what the lines take")
