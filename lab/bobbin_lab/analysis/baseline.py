# SPDX-License-Identifier: Apache-2.0
"""Stored baselines: the class of growth of each figure on a kind of machine, without any times.

Times differ from machine to machine and from day to day; the class of a construct's growth does
not, as long as the number of processors is the same. So a file for each number of processors is
kept with the lab.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bobbin_lab.model.analyse import SeriesModel, analyse, processors_of
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.results.records import Results, ResultsError
from bobbin_lab.results.series import Key

_FOLDER = Path(__file__).with_name("baselines")
# On the command line, the file of the lab for this kind of machine.
STORED = Path("stored")


@dataclass(frozen=True)
class Baseline:
    processors: int
    classes: Mapping[str, Growth]  # by benchmark and metric

    def written(self) -> str:
        classes = {name: growth.name.lower() for name, growth in sorted(self.classes.items())}
        return json.dumps({"processors": self.processors, "classes": classes}, indent=2) + "\n"


def figure_of(key: Key) -> str:
    return f"{key.benchmark} {key.metric}"


def models_of(results: Results, runtime: str) -> dict[str, SeriesModel]:
    """The runtime's models, by figure."""
    found = analyse(results, "all")
    return {figure_of(m.series.key): m for m in found if m.series.key.case == runtime}


def stored(results: Results) -> Path:
    """The lab's own file for the machine of the results."""
    path = _FOLDER / f"processors-{processors_of(results)}.json"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in _FOLDER.glob("*.json"))) or "none"
        raise ResultsError(
            f"there is no stored baseline for {processors_of(results)} processors (there is "
            f"{known}); --renew with a file of your own makes one"
        )
    return path


def is_baseline(path: Path) -> bool:
    """Whether it is a file of classes, not of results."""
    try:
        return "classes" in json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return False


def load(path: Path) -> Baseline:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        classes = {name: Growth[growth.upper()] for name, growth in told["classes"].items()}
        return Baseline(int(told["processors"]), classes)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultsError(f"{path} is no baseline: {error}") from error


def renewed(path: Path, results: Results, runtime: str) -> Baseline:
    """The classes of the results; where the file holds a steeper one already, that stays, because
    a baseline must hold for every run of the same build.
    """
    found = {figure: model.growth for figure, model in models_of(results, runtime).items()}
    if not found:
        raise ResultsError(f"the results hold no model of {runtime}")
    before = load(path).classes if path.exists() else {}
    classes = {n: max(g, before.get(n, g), Growth.CONSTANT) for n, g in found.items()}
    return Baseline(processors_of(results), {**before, **classes})
