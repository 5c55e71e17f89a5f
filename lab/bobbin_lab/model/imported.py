# SPDX-License-Identifier: Apache-2.0
"""Measurements of other tools: CSV, and the JSON lines of Extra-P."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bobbin_lab.results.records import ResultsError

VALUE = "value"
_NAMES = ("figure", "runtime")


@dataclass
class Measured:
    """One figure, with the samples at each combination of its parameters."""

    figure: str
    case: str
    parameters: tuple[str, ...]
    samples: dict[tuple[float, ...], list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Sample:
    figure: str
    case: str
    parameters: dict[str, float]
    value: float


def _of_csv(path: Path) -> Iterator[_Sample]:
    """Columns `figure` and `runtime` may be there, `value` must be; all others are parameters."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, skipinitialspace=True)
        if VALUE not in (reader.fieldnames or ()):
            raise ResultsError(f"{path}: the first line names no column {VALUE!r}")
        for row in reader:
            given = {k: v for k, v in row.items() if k not in (VALUE, *_NAMES)}
            yield _Sample(
                row.get("figure") or path.stem,
                row.get("runtime") or "-",
                {name: float(text) for name, text in given.items()},
                float(row[VALUE]),
            )


def _of_extrap(path: Path) -> Iterator[_Sample]:
    """{"params": {"p": 4}, "callpath": "main", "metric": "time", "value": 1.5}; a line each."""
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        told = json.loads(line)
        words = [told.get("callpath", ""), told.get("metric", "")]
        figure = " ".join(word for word in words if word) or path.stem
        params = {name: float(value) for name, value in told["params"].items()}
        yield _Sample(figure, "-", params, float(told["value"]))


def is_extrap(path: Path) -> bool:
    """The lab's own lines have a kind, Extra-P's have parameters."""
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(next(filter(str.strip, file), "{}"))
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and "params" in first and "kind" not in first


def is_foreign(path: Path) -> bool:
    return path.suffix == ".csv" or is_extrap(path)


def grouped(samples: Iterable[_Sample]) -> list[Measured]:
    found: dict[tuple[str, str], Measured] = {}
    for one in samples:
        names = tuple(one.parameters)
        measured = found.setdefault((one.figure, one.case), Measured(one.figure, one.case, names))
        if measured.parameters != names:
            raise ResultsError(f"{one.figure}: its lines have different parameters")
        measured.samples.setdefault(tuple(one.parameters.values()), []).append(one.value)
    return list(found.values())


def load(path: Path) -> list[Measured]:
    try:
        found = grouped(_of_csv(path) if path.suffix == ".csv" else _of_extrap(path))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResultsError(f"{path}: cannot be read as measurements: {error}") from error
    if not found:
        raise ResultsError(f"{path} holds no measurements")
    for measured in found:
        if not 1 <= len(measured.parameters) <= 2:
            raise ResultsError(
                f"{path}: a model has one or two parameters, not these: "
                f"{', '.join(measured.parameters) or 'none'}"
            )
    return found
