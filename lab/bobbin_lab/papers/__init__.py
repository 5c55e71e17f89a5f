# SPDX-License-Identifier: Apache-2.0
"""The papers that Bobbin descends from, each figure and table with its counterpart here."""

from __future__ import annotations

from bobbin_lab.papers import omp_tasking
from bobbin_lab.papers.declared import Paper

PAPERS: dict[str, Paper] = {paper.name: paper for paper in (omp_tasking.PAPER,)}
