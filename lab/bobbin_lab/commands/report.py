# SPDX-License-Identifier: Apache-2.0
"""bobbin lab report: results as one page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bobbin_lab.commands.options import ResultFiles, console, must_be_writable
from bobbin_lab.results.records import ResultsError, load_all


def _page(paths: Sequence[Path]) -> str:
    from bobbin_lab.profile_page.page import is_profile, must_be_no_other_report, profile_page
    from bobbin_lab.report import render, render_page  # matplotlib takes a while to load

    for path in paths:
        must_be_no_other_report(path)
    profiles = [path for path in paths if is_profile(path)]
    if not profiles:
        return render(load_all(paths))
    if len(profiles) < len(paths):
        raise ResultsError("profiles and results of `run` make pages of their own: name one kind")
    return render_page(profile_page(profiles))


def report(
    results: ResultFiles,
    output: Annotated[Path, typer.Option("-o", "--output", help="the page")] = Path("report.html"),
) -> None:
    """Write one self-contained page: a summary in words, then curves, models and tables. Of a
    profile (`bobbin run --profile --json FILE`) it shows what each thread and each line took.
    """
    must_be_writable(output)
    output.write_text(_page(results), encoding="utf-8")
    console().print(f"Report: {output}")
