# SPDX-License-Identifier: Apache-2.0
"""The settings that `advise` tries: runtimes, and what their users trade about them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bobbin_lab.runtimes import MissingError, Runtime, dry_run, known_runtimes, present


class NotServedError(Exception):
    """No runtime can be put under the program; with the status that `bobbin run` has for that."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


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
        variables = dict(self.variables)
        command = ["bobbin", "run"] if self.runtime.name == "bobbin" else []
        if self.runtime.preload and not command:
            variables["LD_PRELOAD"] = self.runtime.environment()["LD_PRELOAD"]
        # Unlike a word, an assignment counts as one only with its name unquoted.
        words = [f"{k}={shlex.quote(v)}" for k, v in variables.items()]
        return " ".join([*words, shlex.join([*command, *argv])])


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


_OF_BOBBIN: list[dict[str, str]] = [
    {"BOBBIN_PROVIDER": "kernel"},
    {"BOBBIN_SHARE": "fair"},
    {"BOBBIN_TASK_POLICY": "creation=breadth-first"},
    {"BOBBIN_TASK_POLICY": "creation=work-first"},
]


def must_be_served(program: str) -> None:
    """What cannot run on Bobbin cannot run on any library that is preloaded: all its figures would
    be those of one runtime.
    """
    done = dry_run(program)
    if done.returncode == 0:
        return
    text = done.stderr.strip().removeprefix("bobbin run: ")
    if not Path(program).exists() and len(program.split()) > 1:
        text += "; give the program and its arguments as words of their own, without quotes"
    raise NotServedError(text, done.returncode)


def _needed(program: str) -> str:
    """The libraries that a program names; nothing for a script, whose interpreter loads them."""
    path = shutil.which(program) or program
    try:
        done = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise MissingError("readelf is missing: apt-get install binutils") from missing
    return done.stdout


def fitting(program: str) -> list[Runtime]:
    """The runtimes that are present and can serve the program. A program built by clang or icx
    binds to names that libgomp has not.
    """
    known = known_runtimes(of=program)
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
        own = _OF_BOBBIN if runtime.name == "bobbin" else []
        settings += [Setting(runtime, policy) for policy in [*_policies(threads), *own]]
    return settings
