# SPDX-License-Identifier: Apache-2.0
"""The contents of the page: for each process its threads, its lines, and its counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bobbin_lab.output.tables import number
from bobbin_lab.profile_page.kinds import KINDS
from bobbin_lab.profile_page.pictures import lines_picture, threads_picture
from bobbin_lab.report.parts import Cell, Grid, Page, Plot, Section
from bobbin_lab.results.records import ResultsError

# What the pictures have room for. The tables have everything.
_THREADS, _LINES = 24, 12
_VISIBLE = 0.005  # of the time of all threads

Record = Mapping[str, Any]

# What `bobbin` writes besides profiles, by how the file begins.
_OTHERS = {
    '{"displayTimeUnit"': "a trace, not results: open it on https://ui.perfetto.dev, or make an "
    "archive of it by `bobbin lab otf2`",
    '{"span":': "of `bobbin run --span`, which tells its figures itself: there is no page for them",
    '{"command":': "of `bobbin compare`, which tells its times itself: there is no page for them",
}


def _begin(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return "".join(file.read(64).split())
    except (OSError, UnicodeDecodeError):
        return ""


def is_profile(path: Path) -> bool:
    """Returns whether `bobbin run --profile --json` has written the file."""
    return _begin(path).startswith('{"profile":')


def must_be_no_other_report(path: Path) -> None:
    """The files of `bobbin run` have viewers of their own, except the profile's."""
    for begin, text in _OTHERS.items():
        if _begin(path).startswith(begin):
            raise ResultsError(f"{path} is {text}")


def _read(path: Path) -> Sequence[Record]:
    try:
        processes: Sequence[Record] = json.loads(path.read_text(encoding="utf-8"))["processes"]
    except ValueError as error:
        raise ResultsError(f"{path} is no whole profile: {error}") from error
    return processes


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{number(seconds * factor)}\N{NO-BREAK SPACE}{unit}"
    return f"{number(seconds * 1e9)}\N{NO-BREAK SPACE}ns"


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole > 0 else "-"


def _names(process: Record) -> list[str]:
    return [f"T{i}" for i, _ in enumerate(process["threads"])]


def _threads(process: Record, anchor: str) -> Section:
    threads = dict(zip(_names(process), process["threads"], strict=True))
    shown = {name: thread["seconds"] for name, thread in list(threads.items())[:_THREADS]}
    caption = "Each bar is the life of a thread."
    if len(threads) > len(shown):
        caption += f" {len(threads) - len(shown)} more threads are in the table."
    total = process["total"]
    rows = [
        [
            Cell(name),
            *(Cell(_share(kind.spent(t["seconds"]), t["thread_seconds"])) for kind in KINDS),
            Cell(_time(t["thread_seconds"])),
        ]
        for name, t in [("all", total), *threads.items()]
    ]
    headings = ["thread", *(kind.title for kind in KINDS), "time"]
    lead = "What each OpenMP thread did. T0 is the main thread."
    plot = Plot(threads_picture(shown), caption)
    return Section(f"threads-{anchor}", "Threads", lead, [plot], [Grid(headings, rows)])


def _lines(process: Record, anchor: str) -> Section:
    whole = process["total"]["thread_seconds"]
    sites = [site for site in process["sites"] if site["seconds"] > 0]
    drawn = [
        (site["what"], site["where"], site["seconds"])
        for site in sites
        if site.get("where") and site["seconds"] >= _VISIBLE * whole
    ][:_LINES]
    rows = [
        [
            Cell(site["what"]),
            Cell(site.get("where", "")),
            Cell(_time(site["seconds"])),
            Cell(_share(site["seconds"], whole)),
            Cell(f"{site['count']:,}"),
            Cell(f"{site['imbalance']:.1%}" if site["threads"] > 1 else ""),
        ]
        for site in sites
    ]
    headings = ["what", "where", "time", "share", "how many", "imbalance"]
    plots = [Plot(lines_picture(drawn), "The places that take most time.")] if drawn else []
    lead = "The time of all threads by the place in the source, the longest first."
    return Section(f"lines-{anchor}", "Lines", lead, plots, [Grid(headings, rows)])


def _counts(process: Record, anchor: str) -> Section:
    total = process["total"]
    found = {**total["visits"], **total["counts"]}
    rows = [
        [Cell(name.replace("_", " ")), Cell(f"{many:,}")] for name, many in found.items() if many
    ]
    lead = "What there was, of all threads together."
    return Section(f"counts-{anchor}", "Counts", lead, grids=[Grid(["what", "how many"], rows)])


def _summary(process: Record) -> list[str]:
    total = process["total"]
    whole = total["thread_seconds"]
    spent = sorted(((kind.spent(total["seconds"]), kind.title) for kind in KINDS), reverse=True)
    shares = ", ".join(f"{title} {_share(part, whole)}" for part, title in spent if part > 0)
    sentences = [f"Of the time of all threads: {shares}."]
    if process["imbalance"] > 0:
        sentences.append(f"The work in regions has an imbalance of {process['imbalance']:.1%}.")
    if process["on_processors"] < 1:
        sentences.append(
            f"Threads that did not wait had a processor for {process['on_processors']:.0%} of that "
            "time: other programs, or more threads than processors, took the rest."
        )
    if not process["end_known"]:
        sentences.append("The process did not end in order. These are its figures until then.")
    return sentences


def profile_page(paths: Sequence[Path]) -> Page:
    try:
        return _page_of(paths)
    except (AttributeError, KeyError, TypeError) as error:
        named = ", ".join(str(path) for path in paths)
        raise ResultsError(f"{named}: no whole profile of this version: {error!r}") from error


def _page_of(paths: Sequence[Path]) -> Page:
    processes = [process for path in paths for process in _read(path)]
    if not processes:
        raise ResultsError("no process used OpenMP, so the profile is empty")
    main = processes[0]
    sections = []
    for place, process in enumerate(processes, 1):
        own = [part(process, str(place)) for part in (_threads, _lines, _counts)]
        if len(processes) > 1:
            for section in own:
                section.title += f", process {process['process']}"
        sections += own
    count = len(main["threads"])
    threads = f"{count} thread{'' if count == 1 else 's'}"
    return Page(
        title=f"Profile of {main['command']}",
        where=f"{_time(main['seconds'])} with {threads} on {main['runtime']}",
        summary=_summary(main),
        sections=[section for section in sections if section.holds_anything()],
        facts_title="Processes",
        facts=[
            (f"Process {process['process']}", f"{process['command']} ({_time(process['seconds'])})")
            for process in processes
        ],
    )
