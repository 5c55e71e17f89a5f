# SPDX-License-Identifier: Apache-2.0
"""bobbin lab report: results as one page of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bobbin_lab.commands.options import ResultFiles, console, must_be_writable
from bobbin_lab.records import load_all


def report(
    results: ResultFiles,
    output: Annotated[Path, typer.Option("-o", "--output", help="the page")] = Path("report.html"),
) -> None:
    """Write one self-contained page: a summary in words, then curves, models and tables."""
    from bobbin_lab.report import render  # matplotlib takes a while to load

    must_be_writable(output)
    output.write_text(render(load_all(results)), encoding="utf-8")
    console().print(f"Report: {output}")
