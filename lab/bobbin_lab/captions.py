# SPDX-License-Identifier: Apache-2.0
"""The line above every published table and picture."""

from __future__ import annotations

from collections.abc import Sequence

from bobbin_lab import machine
from bobbin_lab.records import Results, Run, rule_of


def caption(command: str, results: Results, runs: Sequence[Run] | None = None) -> str:
    """The command, the host, the commit, and how many of the runs were trusted; of all runs, unless
    the figure rests on these.
    """
    own = results.runs if runs is None else runs
    counts = rule_of(results.runs)
    commits = list(dict.fromkeys(machine.commit_in_words(s.machine) for s in results.sessions))
    earlier = f" Earlier runs are of {', '.join(commits[:-1])}." if len(commits) > 1 else ""
    return (
        f"`{command}`, {machine.sentence(results.sessions[-1].machine)}{earlier} "
        f"{sum(map(counts, own))} of {len(own)} runs were trusted."
    )
