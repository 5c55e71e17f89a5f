# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark program under the instrument of `bobbin run --profile`, and prints where its
threads spent their time as the figures of a benchmark:

    python profiled.py LIBRARY BOBBIN PROGRAM ARGUMENT...

The runtime is the one that the environment brings in. It must have the tools interface OMPT.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# The parts of a thread's time, and the rows of the profile that make them up.
_USER = ("work", "serial")
_TASKING = {
    "creation": ("task_creation",),
    "dependence-check": ("dependence_check",),
    "dependence-release": ("dependence_release",),
}
_REST = {
    "idle": ("barrier", "taskwait", "taskgroup", "dependence_wait", "idle"),
    "other": ("fork", "reduction", "critical", "lock", "ordered", "atomic"),
}
PARTS = {"user": _USER, **_TASKING, **_REST}
# A runtime that tells its tools nothing of these phases has them in the user's part.
PARTS_BY_OMPT = {"user": (*_USER, *(row for rows in _TASKING.values() for row in rows)), **_REST}
# What the cycles of a part are divided by.
OPERATIONS = {
    "user": "tasks",
    "creation": "tasks_deferred",
    "dependence-check": "tasks_dependent",
    "dependence-release": "tasks_dependent",
}
COUNTS = (
    "tasks",
    "tasks_deferred",
    "tasks_dependent",
    "tasks_undeferred",
    "tasks_elsewhere",
    "tasks_moved",
)


def figures(process: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a benchmark program for what the profile holds of a process."""
    total = process["total"]
    spent, counts = total["seconds"], total["counts"]
    parts = PARTS if process["runtime"] == "Bobbin" else PARTS_BY_OMPT
    for part, rows in parts.items():
        seconds = sum(spent[row] for row in rows)
        share = 100 * seconds / total["thread_seconds"]
        yield f"metric=share value={share:.6g} unit=% part={part}"
        yield f"metric=thread_ms value={1e3 * seconds:.6g} unit=ms part={part}"
        operations = counts[OPERATIONS[part]] if part in OPERATIONS else 0
        if operations:
            cycles = 1e9 * seconds * process["ticks_per_ns"] / operations
            yield f"metric=cycles value={cycles:.6g} unit=cycles part={part}"
    # Of the uts program, nodes: each but the root is a task.
    for number, thread in enumerate(process["threads"]):
        begun = thread["visits"].get("task", 0)
        yield f"metric=tasks_begun value={begun} unit=tasks thread={number}"
    for count in COUNTS:
        yield f"metric={count} value={counts[count]} unit=tasks"


def _recorded(folder: Path, bobbin: str) -> list[Mapping[str, Any]]:
    """What the instrument has recorded; nothing if the runtime has not begun it."""
    file = folder / "figures.json"
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    subprocess.run(
        [bobbin, "profile", "--json", str(file), str(folder)],
        env=environment,
        capture_output=True,
        check=False,
    )
    if not file.exists():
        return []
    processes: list[Mapping[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["processes"]
    return processes


def main(library: str, bobbin: str, *command: str) -> int:
    if not Path(library).is_file():
        print(f'check=skipped what="{library}"')
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**os.environ, "OMP_TOOL_LIBRARIES": library, "BOBBIN_RECORD": name}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        processes = _recorded(folder, bobbin)
    sys.stderr.write(done.stderr)
    if done.returncode != 0 or "check=skipped" in done.stdout:
        sys.stdout.write(done.stdout)
        return done.returncode
    if len(processes) != 1:
        sys.stdout.write('check=skipped what="a runtime with the tools interface OMPT"\n')
        return 0
    for line in figures(processes[0]):
        print(line)
    sys.stdout.write(done.stdout)  # its last line tells whether its result was right
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
