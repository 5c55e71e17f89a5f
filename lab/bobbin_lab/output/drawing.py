# SPDX-License-Identifier: Apache-2.0
"""What all pictures share: colours, axes, legends, and SVG as text."""

from __future__ import annotations

import hashlib
import html
import io
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from bobbin_lab.output.tables import TITLES

# Distinguishable in print, and by readers who cannot distinguish red and green.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text, so it can be read aloud, searched and scaled
    "svg.hashsalt": "bobbin",
    "font.family": "sans-serif",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "lines.linewidth": 1.2,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}


# A runtime's place among the colours and marks, in all pictures. Others have those that are left.
_RUNTIMES = {"gomp": 0, "omp": 1, "bobbin": 2, "iomp": 4, "serial": 6}
PLACES = {**_RUNTIMES, **{TITLES[name]: _RUNTIMES[name] for name in TITLES}}


def place_of(case: str, cases: Sequence[str]) -> int:
    """The case's place among the colours: another one than those of the other cases, if there are
    no more cases than colours.
    """
    if case in PLACES:
        return PLACES[case]
    taken = [PLACES[one] for one in cases if one in PLACES]
    left = [place for place in range(len(COLOURS)) if place not in taken]
    # The places of runtimes that are not here come last.
    left.sort(key=lambda place: place in _RUNTIMES.values())
    others = [one for one in cases if one not in PLACES]
    return left[others.index(case) % len(left)]


def look_of(case: str, cases: Sequence[str]) -> tuple[str, str]:
    """A case has the same colour and mark in every plot of these cases, a runtime in all plots."""
    place = place_of(case, cases)
    return COLOURS[place], MARKERS[place]


def _minor(value: float, _: object) -> str:
    digit = f"{value:e}"[0]
    return f"{value:,.6g}" if digit in "25" else ""


def log_scale(axes: Axes, values: Iterable[float]) -> None:
    """A logarithmic scale upwards with plain numbers; between the powers of ten, too, if these are
    few.
    """
    axes.set_yscale("log")
    seen = [value for value in values if value > 0]
    narrow = not seen or max(seen) < 100 * min(seen)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.6g}")
    axes.yaxis.set_minor_formatter(_minor if narrow else NullFormatter())


def wrapped(text: str, width: int) -> str:
    """Only between words."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


# The least height of the axes, in inches.
_TALL = 2.6


def full_height(figure: Figure, axes: Axes) -> None:
    """Makes the picture so much taller as its labels and its legend take from the axes."""
    figure.draw_without_rendering()
    height = figure.get_figheight()
    missing = _TALL - axes.get_position().height * height
    if missing > 0:
        figure.set_figheight(height + missing)


def svg(figure: Figure, label: str, sized: bool = False) -> str:
    """The bare element. `label` is its name for blind readers. It has a size of its own if `sized`;
    else the page determines that.
    """
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    if not sized:
        text = re.sub(r'^<svg ([^>]*?)width="[^"]*"', r"<svg \1", text, count=1)
        text = re.sub(r'^<svg ([^>]*?)height="[^"]*"', r"<svg \1", text, count=1)
    # Ids must be unique among the page's plots, also where two plots have the same label.
    prefix = re.sub(r"\W+", "-", label) + "-" + hashlib.sha256(text.encode()).hexdigest()[:8]
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = text.replace("url(#", f"url(#{prefix}-")
    return text.replace("<svg ", f'<svg role="img" aria-label="{html.escape(label)}" ', 1)


def plain(text: str) -> str:
    """Escapes text, so that Matplotlib does not typeset it."""
    return text.replace("$", r"\$")


def new_axes(width: float = 4.8, height: float = 3.9) -> tuple[Figure, Axes]:
    """As wide as a phone shows it, so that the text is not scaled down there."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


# Of a legend: characters to an inch of the picture, and those that a mark takes.
_DENSITY, _MARK = 11.5, 7


def legend(figure: Figure, axes: Axes, disturbed: Artist | None) -> None:
    """Below the axes, because a phone has no room beside them; the note comes last. It has as many
    columns as the picture has room for.
    """
    handles, labels = axes.get_legend_handles_labels()
    if disturbed is not None:
        handles, labels = [*handles, disturbed], [*labels, "disturbed"]
    longest = max((len(line) for label in labels for line in label.splitlines()), default=0)
    room = int(figure.get_figwidth() * _DENSITY / (longest + _MARK))
    columns = max(1, min(room, 3, len(labels)))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)
