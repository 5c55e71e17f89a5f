# SPDX-License-Identifier: Apache-2.0
"""bench/run TABLE: measures a table of figures on libgomp, libomp and Bobbin, by turns."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.compare import foundation, tasks
from bench.compare.measure import Outcome, Settings, run_experiment
from bench.compare.noise import load_average, wait_until_quiet
from bench.compare.plan import Experiment
from bench.compare.report import machine, markdown_table, terminal_table, with_section
from bench.compare.runtimes import LIBRARY, MissingError, usable_runtimes
from bench.compare.verdict import Row, evaluate

TABLES = {"foundation": foundation.experiments, "tasks": tasks.experiments}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--only", metavar="TEXT", help="experiments whose name contains TEXT")
    parser.add_argument("--rounds", type=int, default=5, help="at least 5 for a published figure")
    parser.add_argument("--runtimes", default="gomp,omp,bobbin", help="some of gomp,omp,bobbin")
    parser.add_argument(
        "--library", type=Path, default=LIBRARY, help="folder of the libbobbin to measure"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    parser.add_argument("--update", type=Path, help="replace the table in this document")
    parser.add_argument("--quiet-wait", type=float, default=20, help="seconds, for an idle machine")
    parser.add_argument("--retries", type=int, default=2, help="of a run that others disturbed")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the runs")
    return parser.parse_args(arguments)


def measure(chosen: list[Experiment], options: argparse.Namespace, console: Console) -> list[Row]:
    runtimes = usable_runtimes(tuple(options.runtimes.split(",")), options.library.resolve())
    settings = Settings(
        rounds=options.rounds,
        retries=options.retries,
        quiet_wait=options.quiet_wait,
        seed=options.seed,
    )
    if not wait_until_quiet(settings.quiet_wait):
        console.print(f"[yellow]The machine is busy (load {load_average():.2f}): see `disturbed`.")
    rows: list[Row] = []
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(chosen))
        for experiment in chosen:

            def tell(text: str, _so_far: Outcome) -> None:
                progress.update(bar, description=f"{text}, load {load_average():.2f}")

            outcome = run_experiment(experiment, runtimes, settings, tell)
            fresh = [evaluate(outcome, figure) for figure in experiment.figures]
            rows += fresh
            for row in fresh:
                shown = ", ".join(f"{k} {v.median:.4g}" for k, v in row.cells.items())
                console.print(f"{row.figure.label}: {shown} {row.figure.unit}", highlight=False)
            progress.advance(bar)
    return rows


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    try:
        chosen = [e for e in TABLES[options.table]() if not options.only or options.only in e.name]
        rows = measure(chosen, options, console)
    except MissingError as missing:
        console.print(f"[red]{missing}")
        return 1
    command = "bench/run " + shlex.join(arguments)
    console.print(terminal_table(f"{command}\n{machine()}", rows))
    text = f"`{command}`, {machine()}\n\n{markdown_table(rows)}"
    if options.markdown:
        options.markdown.write_text(text)
    if options.update:
        document = options.update.read_text()
        options.update.write_text(with_section(document, options.table, text))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
