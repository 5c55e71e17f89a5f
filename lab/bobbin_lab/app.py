# SPDX-License-Identifier: Apache-2.0
"""The command line: one module for each command."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console

from bobbin_lab.advice.settings import NotServedError
from bobbin_lab.arguments import ArgumentError
from bobbin_lab.commands import (
    advise,
    compare,
    gate,
    model,
    otf2,
    paper,
    publish_docs,
    report,
    run,
    scale,
    simulate,
)
from bobbin_lab.completion import ASKED, complete
from bobbin_lab.experiments.catalogue import CatalogueError
from bobbin_lab.results.records import ResultsError
from bobbin_lab.runtimes import MissingError
from bobbin_lab.simulation.simulator import SimulationError
from bobbin_lab.suites import UnknownError

# The same status as the `bobbin` command: the command itself failed, whatever was asked for.
OWN_FAILURE = 125
# Typer's status when it does not understand the command line.
_USAGE = 2

app = typer.Typer(
    name="bobbin lab",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def lab(context: typer.Context) -> None:
    """Measures what OpenMP runtimes cost, compares them, and models how the costs grow."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


# A program's own options are left to the program.
app.command(
    short_help="Find out what makes your program faster here.",
    context_settings={"allow_interspersed_args": False},
)(advise.advise)

# The lines of the list of commands, short enough not to be cut.
for _command, _line in (
    (compare.compare, "Show medians, ratios with intervals, and plots."),
    (run.run, "Measure runtimes by turns; `run list` tells what there is."),
    (model.model, "Tell how costs grow with the threads."),
    (paper.paper, "Measure the figures of a paper; `paper list` names them."),
    (scale.scale, "Measure on more and more processors, for some minutes."),
    (simulate.simulate, "Execute a task graph on a machine that is only described."),
    (otf2.otf2, "Write a trace as an archive of OTF2, for other tools."),
    (publish_docs.publish, "Measure what documents publish again, for some minutes."),
    (gate.gate, "Exit 1 when a cost grows faster than it did."),
    (report.report, "Write one page with everything, to be opened in a browser."),
):
    app.command(short_help=_line)(_command)


# Signals that end the lab: from a person, a scheduler, or a lost connection.
_ENDINGS = (signal.SIGTERM, signal.SIGHUP)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _fail(text: str, status: int = OWN_FAILURE) -> NoReturn:
    Console(stderr=True).print(f"bobbin lab: {text}", style="red", markup=False, soft_wrap=True)
    sys.exit(status)


# Errors of a device or disk that takes no more data.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def _drop_output() -> None:
    """Writing the rest of the buffer would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    if sys.stdout is None:
        _fail("cannot write the output: it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Some terminals cannot show R², or a program's words.
        sys.stdout.reconfigure(errors="replace")
    for ending in _ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:  # ignored under nohup
            signal.signal(ending, _interrupt)  # so that the running measurement ends as well
    if sys.argv[1:2] == [ASKED]:
        complete(app, sys.argv[2:] or [""])
        return
    try:
        app(prog_name="bobbin lab")
    except SystemExit as ended:
        sys.exit(OWN_FAILURE if ended.code == _USAGE else ended.code)
    except (
        ArgumentError,
        CatalogueError,
        MissingError,
        ResultsError,
        SimulationError,
        UnknownError,
    ) as error:
        _fail(str(error))
    except NotServedError as error:
        _fail(str(error), error.status)
    except OSError as error:
        if error.filename:
            _fail(f"{error.filename}: {error.strerror}")  # a file or folder named by the user
        if error.errno not in _FULL:
            raise
        _drop_output()
        _fail(f"cannot write the output: {error.strerror}")
    except KeyboardInterrupt:
        for again in (signal.SIGINT, *_ENDINGS):
            signal.signal(again, signal.SIG_IGN)
        sys.exit(130)
