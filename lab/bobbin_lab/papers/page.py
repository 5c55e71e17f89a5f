# SPDX-License-Identifier: Apache-2.0
"""docs/results/papers.md: a section a paper, with the text of each figure and its last figures."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bobbin_lab.output.tables import with_section
from bobbin_lab.papers.declared import Figure, Paper
from bobbin_lab.papers.findings import paragraph

# The part of the document that the lab writes.
ALL = "papers"
# Beside the document.
PICTURES = Path("figures") / "papers"


def command_of(paper: Paper, figure: Figure) -> str:
    return f"bobbin lab paper {paper.name} --figure {figure.number}"


def _not_yet(paper: Paper, figure: Figure) -> str:
    """The command by which `bobbin lab publish` measures it."""
    return f"`{command_of(paper, figure)} --quick`, not yet measured.\n"


def measured(document: str) -> dict[str, str]:
    """What the document holds between the marks of each figure."""
    found = re.finditer(r"<!-- (\S+-\S+) -->\n(.*?)<!-- /\1 -->", document, re.DOTALL)
    return {match[1]: match[2] for match in found}


def _filled(text: str) -> str:
    return textwrap.fill(text, 105, break_long_words=False, break_on_hyphens=False) + "\n"


def _figure(paper: Paper, figure: Figure, held: Mapping[str, str]) -> Iterator[str]:
    mark = paper.mark(figure)
    yield f"### {figure.spoken}: {figure.title}\n"
    yield _filled(f"The paper: {figure.found}")
    yield f"<!-- {mark} -->\n{held.get(mark, _not_yet(paper, figure))}<!-- /{mark} -->\n"
    said = paragraph(figure.here, held.get(mark, ""))
    if said:
        yield _filled(said)


def _section(paper: Paper, held: Mapping[str, str]) -> Iterator[str]:
    yield f"## {paper.title}\n"
    yield _filled(paper.about)
    yield _filled(f"{paper.lead} All of it: `bobbin lab paper {paper.name}`.")
    for figure in paper.figures:
        yield from _figure(paper, figure, held)


def text_of(papers: Sequence[Paper], held: Mapping[str, str]) -> str:
    """The document's part: the text from the declarations, and what was measured."""
    return "\n".join(line for paper in papers for line in _section(paper, held))


def renewed(document: str, papers: Sequence[Paper], news: Mapping[str, str]) -> str:
    """The document with all text as it is declared now, and these figures as measured now. Raises
    ValueError where it has no part for the papers.
    """
    inner = document.partition(f"<!-- {ALL} -->\n")[2].partition(f"<!-- /{ALL} -->")[0]
    return with_section(document, ALL, text_of(papers, measured(inner) | dict(news)))
