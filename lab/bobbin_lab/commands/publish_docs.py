# SPDX-License-Identifier: Apache-2.0
"""bobbin lab publish: makes every table and picture of the documents again."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bobbin_lab.commands.options import console
from bobbin_lab.host.commit import commit_of
from bobbin_lab.host.noise import Noise, wait_until_quiet
from bobbin_lab.measure.execute import probe_processors
from bobbin_lab.output.published import pieces
from bobbin_lab.places import COMMAND, LIBRARY, SOURCE, cache
from bobbin_lab.results.records import ResultsError


def _calm(limit: float) -> bool:
    """Whether what is measured now would be trusted."""
    if not wait_until_quiet(limit):
        return False
    now = Noise(0, 0, 0, **probe_processors())
    return now.near(now.transfer_ns)


def _made(words: Sequence[str], seconds: float) -> bool:
    """Whether the command ended in that time. If not it is stopped, and keeps what it has."""
    child = subprocess.Popen([COMMAND, "lab", *words])
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
        child.wait()
        return False
    except KeyboardInterrupt:
        child.wait()  # the terminal has told it, too
        raise
    return True


def publish(
    documents: Annotated[Path, typer.Argument(help="their folder")] = SOURCE / "docs" / "results",
    minutes: Annotated[float, typer.Option(min=0, help="all that this call may take")] = 9,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for a calm machine")] = 20,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="name what is to be made; run nothing")
    ] = False,
) -> None:
    """Measure every marked section of the documents again whose caption does not name the commit of
    this build, as its caption says. Ask again until all is done: each call goes on.
    """
    screen = console()
    commit = commit_of(LIBRARY)
    if not commit or " with " in commit:
        raise ResultsError(
            f"figures are published of a commit, not of {commit or 'an unknown one'}"
        )
    left = [piece for piece in pieces(documents) if not piece.is_done(commit)]
    for piece in left if dry_run else ():
        screen.print(f"{piece.document.name}, {piece.name}: bobbin lab {' '.join(piece.words)}")
    end = time.monotonic() + 60 * minutes
    folder = cache() / "published"
    folder.mkdir(parents=True, exist_ok=True)
    while left and not dry_run and time.monotonic() < end:
        if not _calm(quiet_wait):
            screen.print("The machine is busy, or its processors are far apart.", style="red")
            break
        piece = left.pop(0)
        results = folder / f"{commit.removeprefix('commit ')}-{piece.name}.jsonl"
        _made(piece.command(results, commit), end - time.monotonic())
    left = [piece for piece in pieces(documents) if not piece.is_done(commit)]
    screen.print(f"Not of {commit}: {len(left)} of {len(list(pieces(documents)))} sections.")
    if left and not dry_run:
        raise typer.Exit(1)
