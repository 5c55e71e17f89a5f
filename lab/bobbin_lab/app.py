# SPDX-License-Identifier: Apache-2.0
"""The command line: one module for each command."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console

from bobbin_lab.catalogue import CatalogueError
from bobbin_lab.commands import advise, compare, gate, model, report, run
from bobbin_lab.records import ResultsError
from bobbin_lab.runtimes import MissingError
from bobbin_lab.settings import NotServedError
from bobbin_lab.suites import UnknownError

# As the `bobbin` command has it: it failed itself, whatever was asked about.
OWN_FAILURE = 125
# What Typer ends with when it does not understand the words.
_USAGE = 2

app = typer.Typer(
    name="bobbin lab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def lab() -> None:
    """Measures what OpenMP runtimes cost, compares them, and models how the costs grow."""


for _command in (run.run, compare.compare, model.model, gate.gate, report.report):
    app.command()(_command)
# The program's own options are its own.
app.command(context_settings={"allow_interspersed_args": False})(advise.advise)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _fail(text: str, status: int = OWN_FAILURE) -> NoReturn:
    Console(stderr=True).print(f"bobbin lab: {text}", style="red", markup=False, soft_wrap=True)
    sys.exit(status)


def main() -> None:
    signal.signal(signal.SIGTERM, _interrupt)  # so that what is being measured ends with it
    try:
        app(prog_name="bobbin lab")
    except SystemExit as ended:
        sys.exit(OWN_FAILURE if ended.code == _USAGE else ended.code)
    except (CatalogueError, MissingError, ResultsError, UnknownError) as error:
        _fail(str(error))
    except NotServedError as error:
        _fail(str(error), error.status)
    except OSError as error:
        if not error.filename:
            raise
        _fail(f"{error.filename}: {error.strerror}")  # a file or folder that the user named
    except KeyboardInterrupt:
        for again in (signal.SIGINT, signal.SIGTERM):
            signal.signal(again, signal.SIG_IGN)
        sys.exit(130)
