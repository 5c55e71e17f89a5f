# SPDX-License-Identifier: Apache-2.0
"""Arguments that several commands share."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from bobbin_lab.experiments import catalogue
from bobbin_lab.output.tables import with_section
from bobbin_lab.results.records import Results, ResultsError, load_all
from bobbin_lab.suites import TABLES

ResultFiles = Annotated[
    list[Path], typer.Argument(metavar="RESULTS", help="files that `run` has written")
]


class _Screen(Console):
    def on_broken_pipe(self) -> NoReturn:
        """The reader has closed the pipe, as with `| head`: end as a program ends by SIGPIPE."""
        with contextlib.suppress(SystemExit):
            super().on_broken_pipe()
        raise SystemExit(128 + signal.SIGPIPE)


def console() -> Console:
    """Prints without markup, because titles, names and errors may contain brackets."""
    width = None if sys.stdout.isatty() else 160
    return _Screen(width=width, highlight=False, markup=False)


def load_figures(paths: Sequence[Path]) -> Results:
    """Results that can be compared. Tables have rows with targets instead, so they are refused."""
    read = load_all(paths)
    suites = dict.fromkeys(session.suite for session in read.sessions)
    if TABLES.keys() >= suites.keys():
        raise ResultsError(
            f"the results are of tables ({', '.join(suites)}), whose rows have targets: "
            f"`bobbin lab report {shlex.join(map(str, paths))}` shows them"
        )
    return read


def must_be_writable(path: Path) -> None:
    """Refuses a path at which no file can be written later."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise ResultsError(f"{path} cannot be written: it needs a folder that is there")
    # A new file needs this permission of its folder.
    if not (os.access(path, os.W_OK) if path.exists() else os.access(folder, os.W_OK | os.X_OK)):
        raise ResultsError(f"{path} cannot be written: its permissions or its disk forbid it")


def updated(path: Path, name: str, text: str = "") -> str:
    """Returns the document with its section replaced. Also checks before measuring that this can
    work.
    """
    if not path.is_file():
        raise ResultsError(f"there is no document {path}")
    must_be_writable(path)
    try:
        return with_section(path.read_text(encoding="utf-8"), name, text)
    except UnicodeDecodeError as error:
        raise ResultsError(f"{path} is not text") from error
    except ValueError as error:
        raise ResultsError(
            f"{path}: {error} (between <!-- {name} --> and <!-- /{name} -->)"
        ) from error


def numbers_of_threads(text: str) -> tuple[int, ...]:
    """With commas between, or by the name of a list of the catalogue."""
    lists = catalogue.thread_lists()
    if text in lists:
        return lists[text]
    try:
        numbers = tuple(int(word) for word in text.split(",") if word)
    except ValueError:
        numbers = (0,)
    if any(number < 1 for number in numbers):
        raise typer.BadParameter(
            f"{text!r}: numbers of threads with commas between are wanted, or a list: "
            f"{', '.join(lists)}"
        )
    return numbers
