# SPDX-License-Identifier: Apache-2.0
"""The schedulers of Nanos, as presets: each counts the tree, alone and with both limits."""

from __future__ import annotations

import pytest
from command import PATIENCE_S

from bobbin_lab.experiments.plan import Case
from bobbin_lab.measure.execute import run_case
from bobbin_lab.places import program
from bobbin_lab.runtimes import known_runtimes, resolve

WORK_FIRST = ("wfff", "wffl", "wlff", "wlll", "cilk")
SCHEDULERS = (*WORK_FIRST, "bff", "bfl")


@pytest.mark.parametrize("limit", ["", "+cutoff=tasks:8", "+cutoff=level:4"])
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_scheduler_counts_the_tree(scheduler: str, limit: str) -> None:
    word = scheduler + limit
    runtime = resolve(word, known_runtimes())
    argv = (program("uts_untied"), "tree=S3", "mode=wait", "trace=yes")
    sample = run_case(Case(word, word, argv, threads=2), runtime, PATIENCE_S)
    assert sample.error is None
    if scheduler not in WORK_FIRST:
        assert sample.metrics["moves_at_task"] == sample.metrics["moves_at_wait"] == 0


def test_their_settings_are_their_names() -> None:
    """Work-first or breadth-first, then the ends from which the thread and thieves take."""
    for name in set(SCHEDULERS) - {"cilk"}:
        policy = dict(
            item.split("=")
            for item in resolve(name, known_runtimes()).env["BOBBIN_TASK_POLICY"].split(",")
        )
        ends = {"f": "fifo", "l": "lifo"}
        assert policy["creation"] == {"w": "continuation", "b": "breadth-first"}[name[0]]
        own, thieves = (name[1], name[3]) if name[0] == "w" else (name[2], name[2])
        assert (policy["order"], policy["steal"]) == (ends[own], ends[thieves])
