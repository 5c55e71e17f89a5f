# SPDX-License-Identifier: Apache-2.0
"""Rows of figures with targets, as a table on the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from bobbin_lab.analysis.verdict import Row
from bobbin_lab.results.stats import Summary

# Width of a terminal that has room for medians with quartiles.
LEAST_WIDTH = 100

TITLES = {"gomp": "libgomp", "omp": "libomp", "iomp": "libiomp5", "bobbin": "Bobbin"}


def headings(columns: Sequence[str]) -> list[str]:
    """The headings of a table with these runtimes side by side."""
    runtimes = [TITLES.get(name, name) for name in columns]
    return ["figure", "unit", *runtimes, "others", "gain", "target", "met"]


def number(value: float) -> str:
    """Three significant digits, without an exponent for values that fit into a table."""
    if value >= 1000:
        return f"{value:,.0f}"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


def cell(summary: Summary) -> str:
    middle = number(summary.median)
    if summary.count < 2:
        return middle
    return f"{middle} [{number(summary.low)}-{number(summary.high)}]"


def medians_of(cell_text: str) -> str:
    """A cell without its quartiles, for narrow tables."""
    return cell_text.partition(" [")[0]


def fitted(table: Table, width: int) -> Table:
    """Omits lines and padding where the terminal is narrow."""
    if width < LEAST_WIDTH:
        table.box, table.padding = box.SIMPLE, (0, 0)
    return table


def texts(row: Row, columns: Sequence[str]) -> list[str]:
    """The row's cells, in the order of the headings. A case that failed in a later round has both a
    figure and an error.
    """
    shown = []
    for name in columns:
        parts = [cell(row.cells[name])] if name in row.cells else []
        parts += [row.errors[name]] if name in row.errors else []
        shown.append("; ".join(parts) or "-")
    others = [f"{name} {number(s.median)}" for name, s in row.cells.items() if name not in columns]
    others += [f"{name} {error}" for name, error in row.errors.items() if name not in columns]
    if row.base is not None:
        others.append(f"{row.figure.base} {number(row.base.median)}")
    others += row.warnings
    # What is not trusted is shown with its mark, and judged no further.
    gain = f"{row.gain:.2f}x" if row.gain is not None and row.trusted else "-"
    met = {True: "yes", False: "NO", None: "-"}[row.met]
    target = "-" if row.figure.target is None else str(row.figure.target)
    return [row.figure.label, row.figure.unit, *shown, ", ".join(others), gain, target, met]


def terminal_table(title: str, rows: Sequence[Row], columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings(columns):
        table.add_column(heading, overflow="fold")
    for row in rows:
        style = {True: "green", False: "red", None: ""}[row.met]
        table.add_row(*texts(row, columns), style=style)
    return table


def markdown_table(rows: Sequence[Row], columns: Sequence[str]) -> str:
    return markdown_rows(headings(columns), [texts(row, columns) for row in rows])


def markdown_rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(texts: Sequence[str]) -> str:
        return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"

    return "\n".join([line(heads), "|" + "---|" * len(heads), *map(line, rows)]) + "\n"


def with_section(document: str, name: str, text: str) -> str:
    """The document with a new text between its marks `<!-- name -->` and `<!-- /name -->`."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = document.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the document has no section {name}")
    return f"{before}{start}{text}{end}{after}"
