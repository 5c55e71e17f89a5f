# SPDX-License-Identifier: Apache-2.0
"""What all pictures share: colours, axes, legends, and SVG as text."""

from __future__ import annotations

import hashlib
import html
import io
import re
from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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


def look_of(case: str, cases: Sequence[str]) -> tuple[str, str]:
    """A case has the same colour and mark in every plot."""
    place = list(cases).index(case)
    return COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]


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


def legend(figure: Figure, axes: Axes, disturbed: Artist | None, columns: int = 3) -> None:
    """Below the axes, because a phone has no room beside them; the note comes last."""
    handles, labels = axes.get_legend_handles_labels()
    if disturbed is not None:
        handles, labels = [*handles, disturbed], [*labels, "disturbed"]
    figure.legend(handles, labels, loc="outside lower center", ncols=min(columns, len(labels)))
