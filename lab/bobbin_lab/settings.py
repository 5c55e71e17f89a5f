# SPDX-License-Identifier: Apache-2.0
"""The settings that `advise` tries: runtimes, and what their users trade about them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bobbin_lab.places import LIBRARY
from bobbin_lab.runtimes import MissingError, Runtime, known_runtimes, present


@dataclass(frozen=True)
class Setting:
    """A runtime with variables of the environment."""

    runtime: Runtime
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " ".join([self.runtime.name, *(f"{k}={v}" for k, v in self.variables.items())])

    def command(self, argv: Sequence[str]) -> str:
        """What the user would type."""
        words = [f"{k}={v}" for k, v in self.variables.items()]
        if self.runtime.name == "bobbin":
            words += ["bobbin", "run"]
        elif self.runtime.preload:
            words.append(f"LD_PRELOAD={self.runtime.environment()['LD_PRELOAD']}")
        return " ".join([*words, *argv])


def _policies(threads: int) -> list[dict[str, str]]:
    """What may suit a program better on any runtime."""
    policies = [
        {"OMP_WAIT_POLICY": "passive"},
        {"OMP_WAIT_POLICY": "active"},
        {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
        {"OMP_DYNAMIC": "true"},
    ]
    fewer = {threads // 2, 1} - {0, threads}
    return policies + [{"OMP_NUM_THREADS": str(n)} for n in sorted(fewer, reverse=True)]


def _of_bobbin(library: Path) -> list[dict[str, str]]:
    """Bobbin's own, as far as this build has them."""
    known = library.read_bytes() if library.is_file() else b""
    wanted = [
        ("BOBBIN_PROVIDER", "kernel"),
        ("BOBBIN_SHARE", "fair"),
        ("BOBBIN_TASK_POLICY", "creation=breadth-first"),
        ("BOBBIN_TASK_POLICY", "creation=work-first"),
    ]
    return [{name: value} for name, value in wanted if name.encode() in known]


def _needed(program: str) -> str:
    """The libraries that a program names; nothing for a script, whose interpreter loads them."""
    path = shutil.which(program)
    if path is None:
        raise MissingError(f"there is no program {program}")
    done = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=False)
    return done.stdout


def fitting(program: str) -> list[Runtime]:
    """The runtimes that are present and can serve the program. A program built by clang or icx
    binds to names that libgomp has not.
    """
    known = known_runtimes()
    runtimes = [known[name] for name in present()]
    needed = _needed(program)
    if "libomp.so" in needed or "libiomp5.so" in needed:
        runtimes = [runtime for runtime in runtimes if runtime.name != "gomp"]
    return runtimes


def candidates(program: str, policies: bool = True) -> list[Setting]:
    """The runtimes as they are, then each with each policy."""
    runtimes = fitting(program)
    settings = [Setting(runtime) for runtime in runtimes]
    if not policies:
        return settings
    threads = len(os.sched_getaffinity(0))
    for runtime in runtimes:
        own = _of_bobbin(LIBRARY / "libbobbin.so.1") if runtime.name == "bobbin" else []
        settings += [Setting(runtime, policy) for policy in [*_policies(threads), *own]]
    return settings
