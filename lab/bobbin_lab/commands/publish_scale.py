# SPDX-License-Identifier: Apache-2.0
"""What `bobbin lab scale` writes into a document: medians, ratios and models."""

from __future__ import annotations

from collections.abc import Sequence

from bobbin_lab.analysis.comparison import Pair, pairs
from bobbin_lab.commands import model
from bobbin_lab.model.analyse import analyse
from bobbin_lab.model.fit import LEAST_POINTS
from bobbin_lab.output.captions import caption
from bobbin_lab.output.summary import markdown
from bobbin_lab.output.tables import markdown_rows, number
from bobbin_lab.results.records import Results

NO_MODELS = f"A model needs {LEAST_POINTS} numbers of threads, and this machine has fewer."


def _ratio(pair: Pair | None) -> str:
    if pair is None:
        return "-"
    if not pair.enough:
        return f"{number(pair.cost.value)}x"
    return f"{number(pair.cost.value)}x ({number(pair.cost.low)} to {number(pair.cost.high)})"


def _ratios(results: Results, couples: Sequence[tuple[str, str]]) -> str:
    found = {
        b: {(pair.title, pair.threads): pair for pair in pairs(results, a, b)} for a, b in couples
    }
    places = dict.fromkeys(place for by_place in found.values() for place in by_place)
    rows = [
        [
            title,
            str(threads),
            *(_ratio(by_place.get((title, threads))) for by_place in found.values()),
        ]
        for title, threads in places
    ]
    return markdown_rows(["figure", "threads", *(f"{a} / {b}" for a, b in couples)], rows)


def section(results: Results, command: str, rounds: int, couples: Sequence[tuple[str, str]]) -> str:
    parts = [
        f"{caption(command, results)} {rounds} rounds.\n",
        "A figure without quartiles is of one run: there was no time for more.\n",
        markdown(results),
    ]
    if couples:
        parts += ["Costs as multiples, with 95 % intervals:\n", _ratios(results, couples)]
    models = analyse(results)
    parts += (
        [model.markdown(models, list(results.sessions[0].runtimes))]
        if models
        else [NO_MODELS + "\n"]
    )
    return "\n".join(parts)
