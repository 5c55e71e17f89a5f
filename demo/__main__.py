# SPDX-License-Identifier: Apache-2.0
"""demo/run: runs the scenes alternately on both runtimes and fills a table during the run."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from bobbin_lab.analysis.verdict import Row, evaluate
from bobbin_lab.experiments.plan import Role
from bobbin_lab.host.noise import FOREIGN_LIMIT, foreign_share
from bobbin_lab.measure.schedule import Outcome, Settings, Turn, run_experiment
from bobbin_lab.output.tables import number
from bobbin_lab.places import COMMAND, SOURCE
from bobbin_lab.runtimes import MissingError, usable_runtimes
from demo.scenes import Scene, scenes

ROUNDS = 3


def _cell(row: Row | None, name: str) -> Text:
    if row is None:
        return Text("")
    if name in row.errors:
        return Text(f"failed: {row.errors[name]}", style="red")
    if name not in row.cells:
        return Text("...", style="dim")
    return Text(f"{number(row.cells[name].median)} s")


def _gain(row: Row | None) -> Text:
    if row is None or row.gain is None:
        return Text("")
    return Text(f"{row.gain:.1f}x", style="green" if row.gain >= 1 else "yellow")


def _checked(row: Row | None, what: str) -> Text:
    if row is None or not row.cells:
        return Text(what, style="dim")
    if row.errors:
        return Text(what, style="red")
    return Text(f"{what}: right", style="green")


def table_of(shown: Sequence[Scene], rows: dict[str, Row]) -> Table:
    table = Table(title="One unmodified binary, two runtimes", title_justify="left")
    table.add_column("program")
    table.add_column("checked")
    table.add_column("libgomp", justify="right")
    table.add_column("Bobbin", justify="right")
    table.add_column("ratio", justify="right")
    for scene in shown:
        row = rows.get(scene.title)
        table.add_row(
            scene.title,
            _checked(row, scene.checked),
            _cell(row, "gomp"),
            _cell(row, "bobbin"),
            _gain(row),
        )
    return table


def report(console: Console, scene: Scene) -> None:
    """A page about one scene, as users get it of their own programs."""
    page = SOURCE / "build/demo.html"
    console.print(f"Looking where the time goes of: {scene.title}", style="dim")
    case = next(case for case in scene.experiment.cases if case.role is Role.SUBJECT)
    done = subprocess.run(
        [COMMAND, "report", "-o", page, *case.argv],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 0:
        console.print(f"A page about it: {page}", highlight=False, soft_wrap=True)
    else:
        console.print(f"[yellow]There is no page about it: {done.stderr}")


def show(console: Console) -> bool:
    """Whether every scene ended with the right result on both runtimes."""
    console.print("Checking both runtimes, and drawing pages of text", style="dim")
    runtimes = usable_runtimes(("gomp", "bobbin"))
    shown = scenes()
    rows: dict[str, Row] = {}
    if foreign_share() > FOREIGN_LIMIT:
        console.print("[yellow]The machine is busy with something else: the times will scatter.")
    settings = Settings(rounds=ROUNDS, retries=0, warm_up=False)
    with Live(table_of(shown, rows), console=console, refresh_per_second=8) as live:

        def tell(turn: Turn, so_far: Outcome) -> None:
            text = str(turn)
            if so_far.count():
                figure = so_far.experiment.figures[0]
                rows[so_far.experiment.name] = evaluate(so_far, figure)
            spinner = Spinner("dots", text=Text(text, style="dim"))
            live.update(Group(table_of(shown, rows), spinner))
            if not console.is_terminal:
                console.print(text)

        for scene in shown:
            runs = run_experiment(scene.experiment, runtimes, settings, tell)
            outcome = Outcome.of(scene.experiment, runs)
            rows[scene.title] = evaluate(outcome, scene.experiment.figures[0])
            live.update(table_of(shown, rows))
    report(console, next(scene for scene in shown if scene.shown_on_page))
    return not any(row.errors for row in rows.values())


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 120)
    start = time.monotonic()
    try:
        right = show(console)
    except MissingError as missing:
        console.print(f"[red]demo: {missing}")
        return 1
    except KeyboardInterrupt:
        console.print("demo: interrupted")
        return 130
    if not console.is_terminal:
        console.print()
    console.print(
        f"Medians of {ROUNDS} runs, by turns, in {time.monotonic() - start:.0f} s. "
        "With your own program:\n"
        "  build/release/bin/bobbin compare PROGRAM ARGUMENTS...    # is it faster?\n"
        "  build/release/bin/bobbin report PROGRAM ARGUMENTS...     # where does its time go?\n"
        "  build/release/bin/bobbin run PROGRAM ARGUMENTS...",
        highlight=False,
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
