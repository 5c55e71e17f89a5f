# SPDX-License-Identifier: Apache-2.0
"""A control group with a cpu quota, as a container has one: for programs to be run in."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bobbin_lab.runtimes import MissingError

_PERIOD_US = 100_000  # what Docker and Kubernetes take


@dataclass(frozen=True)
class Hierarchy:
    """Of control groups, where it is mounted; the one that has the cpu controller."""

    version: int
    mount: Path


def hierarchy(mountinfo: str) -> Hierarchy | None:
    """From the text of /proc/self/mountinfo (proc_pid_mountinfo(5))."""
    unified = None
    for line in mountinfo.splitlines():
        where, _, what = line.partition(" - ")
        mount = Path(where.split()[4].encode().decode("unicode_escape"))
        kind, _, options = what.split(maxsplit=2)
        if kind == "cgroup" and "cpu" in options.split(","):
            return Hierarchy(1, mount)
        if kind == "cgroup2":
            controllers = mount / "cgroup.controllers"
            if controllers.is_file() and "cpu" in controllers.read_text().split():
                unified = Hierarchy(2, mount)
    return unified


@dataclass(frozen=True)
class Group:
    """Processes that together get a limited share of the machine's processor time."""

    path: Path

    def enter(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The command that runs `argv` in the group."""
        join_and_run = 'echo $$ > "$0" && exec "$@"'
        return ("sh", "-c", join_and_run, str(self.path / "cgroup.procs"), *argv)


def _limit(found: Hierarchy, path: Path, processors: float) -> None:
    quota_us = round(processors * _PERIOD_US)
    if found.version == 1:
        (path / "cpu.cfs_period_us").write_text(f"{_PERIOD_US}\n")
        (path / "cpu.cfs_quota_us").write_text(f"{quota_us}\n")
    else:
        (path / "cpu.max").write_text(f"{quota_us} {_PERIOD_US}\n")


def _remove(path: Path) -> None:
    """As soon as the last process has ended: one that was killed takes a moment."""
    for _ in range(100):
        if not path.exists():
            return
        with contextlib.suppress(OSError):
            path.rmdir()
            return
        time.sleep(0.01)


@contextlib.contextmanager
def limited(processors: float) -> Iterator[Group]:
    """A group of its own, for as long as the context lasts. `processors`: such as 1.5."""
    found = hierarchy(Path("/proc/self/mountinfo").read_text())
    if found is None:
        raise MissingError("no control groups with the cpu controller are mounted here")
    path = found.mount / f"bobbin-lab-{os.getpid()}"
    try:
        if found.version == 2:
            (found.mount / "cgroup.subtree_control").write_text("+cpu\n")
        path.mkdir()
        _limit(found, path, processors)
    except OSError as failure:
        _remove(path)
        raise MissingError(
            f"no quota can be set: {failure.strerror}: {path} (root may, outside of a container)"
        ) from failure
    try:
        yield Group(path)
    finally:
        _remove(path)
