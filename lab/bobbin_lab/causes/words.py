# SPDX-License-Identifier: Apache-2.0
"""What `advise` says of a program's causes of slowness."""

from __future__ import annotations

from collections.abc import Iterator

from bobbin_lab.causes.rules import Watched, causes

_MOST = 4


def unseen(problem: str) -> str:
    return f"Where its time goes could not be watched: {problem}."


def why(watched: Watched) -> Iterator[str]:
    profile = watched.profile
    work = watched.share(profile.work)
    threads = f"{profile.workers} thread{'' if profile.workers == 1 else 's'}"
    found = causes(watched)
    head = (
        f"On Bobbin with {threads}, {min(work, 1):.0%} of the processors' time is work in regions."
    )
    if not found:
        yield f"{head} Nothing keeps the threads from their work for long."
        return
    yield f"{head} What it loses:"
    for cause in found[:_MOST]:
        share = f"{min(cause.share, 1):.0%}, " if cause.share > 0 else ""
        yield f"- {share}{cause.name}{f' at {cause.where}' if cause.where else ''}: {cause.seen}"
        yield f"  {cause.remedy}"
    if not any(site.has_line for site in profile.sites):
        yield "Compiled with -g, the program would show the lines."
