# SPDX-License-Identifier: Apache-2.0
"""A trace of `bobbin run --trace` as an archive of OTF2, the format of Vampir, Scalasca and Cube.

Each process is a location group, and each OpenMP thread a location in it. Its slices are regions
that it enters and leaves, with what OTF2 calls their role. Workers, arrows and counters are left
out: an archive tells what threads do.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bobbin_lab.results.records import ResultsError

Slice = dict[str, Any]
Track = tuple[int, int]  # process, thread

# By the first word of a slice's name. The others are constructs without a role of their own.
_ROLES = {
    "region": "PARALLEL",
    "loop": "LOOP",
    "sections": "SECTIONS",
    "single": "SINGLE",
    "task": "TASK",
    "taskwait": "TASK_WAIT",
    "taskgroup": "TASK_WAIT",
    "barrier": "BARRIER",
    "critical": "CRITICAL",
    "ordered": "ORDERED",
    "atomic": "ATOMIC",
}
_NAME = re.compile(r"(?P<what>.*?) (?P<file>[^ ]+):(?P<line>\d+)(?: \(.*\))?")
_PER_SECOND = 1_000_000_000


def _library() -> Any:
    try:
        import otf2
    except ImportError:
        raise ResultsError(
            "Python's package otf2 is missing: pip install otf2, or Debian's python3-otf2 with"
            " BOBBIN_LAB_PYTHON=/usr/bin/python3"
        ) from None
    return otf2


def _read(trace: Path) -> list[Slice]:
    try:
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
        return [event for event in events if event["ph"] in "XM"]
    except (ValueError, KeyError, TypeError):
        raise ResultsError(f"{trace} is no trace of `bobbin run --trace`") from None


def _ns(microseconds: float) -> int:
    return round(microseconds * 1000)


def _crossings(slices: list[Slice]) -> Iterator[tuple[int, bool, Slice]]:
    """Where the thread enters a slice (True) and leaves it, in the order of time."""
    opened: list[tuple[int, Slice]] = []
    for each in sorted(slices, key=lambda e: (_ns(e["ts"]), -_ns(e["dur"]))):
        begin = _ns(each["ts"])
        while opened and opened[-1][0] <= begin:
            end, over = opened.pop()
            yield end, False, over
        yield begin, True, each
        opened.append((begin + _ns(each["dur"]), each))
    while opened:
        end, over = opened.pop()
        yield end, False, over


class _Regions:
    """The regions of an archive, by the names of slices."""

    def __init__(self, otf2: Any, definitions: Any) -> None:
        self._otf2 = otf2
        self._definitions = definitions
        self._known: dict[str, Any] = {}

    def of(self, each: Slice) -> Any:
        name = "chunk of " + each["name"] if each["cat"] == "chunk" else each["name"]
        if name not in self._known:
            self._known[name] = self._make(name)
        return self._known[name]

    def _make(self, name: str) -> Any:
        enums = self._otf2.enums
        place = _NAME.fullmatch(name)
        role = _ROLES.get(name.split(" ", 1)[0], "UNKNOWN")
        return self._definitions.region(
            name,
            region_role=getattr(enums.RegionRole, role),
            paradigm=enums.Paradigm.OPENMP,
            source_file=place["file"] if place else "",
            begin_line_number=int(place["line"]) if place else 0,
        )


def write_archive(trace: Path, folder: Path) -> int:
    """Writes the archive into a new folder, and returns how many slices it has."""
    otf2 = _library()
    names: dict[Track, str] = {}
    slices: dict[Track, list[Slice]] = defaultdict(list)
    for event in _read(trace):
        track = event["pid"], event["tid"]
        if event["ph"] == "M":
            names[track] = event["args"]["name"]
        else:
            slices[track].append(event)
    threads = [track for track in sorted(slices) if names[track].startswith("OpenMP thread")]
    with otf2.writer.open(str(folder), timer_resolution=_PER_SECOND) as archive:
        definitions = archive.definitions
        machine = definitions.system_tree_node("machine", class_name="machine")
        regions = _Regions(otf2, definitions)
        groups = {
            process: definitions.location_group(
                f"{names[process, 0]} ({process})", system_tree_parent=machine
            )
            for process, _ in threads
        }
        for track in threads:
            location = definitions.location(names[track], group=groups[track[0]])
            writer = archive.event_writer_from_location(location)
            for time, enters, each in _crossings(slices[track]):
                (writer.enter if enters else writer.leave)(time, regions.of(each))
    return sum(len(slices[track]) for track in threads)
