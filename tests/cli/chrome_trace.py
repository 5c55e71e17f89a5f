# SPDX-License-Identifier: Apache-2.0
"""The rules of Chrome's trace format (Trace Event Format), as far as Bobbin uses it. A viewer leaves
out what breaks them, mostly without a word.
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

Event = dict[str, Any]
Track = tuple[int, int]  # process, thread

# The fields that an event of each phase has, all of them.
_PLACE = {"ph", "name", "pid", "tid"}
_FIELDS = {
    "X": _PLACE | {"cat", "ts", "dur", "args"},
    "M": _PLACE | {"args"},
    "C": _PLACE | {"ts", "args"},
    "s": _PLACE | {"cat", "ts", "id", "bp"},
    "f": _PLACE | {"cat", "ts", "id", "bp"},
}


def _track(event: Event) -> Track:
    return event["pid"], event["tid"]


def _ns(microseconds: float) -> int:
    return round(microseconds * 1000)


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value >= 0


def _check_fields(event: Event) -> None:
    assert event.keys() == _FIELDS[event["ph"]], event
    assert isinstance(event["name"], str), event
    assert event["name"], event
    assert all(isinstance(event[field], int) for field in ("pid", "tid")), event
    assert all(_is_time(event[field]) for field in ("ts", "dur") if field in event), event


def _check_names(events: Sequence[Event]) -> None:
    """Each track with slices has one name, and so has its process."""
    names: dict[tuple[str, Track], str] = {}
    for event in events:
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name"), event
            key = event["name"], _track(event)
            assert key not in names, event
            names[key] = event["args"]["name"]
            assert names[key], event
    for process, thread in {_track(event) for event in events if event["ph"] == "X"}:
        assert ("thread_name", (process, thread)) in names
        assert ("process_name", (process, 0)) in names


def _check_counters(events: Sequence[Event]) -> None:
    """Each counter goes forward in time, and has a number at each."""
    latest: dict[tuple[int, str], float] = defaultdict(float)
    for event in (event for event in events if event["ph"] == "C"):
        assert all(isinstance(value, int | float) for value in event["args"].values()), event
        key = event["pid"], event["name"]
        assert event["ts"] >= latest[key], event
        latest[key] = event["ts"]


def _outermost(slices: Sequence[Event]) -> list[tuple[int, int]]:
    """The times that slices cover, in order."""
    found: list[tuple[int, int]] = []
    for event in sorted(slices, key=lambda e: _ns(e["ts"])):
        begin, end = _ns(event["ts"]), _ns(event["ts"]) + _ns(event["dur"])
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found


def _check_arrows(events: Sequence[Event]) -> None:
    """Each has one begin and one end, not before it, and both are bound to slices around them."""
    slices: dict[Track, list[Event]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            slices[_track(event)].append(event)
    covered = {track: _outermost(own) for track, own in slices.items()}
    ends: dict[tuple[str, int], dict[str, Event]] = defaultdict(dict)
    for event in (event for event in events if event["ph"] in "sf"):
        assert event["bp"] == "e", event
        pair = ends[event["cat"], event["id"]]
        assert event["ph"] not in pair, event
        pair[event["ph"]] = event
        times = covered.get(_track(event), [])
        place = bisect.bisect_right(times, (_ns(event["ts"]), math.inf)) - 1
        assert place >= 0, event
        assert times[place][0] <= _ns(event["ts"]) <= times[place][1], event
    for pair in ends.values():
        assert pair.keys() == {"s", "f"}, pair
        assert pair["s"]["name"] == pair["f"]["name"], pair
        assert pair["s"]["ts"] <= pair["f"]["ts"], pair


def check_format(trace: dict[str, Any]) -> None:
    assert trace.keys() == {"displayTimeUnit", "otherData", "traceEvents"}
    assert trace["displayTimeUnit"] in ("ms", "ns")
    events = trace["traceEvents"]
    for event in events:
        _check_fields(event)
    _check_names(events)
    _check_counters(events)
    _check_arrows(events)
