# SPDX-License-Identifier: Apache-2.0
"""The line above every published table and picture."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

from bobbin_lab.host import machine
from bobbin_lab.results.records import Results, Run, rule_of

# Options whose values are files; where results lie tells a reader nothing.
_FILES = ("-o", "--output", "--resume", "--report", "--markdown", "--update")


def without_files(words: Sequence[str]) -> list[str]:
    """The words of a command without the files that it reads and writes."""
    kept, rest = [], iter(words)
    for word in rest:
        if word in _FILES:
            next(rest, None)
        elif word.partition("=")[0] not in _FILES:
            kept.append(word)
    return kept


def command_line(target: str = "") -> str:
    """This process's. `target`: what it measures, also where only the results tell that."""
    words = without_files(sys.argv[1:])
    if target and target not in words:
        words.insert(1, target)
    return f"bobbin lab {shlex.join(words)}"


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
