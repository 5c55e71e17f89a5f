# SPDX-License-Identifier: Apache-2.0
"""The matrix of an ablation: the time with each heuristic off over the time with all on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from rich.table import Table
from rich.text import Text

from bobbin_lab.analysis.comparison import Pair, pairs_of
from bobbin_lab.output.tables import markdown_rows, number
from bobbin_lab.results.records import Results
from bobbin_lab.results.series import Series, benchmarks, collect

# A smaller effect is not worth a heuristic.
LEAST_EFFECT = 0.03

ALL_ON = "all on"


class Effect(Enum):
    PAYS = "pays"
    COSTS = "costs"
    NONE = "none"
    UNKNOWN = "not known"  # too few samples, or none


def effect(pair: Pair) -> Effect:
    """Of the heuristic that is off in A and on in B."""
    if not pair.enough:
        return Effect.UNKNOWN
    if pair.cost.above(1 + LEAST_EFFECT):
        return Effect.PAYS
    return Effect.COSTS if pair.cost.below(1 - LEAST_EFFECT) else Effect.NONE


@dataclass(frozen=True)
class Cell:
    text: str
    effect: Effect = Effect.UNKNOWN

    def markdown(self) -> str:
        sure = self.effect in (Effect.PAYS, Effect.COSTS)
        return f"**{self.text}**" if sure else self.text


_NOTHING = Cell("-")


def _cell(pair: Pair) -> Cell:
    text = number(pair.cost.value)
    if pair.enough:
        text += f" [{number(pair.cost.low)}-{number(pair.cost.high)}]"
    return Cell(text, effect(pair))


@dataclass(frozen=True)
class Column:
    """A figure of a benchmark at a number of threads."""

    title: str
    all_on: str
    cells: Mapping[str, Cell]  # by runtime


@dataclass(frozen=True)
class Matrix:
    rows: Mapping[str, str]  # runtime -> the heuristic that is off there
    columns: Sequence[Column]  # the last one is the sum of the others


def _sum(rows: Iterable[str], columns: Sequence[Column]) -> Column:
    def cell(row: str) -> Cell:
        effects = [column.cells[row].effect for column in columns if row in column.cells]
        if set(effects) <= {Effect.UNKNOWN}:
            return _NOTHING
        pays, costs = effects.count(Effect.PAYS), effects.count(Effect.COSTS)
        return Cell(f"pays on {pays}, costs on {costs}", Effect.NONE)

    return Column("in all", "", {row: cell(row) for row in rows})


def _columns(cases: Mapping[str, Series], why: Mapping[str, Cell], base: str) -> Iterator[Column]:
    """At each number of threads. `why`: the runtimes on which the benchmark failed."""
    if base not in cases:
        return
    summaries = cases[base].summaries()
    pairs = [(case, p) for case, s in cases.items() for p in pairs_of(s, cases[base])]
    for threads, summary in summaries.items():
        found = {case: p for case, p in pairs if case != base and p.threads == threads}
        title = cases[base].title if len(summaries) == 1 else f"{cases[base].title}, {threads}"
        if not all(pair.trusted for pair in found.values()):
            title += " (disturbed)"
        cells = {case: _cell(pair) for case, pair in found.items()}
        all_on = f"{number(summary.median)} {cases[base].info.unit}"
        yield Column(title, all_on, {**cells, **why})


def matrix(results: Results) -> Matrix:
    """The other runtimes of the results against the first one."""
    base, *others = results.sessions[0].runtimes
    columns: list[Column] = []
    for benchmark, _, cases in benchmarks(collect(results)):
        why = {
            run.column: Cell((run.error or "").partition(":")[0])
            for run in results.errors()
            if run.experiment == benchmark
        }
        columns += _columns(cases, why, base)
    off = f"{base}+BOBBIN_TUNING="
    rows = {name: name.removeprefix(off).removesuffix(":off") for name in others}
    return Matrix(rows, [*columns, _sum(rows, columns)])


STYLES = {Effect.PAYS: "bold green", Effect.COSTS: "bold red"}
_PADDING = 3  # of a column, with its line


def _width(column: Column) -> int:
    texts = [column.all_on, *column.title.split(), *(cell.text for cell in column.cells.values())]
    return max(map(len, texts)) + _PADDING


def _parts(found: Matrix, width: int) -> Iterator[list[Column]]:
    """As many columns as fit beside each other, at least one."""
    free = start = width - max(map(len, [ALL_ON, *found.rows.values()])) - _PADDING - 1
    part: list[Column] = []
    for column in found.columns:
        if part and _width(column) > free:
            yield part
            part, free = [], start
        part.append(column)
        free -= _width(column)
    if part:
        yield part


def tables(found: Matrix, width: int) -> Iterator[Table]:
    """As many tables, one below the other, as the terminal needs for all columns."""
    for part in _parts(found, width):
        table = Table("off", title="time with it off / time with all on", title_justify="left")
        for column in part:
            table.add_column(column.title)
        table.add_row(ALL_ON, *(column.all_on for column in part), end_section=True)
        for runtime, label in found.rows.items():
            cells = [column.cells.get(runtime, _NOTHING) for column in part]
            table.add_row(label, *(Text(cell.text, STYLES.get(cell.effect, "")) for cell in cells))
        yield table


def markdown(found: Matrix) -> str:
    rows = [[ALL_ON, *(column.all_on for column in found.columns)]]
    for runtime, label in found.rows.items():
        cells = [column.cells.get(runtime, _NOTHING) for column in found.columns]
        rows.append([label, *(cell.markdown() for cell in cells)])
    return markdown_rows(["off", *(column.title for column in found.columns)], rows)
