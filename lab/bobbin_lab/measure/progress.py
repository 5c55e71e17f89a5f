# SPDX-License-Identifier: Apache-2.0
"""Progress of a session: what is being measured, and how long the rest will take."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from bobbin_lab.host.noise import load_average
from bobbin_lab.measure.schedule import Turn
from bobbin_lab.results.records import Run


class Estimate:
    """Seconds left. Each future run is expected to take as long as earlier runs of its experiment.
    Before there are any, the runs of other experiments count.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._left: dict[str, int] = defaultdict(int)
        for turn in turns:
            self._left[turn.experiment.name] += 1
        self._spent: dict[str, list[float]] = defaultdict(list)

    def leave_out(self, experiment: str, many: int) -> None:
        self._left[experiment] -= many

    def took(self, experiment: str, seconds: float) -> None:
        self._left[experiment] -= 1
        self._spent[experiment].append(seconds)

    def seconds(self) -> float | None:
        if not self._spent:
            return None
        means = {name: sum(spent) / len(spent) for name, spent in self._spent.items()}
        otherwise = sum(means.values()) / len(means)
        return sum(max(n, 0) * means.get(name, otherwise) for name, n in self._left.items())


def outlook(seconds: float | None) -> str:
    """Nothing, before a first run has ended."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"about {minutes}:{rest:02d} left, "


class Board:
    """A progress bar on a terminal; a line for each experiment elsewhere."""

    def __init__(self, console: Console, turns: Sequence[Turn]) -> None:
        self._console = console
        self._estimate = Estimate(turns)
        self._began = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bar = self._progress.add_task("", total=len(turns), left="")
        self._experiment = ""

    def __enter__(self) -> Board:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def leave_out(self, experiment: str, many: int) -> None:
        """That many of its runs will not be made."""
        self._estimate.leave_out(experiment, many)
        self._progress.advance(self._bar, many)

    def begin(self, turn: Turn) -> None:
        self._began = time.monotonic()
        left = f"{outlook(self._estimate.seconds())}load {load_average():.1f}"
        self._progress.update(self._bar, description=str(turn), left=left)
        if not self._console.is_terminal and turn.experiment.name != self._experiment:
            self._console.print(f"{turn.experiment.name} ({left})")
        self._experiment = turn.experiment.name

    def end(self, run: Run) -> None:
        self._estimate.took(run.experiment, time.monotonic() - self._began)
        self._progress.advance(self._bar)
