# SPDX-License-Identifier: Apache-2.0
"""The words in which a paper's figures are declared: what is measured, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bobbin_lab.arguments import Values, parse
from bobbin_lab.experiments.plan import SERIAL, Relation
from bobbin_lab.papers.findings import Here
from bobbin_lab.places import Compiler

# Those that are installed take part.
RIVALS = ("gomp", "omp", "iomp", "bobbin")
# Up to the processors of a workstation of the papers' time; beyond those that are there, threads
# share them.
THREADS = (1, 2, 4, 8, 16)
QUICK_THREADS = (1, 2, 4)

# A point of a figure has a place in several dimensions: the title of its `entry`, the `runtime`,
# the program's `compiler`, the number of `threads`, the title of the `metric`, and each argument or
# label that tells figures apart. Of a runtime with settings, `setting` is the last one, and
# `policy` is the rest.
Dimensions = tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A benchmark of the catalogue with arguments, as on the command line of `bobbin lab run`."""

    benchmark: str
    title: str = ""
    arguments: str = ""
    quick: str = ""  # replace those arguments at --quick
    runtimes: tuple[str, ...] = ()  # others than the figure's
    compiler: Compiler = Compiler.GCC
    others: bool = True  # whether the benchmark's other programs are shown, too

    def given(self, quick: bool) -> dict[str, Values]:
        own = parse(self.arguments.split())
        return own | parse(self.quick.split()) if quick else own


@dataclass(frozen=True)
class Quantity:
    """What a figure shows: metrics as they are, or in relation to another point."""

    metrics: tuple[str, ...]
    axis: str
    relation: Relation = Relation.PLAIN
    # Where the other point differs from this one, by dimension.
    base: Mapping[str, str] = field(default_factory=dict)
    # Readings with other labels are left out.
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_speedup(self) -> bool:
        return self.relation is Relation.SPEEDUP and self.base.get("runtime") == SERIAL

    @property
    def is_share(self) -> bool:
        return self.relation is Relation.PLAIN and self.axis.startswith("%")


def plain(metric: str, axis: str, **where: str) -> Quantity:
    return Quantity((metric,), axis, where=where)


def speedup(metric: str = "time_ms") -> Quantity:
    """Over the serial program."""
    base = {"runtime": SERIAL, "threads": "1"}
    return Quantity((metric,), "speedup over serial", Relation.SPEEDUP, base)


@dataclass(frozen=True)
class Curves:
    """A line for each runtime and entry over the threads or an argument."""

    x: str = "threads"
    lines: Dimensions = ("entry", "runtime")
    log_x: bool = True
    log_y: bool = False
    x_title: str = ""  # if it is not the dimension's name


@dataclass(frozen=True)
class Bars:
    """Bars side by side in groups, or on top of each other."""

    groups: Dimensions = ("entry",)
    bars: Dimensions = ("runtime",)
    stacked: bool = False
    log: bool = False


@dataclass(frozen=True)
class HeatMap:
    """A grid of colours for each of what is left."""

    rows: Dimensions
    columns: Dimensions
    panels: Dimensions = ("entry",)


@dataclass(frozen=True)
class Table:
    """Figures without a picture."""

    rows: Dimensions
    columns: Dimensions


@dataclass(frozen=True)
class Models:
    """How the costs grow: the models in a table with their R², the entries side by side, and a
    picture for each construct.
    """

    partition: str = "auto"
    pictures: bool = True
    # What one way of measuring calls otherwise -> the construct's row.
    rows: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """A table that is not measured by runs: the headings, and a function that makes the rows."""

    headings: tuple[str, ...]
    rows: Callable[[], Sequence[Sequence[str]]]


Shown = Curves | Bars | HeatMap | Table | Models | Words
NOTHING = Quantity((), "")


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper, and its counterpart here."""

    # As in the paper, such as 5a, or T1 for a table, or S3.2 for what a section tells. A word for
    # what the paper tells in passing.
    number: str
    title: str
    shown: Shown
    found: str  # what the paper found
    entries: tuple[Entry, ...] = ()
    quantity: Quantity = NOTHING
    runtimes: tuple[str, ...] = RIVALS
    # How runtimes with settings are called in the picture.
    names: Mapping[str, str] = field(default_factory=dict)
    threads: tuple[int, ...] = THREADS
    quick_threads: tuple[int, ...] = QUICK_THREADS
    here: Here = ""  # what agrees on the machine that was measured, what does not, and why

    @property
    def spoken(self) -> str:
        if self.number.isalpha():
            return f"In the text, {self.number}"
        kind = {"T": "Table", "S": "Section"}.get(self.number[0], "Figure")
        return f"{kind} {self.number.lstrip('TS')}"

    def is_called(self, number: str) -> bool:
        """Whether that names it: 4 also names 4a. Nothing names each."""
        return not number or number in (self.number, self.number.rstrip("abcdef"))

    def threads_at(self, quick: bool) -> tuple[int, ...]:
        return self.quick_threads if quick else self.threads


@dataclass(frozen=True)
class Paper:
    name: str  # for `bobbin lab paper`
    run_s: float  # about how long a run takes, in seconds of a processor of 2020
    quick_run_s: float  # the same at --quick
    title: str
    about: str  # authors, title, place and year
    lead: str
    figures: tuple[Figure, ...]

    def mark(self, figure: Figure) -> str:
        """The name of the figure's section and picture."""
        return f"{self.name}-{figure.number}"
