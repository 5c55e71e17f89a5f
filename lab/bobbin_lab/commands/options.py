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

from bobbin_lab.records import Results, ResultsError, load_all
from bobbin_lab.suites import TABLES
from bobbin_lab.tables import with_section

ResultFiles = Annotated[
    list[Path], typer.Argument(metavar="RESULTS", help="files that `run` has written")
]


class _Screen(Console):
    def on_broken_pipe(self) -> NoReturn:
        """Nobody reads on, as with `| head`: the end, as for a program that heeds the signal."""
        with contextlib.suppress(SystemExit):
            super().on_broken_pipe()
        raise SystemExit(128 + signal.SIGPIPE)


def console() -> Console:
    """Without markup: titles, names and errors are words of others, brackets and all."""
    width = None if sys.stdout.isatty() else 160
    return _Screen(width=width, highlight=False, markup=False)


def load_figures(paths: Sequence[Path]) -> Results:
    """Results that can be held against each other: rows of tables are held against targets."""
    read = load_all(paths)
    suites = dict.fromkeys(session.suite for session in read.sessions)
    if TABLES.keys() >= suites.keys():
        raise ResultsError(
            f"the results are of tables ({', '.join(suites)}), whose rows have targets: "
            f"`bobbin lab report {shlex.join(map(str, paths))}` shows them"
        )
    return read


def must_be_writable(path: Path) -> None:
    """Where a file is to be written later."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise ResultsError(f"{path} cannot be written: it needs a folder that is there")
    # As a new file needs it of its folder.
    if not (os.access(path, os.W_OK) if path.exists() else os.access(folder, os.W_OK | os.X_OK)):
        raise ResultsError(f"{path} cannot be written: its permissions or its disk forbid it")


def updated(path: Path, name: str, text: str = "") -> str:
    """The document with its section replaced; also to learn before measuring that it can be."""
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
