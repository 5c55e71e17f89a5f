# SPDX-License-Identifier: Apache-2.0
"""Results as JSON lines: one line for each session and one for each run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bobbin_lab.host.noise import TRANSFER_FAR, Noise
from bobbin_lab.results.stats import summarise

# Version of the lines. It is increased whenever old lines would be misread or not read at all.
SCHEMA = 1


class ResultsError(Exception):
    """A file that holds no results, or results that cannot be combined."""


@dataclass(frozen=True)
class Reading:
    """One figure that a program printed. Labels distinguish figures of the same metric, or give
    more information. The benchmark declares which labels distinguish figures.
    """

    metric: str
    value: float
    unit: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def name(self, by: Sequence[str]) -> str:
        """The metric with the labels that distinguish it."""
        inner = ",".join(f"{label}={self.labels[label]}" for label in by if label in self.labels)
        return f"{self.metric}{{{inner}}}" if inner else self.metric


@dataclass(frozen=True)
class Run:
    """One run of a case: its figures, or the error with which it ended."""

    experiment: str
    case: str
    runtime: str
    threads: int | None
    round: int
    command: tuple[str, ...]
    readings: tuple[Reading, ...]
    noise: Noise
    error: str | None = None
    skipped: str | None = None
    at: str = ""

    @property
    def identity(self) -> tuple[str, str, int]:
        return (self.experiment, self.case, self.round)

    @property
    def column(self) -> str:
        """The runtime, or the name of a reference. Tables have one column for each."""
        return self.case.partition(", ")[0]


def rule_of(runs: Iterable[Run]) -> Callable[[Run], bool]:
    """The rule by which a run counts, in figures, models and verdicts alike: no other program
    disturbed it and, unless it has one thread, its processors were as near each other as usual.
    """
    seen: dict[str, list[float]] = {}
    for run in runs:
        line = run.noise.transfer_ns
        if line is not None and line <= TRANSFER_FAR:
            seen.setdefault(run.experiment, []).append(line)
    usual = {experiment: summarise(lines).median for experiment, lines in seen.items()}

    def counts(run: Run) -> bool:
        near = run.threads == 1 or run.noise.near(usual.get(run.experiment, TRANSFER_FAR))
        return run.noise.calm() and near

    return counts


class Better(StrEnum):
    """Which values of a metric are better."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"  # such as one thread's part of the work


@dataclass(frozen=True)
class MetricInfo:
    unit: str
    better: Better
    title: str = ""


@dataclass(frozen=True)
class BenchmarkInfo:
    """The information about a benchmark that a reader of its results needs."""

    title: str
    group: str
    metrics: Mapping[str, MetricInfo]
    by: tuple[str, ...] = ()  # labels that distinguish figures of a metric
    over: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # such labels, and in order


@dataclass(frozen=True)
class Session:
    """What was measured, with what, and on which machine. A resumed run adds another session."""

    suite: str
    runtimes: Mapping[str, str]  # name -> the library that served the calls
    threads: tuple[int, ...]
    rounds: int
    seed: int
    benchmarks: Mapping[str, BenchmarkInfo]
    machine: Mapping[str, Any]
    wanted: tuple[str, ...] = ()  # the runtimes as the user named them
    only: str = ""
    compiler: str = "gcc"
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # the user's
    schema: int = SCHEMA


@dataclass
class Results:
    """A file of results. The sessions declare the metrics of each benchmark."""

    sessions: list[Session] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    name: str = ""

    def benchmark(self, name: str) -> BenchmarkInfo | None:
        for session in reversed(self.sessions):
            if name in session.benchmarks:
                return session.benchmarks[name]
        return None

    def errors(self) -> list[Run]:
        return [run for run in self.runs if run.error]

    def failed(self) -> dict[tuple[str, str], set[str]]:
        """The cases that ended in an error, by benchmark and column."""
        found: dict[tuple[str, str], set[str]] = {}
        for run in self.errors():
            found.setdefault((run.experiment, run.column), set()).add(run.case)
        return found

    def untrusted(self) -> int:
        counts = rule_of(self.runs)
        return sum(not counts(run) for run in self.runs)

    def clocks(self) -> tuple[float, float] | None:
        """The lowest and highest clock of the processors that was seen, in MHz, if any was."""
        seen = [run.noise.mhz for run in self.runs if run.noise.mhz is not None]
        return (min(seen), max(seen)) if seen else None


def _run_line(run: Run) -> dict[str, Any]:
    line = asdict(run)
    line["noise"] = {k: v for k, v in asdict(run.noise).items() if v is not None}
    line["readings"] = [
        {k: v for k, v in asdict(reading).items() if v not in ("", {})} for reading in run.readings
    ]
    return {"kind": "run", **line}


def _run_of(line: dict[str, Any]) -> Run:
    line.pop("trusted", None)  # of an older rule
    line["command"] = tuple(line["command"])
    line["readings"] = tuple(Reading(**reading) for reading in line["readings"])
    line["noise"] = Noise(**line["noise"])
    return Run(**line)


def _session_of(line: dict[str, Any], path: Path) -> Session:
    schema = line.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise ResultsError(
            f"{path}: written by another version of the lab, in schema {schema}; this one reads "
            f"{SCHEMA}"
        )
    line["threads"] = tuple(line["threads"])
    line["wanted"] = tuple(line.get("wanted", ()))
    line["arguments"] = {n: tuple(v) for n, v in line.get("arguments", {}).items()}
    line["benchmarks"] = {
        name: BenchmarkInfo(
            info["title"],
            info["group"],
            {
                metric: MetricInfo(**{**m, "better": Better(m["better"])})
                for metric, m in info["metrics"].items()
            },
            tuple(info["by"]),
            {label: tuple(values) for label, values in info.get("over", {}).items()},
        )
        for name, info in line["benchmarks"].items()
    }
    return Session(**line)


def _end_last_line(path: Path) -> None:
    """Drops an incomplete line of an interrupted run. A complete line has been read; it stays."""
    written = path.read_bytes()
    end = written.rfind(b"\n") + 1
    try:
        json.loads(written[end:])
    except ValueError:
        os.truncate(path, end)
    else:
        with path.open("ab") as file:
            file.write(b"\n")


class Writer:
    """Appends lines and writes each one out at once, so that an interrupted run loses none."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _end_last_line(path)
        self._file = path.open("a")

    def session(self, session: Session) -> None:
        self._write({"kind": "session", **asdict(session)})

    def run(self, run: Run) -> None:
        self._write(_run_line(run))

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ResultsError(f"{path} holds no results of the lab: it is not text") from error
    for number, line in enumerate(text, 1):
        try:
            parsed = json.loads(line)
        except json.JSONDecodeError as error:
            if number == len(text):
                return  # the line that an interrupted run was writing
            raise ResultsError(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(parsed, dict):
            raise ResultsError(f"{path}:{number}: not a line of results")
        yield parsed


def load(path: Path) -> Results:
    if not path.is_file():
        raise ResultsError(f"there are no results {path}")
    results = Results(name=path.stem)
    for line in _lines(path):
        kind = line.pop("kind", None)
        try:
            if kind == "session":
                results.sessions.append(_session_of(line, path))
            elif kind == "run":
                results.runs.append(_run_of(line))
        except (AttributeError, TypeError, KeyError, ValueError) as error:
            raise ResultsError(f"{path}: written by another version of the lab: {error}") from error
    if not results.sessions:
        raise ResultsError(f"{path} holds no results of the lab")
    return results


def load_all(paths: Iterable[Path]) -> Results:
    """Several files as one: the parts of a suite that was measured in parts."""
    together, known = Results(), set[Path]()
    for path in paths:
        if path.resolve() in known:  # counting samples twice would make intervals too narrow
            raise ResultsError(f"{path} is given twice")
        known.add(path.resolve())
        one = load(path)
        together.sessions += one.sessions
        together.runs += one.runs
        together.name = together.name or one.name
    return together
