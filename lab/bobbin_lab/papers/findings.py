# SPDX-License-Identifier: Apache-2.0
"""What a figure's own numbers say. A sentence is filled in from the table that stands in the
document, and left out where the numbers do not say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bobbin_lab.output.tables import number


@dataclass(frozen=True)
class Numbers:
    """The medians of a figure's table, by the words of its rows and columns. What is missing there,
    refused, or not sure, is a KeyError.
    """

    cells: Mapping[tuple[str, str], float]

    @staticmethod
    def of(section: str) -> Numbers:
        lines = [line for line in section.splitlines() if line.startswith("|")]
        rows = [[text.strip() for text in line.strip("|").split("|")] for line in lines]
        found = {}
        for row in rows[2:]:
            for column, text in zip(rows[0][1:], row[1:], strict=False):
                value = _median(text)
                if value is not None:
                    found[row[0], column] = value
        return Numbers(found)

    def __getitem__(self, place: tuple[str, str]) -> float:
        return self.cells[place]

    def row(self, name: str, *columns: str) -> list[float]:
        """Those columns of it, or all."""
        return [self[name, c] for c in columns or dict.fromkeys(c for _, c in self.cells)]

    def column(self, name: str, *rows: str) -> list[float]:
        return [self[r, name] for r in rows or dict.fromkeys(r for r, _ in self.cells)]


def _median(text: str) -> float | None:
    if text.endswith("?"):
        return None
    try:
        return float(text.partition(" [")[0].replace(",", ""))
    except ValueError:
        return None


@dataclass(frozen=True)
class Finding:
    """`text` has a field for each of the `values`, such as {0} and {1}."""

    text: str
    values: Callable[[Numbers], Sequence[float]]
    holds: Callable[..., bool]

    def said(self, numbers: Numbers) -> str:
        try:
            values = self.values(numbers)
        except (KeyError, ValueError, ZeroDivisionError):  # ValueError: the least of no values
            return ""
        return self.text.format(*map(number, values)) if self.holds(*values) else ""


def range_of(values: Iterable[float]) -> tuple[float, float]:
    held = list(values)
    return min(held), max(held)


# A plain sentence tells why, and no number.
Here = str | Finding | Sequence[str | Finding]


def _sentences(here: Here, numbers: Numbers) -> Iterator[str]:
    """A plain sentence explains the finding before it, so it is left out with that one."""
    told = True
    for one in (here,) if isinstance(here, str | Finding) else here:
        if isinstance(one, Finding):
            text = one.said(numbers)
            told = bool(text)
        else:
            text = one
        if told:
            yield text


def paragraph(here: Here, section: str) -> str:
    return " ".join(_sentences(here, Numbers.of(section)))
