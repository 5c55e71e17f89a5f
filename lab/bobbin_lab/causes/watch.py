# SPDX-License-Identifier: Apache-2.0
"""Runs a program under the instruments of `bobbin run`, to find out what keeps it."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from bobbin_lab.advice.allowed import Allowed
from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.settings import THREADS, Setting, environment
from bobbin_lab.causes.figures import Profile, Span, parse_profile, parse_span
from bobbin_lab.causes.rules import Watched, needs_span
from bobbin_lab.experiments.given_input import Rest
from bobbin_lab.experiments.plan import Case
from bobbin_lab.measure.execute import run_case
from bobbin_lab.places import COMMAND
from bobbin_lab.runtimes import Runtime

# Profiles with all threads, and with one. Those count that other work has disturbed least.
_TIMES = 3
MOST_RUNS = 2 * _TIMES + 1
# With so many more threads than processors a static loop has parts enough to show its parallelism.
_PARTS = 8
# A run gets at least so many seconds.
_MOMENT = 1.0
_NOTHING = "nothing was recorded: another tool took the place, or no region was opened on Bobbin"


@dataclass
class Watcher:
    """Makes the runs, as far as they fit into the given time."""

    asked: Asked
    limits: Allowed
    threads: int  # of its largest region, as the user runs it; 0: not known
    timeout: float
    given: Rest | None = None
    problem: str = ""  # why there are no figures

    def expected_seconds(self, once: float) -> float:
        """The time that all runs together take. `once`: that of one run as the user runs it."""
        team = min(self.threads or self.limits.threads, self.limits.threads)
        return once * (_TIMES * (1 + team) + team)

    def _run(self, instrument: str, threads: int | None, end: float) -> str:
        """The figures, as the file has them. Empty: the run has failed."""
        variables = {}
        if threads is not None:
            _, comma, inner = self.asked.openmp.get(THREADS, "").partition(",")
            variables[THREADS] = f"{threads}{comma}{inner}"
        with tempfile.TemporaryDirectory(prefix="bobbin-lab-") as folder:
            file = Path(folder) / "figures.json"
            options = (instrument, "--json", str(file), "--")
            case = Case(
                "watched",
                "bobbin",
                (str(COMMAND), "run", *options, *self.asked.words),
                env=environment(Setting(Runtime("own", "watched"), variables), self.asked),
                given=self.given,
                reports=False,
            )
            most = min(self.timeout, max(end - time.monotonic(), _MOMENT))
            sample = run_case(case, Runtime("bobbin", "Bobbin"), most, probe=False)
            self.problem = sample.error or ""
            return "" if sample.error or not file.exists() else file.read_text()

    def _profile(self, threads: int | None, end: float) -> Profile | None:
        text = self._run("--profile", threads, end)
        return parse_profile(text) if text else None

    def _span(self, threads: int, end: float) -> Span | None:
        text = self._run("--span", threads, end)
        return parse_span(text) if text else None

    def watch(self, seconds: float) -> Watched | None:
        """Returns None, and keeps the problem, if there are no figures."""
        end = time.monotonic() + seconds
        # The user's own number, unless threads would take turns on the processors.
        crowded = self.threads > self.limits.threads
        full = self.limits.threads if crowded else None
        began = time.monotonic()
        profile = self._profile(full, end)
        if profile is None:
            self.problem = self.problem or _NOTHING
            return None
        took = time.monotonic() - began
        first = Watched(profile, self.limits.threads, self.threads)
        team = first.team

        def fits(runs: int) -> bool:
            return time.monotonic() + runs * took < end

        span = self._span(_PARTS * team, end) if needs_span(first) and fits(team) else None
        profiles, alone = [profile], []
        for _ in range(_TIMES):
            if team > 1 and fits(team) and (one := self._profile(1, end)) is not None:
                alone.append(one)
        for _ in range(_TIMES - 1):
            if fits(1) and (again := self._profile(full, end)) is not None:
                profiles.append(again)
        self.problem = ""
        return replace(
            first,
            profile=max(profiles, key=lambda one: (round(one.on_processors, 1), -one.wall)),
            alone=min(alone, key=lambda one: one.processed, default=None),
            span=span,
        )
