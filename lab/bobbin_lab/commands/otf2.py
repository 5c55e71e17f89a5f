# SPDX-License-Identifier: Apache-2.0
"""bobbin lab otf2: a trace as an archive for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bobbin_lab.commands.options import console
from bobbin_lab.output.archive import write_archive
from bobbin_lab.results.records import ResultsError


def otf2(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="file of `bobbin run --trace`")],
    output: Annotated[Path, typer.Option("-o", "--output", help="a new folder")],
) -> None:
    """Write a trace as an archive of OTF2, for Vampir, Scalasca and other tools: what each OpenMP
    thread does, with roles and lines of the constructs. It needs Python's package otf2.
    """
    if output.exists():
        raise ResultsError(f"{output} is there already: name a new folder")
    count = write_archive(trace, output)
    console().print(f"Archive: {output / 'traces.otf2'}, {count:,} slices")
