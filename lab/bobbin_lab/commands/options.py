# SPDX-License-Identifier: Apache-2.0
"""Arguments that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

ResultFiles = Annotated[
    list[Path], typer.Argument(metavar="RESULTS...", help="files that `run` has written")
]


def console() -> Console:
    return Console(width=None if sys.stdout.isatty() else 160, highlight=False)
