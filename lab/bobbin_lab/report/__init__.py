# SPDX-License-Identifier: Apache-2.0
"""Results as one self-contained page of HTML."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bobbin_lab.report.page import page_of
from bobbin_lab.report.parts import Page
from bobbin_lab.results.records import Results


def render(results: Results) -> str:
    return render_page(page_of(results))


def render_page(page: Page) -> str:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # The plots are made here, so their markup is safe.
    environment.filters["markup"] = Markup
    return environment.get_template("page.html.j2").render(page=page)
