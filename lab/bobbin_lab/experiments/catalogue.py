# SPDX-License-Identifier: Apache-2.0
"""The benchmarks that catalogue.toml declares, and their conversion to experiments."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from bobbin_lab.arguments import Values, known, must_know, with_values
from bobbin_lab.experiments.plan import SERIAL, SHOWN, Case, Experiment, Role
from bobbin_lab.places import COMMAND, NAMES, PROGRAMS, Compiler, program
from bobbin_lab.results.records import BenchmarkInfo, Better, MetricInfo

CATALOGUE = Path(__file__).with_name("catalogue.toml")
PROFILED = (
    sys.executable,
    str(Path(__file__).with_name("profiled.py")),
    str(NAMES / "libbobbin-profile.so"),
    str(COMMAND),
)
CALLED = (
    sys.executable,
    str(Path(__file__).with_name("called.py")),
    str(PROGRAMS / "libtask_calls.so"),
)
# Commands that run a program and print figures of their own, by the catalogue's word for them.
_WITHIN: Mapping[str, tuple[str, ...]] = {"profile": PROFILED, "calls": CALLED}


@dataclass(frozen=True)
class Benchmark:
    """One stanza of the catalogue. docs/lab.md explains the keys."""

    name: str
    title: str
    group: str
    program: str
    arguments: tuple[str, ...]
    suites: tuple[str, ...]
    threads: tuple[int, ...]
    metrics: dict[str, MetricInfo]
    by: tuple[str, ...] = ()
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    serial: tuple[str, ...] = ()
    copies: int = 1
    timeout: float = 120.0
    runtimes: tuple[str, ...] = ()  # if the user names none; empty: the installed ones
    over: Mapping[str, Values] = field(default_factory=dict)  # arguments with several values
    given: Mapping[str, str] = field(default_factory=dict)  # by the user
    within: tuple[str, ...] = ()  # the command that runs its program, and prints its figures

    def info(self) -> BenchmarkInfo:
        return BenchmarkInfo(
            self.heading, self.group, self.metrics, (*self.by, *self.over), self.over
        )

    @property
    def heading(self) -> str:
        """The title with the arguments that it names as {NAME}. Others of the user follow it."""
        pairs = (word.partition("=") for word in self.arguments)
        values = {name: _spoken(value) for name, _, value in pairs} | {n: n for n in self.over}
        more = [f"{n}={v}" for n, v in self.given.items() if f"{{{n}}}" not in self.title]
        return ", ".join([self.title.format_map(values), *more])

    def with_arguments(self, given: Mapping[str, Values], compiler: Compiler) -> Benchmark:
        """With arguments of the user. Each of several values is measured. Other programs that do
        not have such an argument are left out, because they would do something else.
        """
        must_know(program(self.program, compiler), tuple(given), self.name)
        fixed = {name: values[0] for name, values in given.items() if len(values) == 1}
        others = {
            name: (other, *_with_known(other, words, fixed))
            for name, (other, *words) in self.others.items()
            if given.keys() <= set(known(program(other)))
        }
        asked = " ".join([self.name, *(f"{n}={','.join(v)}" for n, v in given.items())])
        over = {name: values for name, values in self.over.items() if name not in given}
        return replace(
            self,
            name=asked,
            arguments=with_values(self.arguments, fixed),
            serial=with_values(self.serial, fixed) if self.serial else (),
            others=others,
            over={**over, **{name: v for name, v in given.items() if len(v) > 1}},
            given=fixed,
        )


class CatalogueError(Exception):
    """A stanza that cannot be used."""


def _spoken(value: str) -> str:
    return f"{int(value):,}" if value.isdigit() else value


def _with_known(other: str, words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """The words of another program with those values whose arguments it has."""
    return with_values(words, {n: v for n, v in values.items() if n in known(program(other))})


def _sweep(sweep: dict[str, Any]) -> tuple[str, ...]:
    """A runtime with each combination of settings."""
    return tuple("+".join([sweep["of"], *chosen]) for chosen in product(*sweep["settings"]))


def _benchmark(
    stanza: dict[str, Any],
    threads: dict[str, list[int]],
    sweeps: Mapping[str, tuple[str, ...]],
) -> Benchmark:
    try:
        counts = stanza.get("threads", "default")
        return Benchmark(
            name=stanza["name"],
            title=stanza.get("title", stanza["name"]),
            group=stanza["group"],
            program=stanza["program"],
            arguments=tuple(stanza.get("arguments", ())),
            suites=tuple(stanza.get("suites", ())),
            threads=tuple(threads[counts] if isinstance(counts, str) else counts),
            metrics={
                name: MetricInfo(metric["unit"], Better(metric["better"]), metric.get("title", ""))
                for name, metric in stanza["metrics"].items()
            },
            by=tuple(stanza.get("by", ())),
            others={name: tuple(words) for name, words in stanza.get("others", {}).items()},
            copies=stanza.get("copies", 1),
            serial=tuple(stanza.get("serial", ())),
            timeout=stanza.get("timeout", 120.0),
            runtimes=sweeps[stanza["sweep"]] if "sweep" in stanza else (),
            over={n: tuple(map(str, v)) for n, v in stanza.get("over", {}).items()},
            within=_WITHIN[stanza["within"]] if "within" in stanza else (),
        )
    except KeyError as missing:
        raise CatalogueError(f"{stanza.get('name', stanza)}: no {missing}") from missing
    except ValueError as wrong:
        raise CatalogueError(f"{stanza['name']}: {wrong}") from wrong


def _filled(value: Any, variant: str) -> Any:
    """With the variant in place of `{}` in every text."""
    if isinstance(value, str):
        return value.replace("{}", variant)
    if isinstance(value, list):
        return [_filled(one, variant) for one in value]
    if isinstance(value, dict):
        return {key: _filled(one, variant) for key, one in value.items()}
    return value


def _variants(
    stanza: dict[str, Any], lists: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Returns one stanza for each of its variants, which replaces `{}`. Names of lists are
    expanded.
    """
    named = stanza.pop("variants_of", ())
    try:
        names = stanza.pop("variants", None) or [one for word in named for one in lists[word]]
    except KeyError as missing:
        raise CatalogueError(f"{stanza.get('name', stanza)}: no list {missing}") from missing
    if not names:
        yield stanza
        return
    for variant in names:
        spelled = {"name": variant.replace("_", "-"), "title": variant.replace("_", " ")}
        yield {key: _filled(value, spelled.get(key, variant)) for key, value in stanza.items()}


def parse(text: str) -> list[Benchmark]:
    """The benchmarks of a catalogue. A suite has whole stanzas, and single benchmarks by name."""
    document = tomllib.loads(text)
    threads, members = document["threads"], document.get("suites", {})
    sweeps = {name: _sweep(sweep) for name, sweep in document.get("sweeps", {}).items()}
    lists = document.get("variants", {})
    benchmarks = []
    for stanza in document["benchmark"]:
        for variant in _variants(stanza, lists):
            one = _benchmark(variant, threads, sweeps)
            also = tuple(suite for suite, names in members.items() if one.name in names)
            benchmarks.append(replace(one, suites=(*one.suites, *also)))
    missing = {n for names in members.values() for n in names} - {b.name for b in benchmarks}
    if missing:
        raise CatalogueError(f"suites name what is not in the catalogue: {', '.join(missing)}")
    return benchmarks


@cache
def load(path: Path = CATALOGUE) -> list[Benchmark]:
    return parse(path.read_text(encoding="utf-8"))


@cache
def thread_lists(path: Path = CATALOGUE) -> dict[str, tuple[int, ...]]:
    """The lists of numbers of threads that have a name."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: tuple(numbers) for name, numbers in document["threads"].items()}


def suites(benchmarks: Iterable[Benchmark]) -> list[str]:
    """The names of the suites, in the order of their first use."""
    return list(dict.fromkeys(suite for b in benchmarks for suite in b.suites))


def chosen(target: str) -> list[Benchmark]:
    """A suite, or one benchmark."""
    known = load()
    return [b for b in known if target in b.suites] or [b for b in known if b.name == target]


def _combinations(over: Mapping[str, Values]) -> list[dict[str, str]]:
    """One value of each argument, in all combinations; a single empty one if there are none."""
    return [dict(zip(over, values, strict=True)) for values in product(*over.values())]


def _named(*parts: object) -> str:
    return ", ".join(map(str, parts))


def experiment(
    benchmark: Benchmark,
    runtimes: Sequence[str],
    threads: Sequence[int] | None = None,
    compiler: Compiler = Compiler.GCC,
) -> Experiment:
    """Each runtime at each number of threads with each value of an argument, all run alternately.
    The values are labels of the figures.
    """
    path = program(benchmark.program, compiler)
    counts = threads or benchmark.threads
    every = _combinations(benchmark.over)
    cases = [
        Case(
            _named(runtime, count, *values.values()),
            runtime,
            (path, *with_values(benchmark.arguments, values)),
            SHOWN.get(runtime, Role.RIVAL),
            threads=count,
            copies=benchmark.copies,
            labels=values,
            within=benchmark.within,
        )
        for count in counts
        for values in every
        for runtime in runtimes
    ]
    # Other programs do not call the runtime, so the runtime of their run makes no difference.
    cases += [
        Case(
            _named(name, count, *values.values()),
            runtimes[0],
            (program(other), *_with_known(other, words, values)),
            Role.REFERENCE,
            threads=count,
            labels=values,
        )
        for name, (other, *words) in benchmark.others.items()
        for count in counts
        for values in every
    ]
    if benchmark.serial:
        cases += [
            Case(
                _named(SERIAL, *values.values()),
                runtimes[0],
                (path, *with_values(benchmark.serial, values)),
                Role.REFERENCE,
                threads=1,
                labels=values,
            )
            for values in every
        ]
    return Experiment(benchmark.name, tuple(cases), (), timeout=benchmark.timeout)
