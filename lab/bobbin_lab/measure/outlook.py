# SPDX-License-Identifier: Apache-2.0
"""What can be measured, and about how long it takes: told before anything runs."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path

from bobbin_lab.experiments import catalogue
from bobbin_lab.measure.schedule import Settings, turns
from bobbin_lab.measure.session import Plan
from bobbin_lab.runtimes import MissingError, present
from bobbin_lab.suites import TABLES, ablation, benchmarks

_FILE = Path(__file__).with_name("about.toml")
# Of benchmarks that no suite describes.
_OTHERWISE_S = 0.5


@dataclass(frozen=True)
class About:
    """A suite in a line. `run_s`: about how long one run takes."""

    text: str
    run_s: float


@cache
def about() -> dict[str, About]:
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: About(entry["is"], float(entry["run_s"])) for name, entry in told.items()}


def suites() -> list[str]:
    """All that `run` knows by name, those for a first look before the others."""
    known = [*TABLES, ablation.NAME, *catalogue.suites(catalogue.load())]
    return [name for name in about() if name in known]


def run_seconds(target: str) -> float:
    """About how long a run of the suite, or of the suite of a benchmark, takes."""
    told = about()
    if target in told:
        return told[target].run_s
    of = [suite for b in catalogue.chosen(target) for suite in b.suites if suite in told]
    return told[of[0]].run_s if of else _OTHERWISE_S


def runs_of(target: str, rounds: int) -> int:
    """The number of runs on the runtimes that are installed, of all threads and rounds."""
    if target in TABLES:
        usable = present(TABLES[target].runtimes)
        every = TABLES[target].experiments()
        # A case of a runtime that is not there is not run.
        return rounds * sum(e.repeat * sum(c.runtime in usable for c in e.cases) for e in every)
    if target == ablation.NAME:
        return rounds * len(benchmarks(target)) * len(ablation.runtimes())
    return rounds * sum(
        prod(map(len, b.over.values()))
        * (len(b.threads) * (len(b.runtimes or present()) + len(b.others)) + bool(b.serial))
        for b in catalogue.chosen(target)
    )


def spoken(seconds: float) -> str:
    """A guess, so without digits that nobody knows."""
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} s"
    minutes = seconds / 60
    if minutes < 10:
        return f"{minutes:.0f} min"
    return f"{round(minutes / 5) * 5:.0f} min" if minutes < 90 else f"{minutes / 60:.0f} h"


def planned(plan: Plan, settings: Settings) -> int:
    return sum(1 for e in plan.experiments for _ in turns(e, plan.runtimes, settings))


def rows(targets: Sequence[str], rounds: int) -> list[tuple[str, str, str]]:
    """A suite, about how long it takes, and what it is."""
    return [(name, _duration(name, rounds), about()[name].text) for name in targets]


def _duration(target: str, rounds: int) -> str:
    """The wheel's programs are compiled when something is measured, perhaps not yet."""
    try:
        return spoken(runs_of(target, rounds) * about()[target].run_s)
    except MissingError:
        return "not known yet"
