# SPDX-License-Identifier: Apache-2.0
"""A control group with a cpu quota, like a container's, in which programs are run."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bobbin_lab.runtimes import MissingError

_PERIOD_US = 100_000  # the period of Docker and Kubernetes


@dataclass(frozen=True)
class Hierarchy:
    """A mounted hierarchy of control groups; the one that has the cpu controller."""

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


def _do(rights: tuple[str, ...], *command: str | Path, given: str = "") -> None:
    done = subprocess.run(
        [*rights, *command], input=given, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
        raise MissingError(
            f"no quota can be set: {said[0]} (root may, and who has sudo without a password, "
            "outside of a container)"
        )


def _rights(mount: Path) -> tuple[str, ...]:
    """The words that precede a command that changes these groups."""
    if os.access(mount, os.W_OK) or shutil.which("sudo") is None:
        return ()
    # A password typed for another command does not count, because sudo may ask again at any time.
    asked = subprocess.run(["sudo", "-n", "-k", "true"], capture_output=True, check=False)
    return ("sudo", "-n") if asked.returncode == 0 else ()


@dataclass(frozen=True)
class Group:
    """Processes that together get a limited share of the machine's processor time."""

    path: Path
    rights: tuple[str, ...] = ()

    def enter(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The command that runs `argv` in the group, as the same user."""
        join = shlex.join([*self.rights, "tee", str(self.path / "cgroup.procs")])
        return ("sh", "-c", f'echo $$ | {join} >/dev/null && exec "$@"', "sh", *argv)

    def write(self, name: str, value: str) -> None:
        _do(self.rights, "tee", self.path / name, given=f"{value}\n")

    def limit(self, version: int, processors: float) -> None:
        quota_us = round(processors * _PERIOD_US)
        if version == 1:
            self.write("cpu.cfs_period_us", f"{_PERIOD_US}")
            self.write("cpu.cfs_quota_us", f"{quota_us}")
        else:
            self.write("cpu.max", f"{quota_us} {_PERIOD_US}")

    def remove(self) -> None:
        """Removes the group when its last process has ended; a killed process takes a moment."""
        for _ in range(100):
            if not self.path.exists():
                return
            with contextlib.suppress(MissingError):
                _do(self.rights, "rmdir", self.path)
                return
            time.sleep(0.01)


@contextlib.contextmanager
def limited(processors: float) -> Iterator[Group]:
    """Makes a group that lasts as long as the context. `processors` is a number such as 1.5."""
    found = hierarchy(Path("/proc/self/mountinfo").read_text())
    if found is None:
        raise MissingError("no control groups with the cpu controller are mounted here")
    rights = _rights(found.mount)
    group = Group(found.mount / f"bobbin-lab-{os.getpid()}", rights)
    try:
        if found.version == 2:
            Group(found.mount, rights).write("cgroup.subtree_control", "+cpu")
        _do(rights, "mkdir", group.path)
        group.limit(found.version, processors)
        _do((), *group.enter(("true",)))  # may be forbidden even to the group's maker
        yield group
    finally:
        group.remove()
