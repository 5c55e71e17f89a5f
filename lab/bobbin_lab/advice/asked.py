# SPDX-License-Identifier: Apache-2.0
"""The command for which advice is asked, and the variables that the user has set for it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bobbin_lab.runtimes import MissingError, dry_run

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_OPENMP = ("OMP_", "GOMP_", "KMP_", "LIBOMP_", "BOBBIN_")


def is_openmp(name: str) -> bool:
    return name.startswith(_OPENMP) and not name.startswith("BOBBIN_LAB_")


@dataclass(frozen=True)
class Asked:
    words: tuple[str, ...]  # the program and its arguments
    written: Mapping[str, str] = field(default_factory=dict)  # as `env NAME=VALUE`
    inherited: Mapping[str, str] = field(default_factory=dict)  # from the environment
    preload: str = ""  # the user's own LD_PRELOAD
    on_bobbin: bool = False

    @property
    def variables(self) -> dict[str, str]:
        """All variables that the program gets, from either source."""
        return {**self.inherited, **self.written}

    @property
    def openmp(self) -> dict[str, str]:
        return {name: value for name, value in self.variables.items() if is_openmp(name)}


def _parted(words: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Splits leading `env NAME=VALUE ...`, or leading assignments alone, from the rest. An `env`
    with options counts as the program itself.
    """
    first = 1 if Path(words[0]).name == "env" else 0
    end = first
    while end < len(words) and _ASSIGNMENT.fullmatch(words[end]):
        end += 1
    rest = words[end + 1 :] if first and words[end : end + 1] == ["--"] else words[end:]
    if not rest or (first and rest[0].startswith("-")):
        return {}, tuple(words)
    return dict(word.split("=", 1) for word in words[first:end]), tuple(rest)


def _runs_bobbin(words: Sequence[str]) -> bool:
    return len(words) > 2 and Path(words[0]).name == "bobbin" and words[1] == "run"


def asked(words: Sequence[str], environment: Mapping[str, str] = os.environ) -> Asked:
    """Reads the words of a command line."""
    written, rest = _parted(list(words))
    on_bobbin = _runs_bobbin(rest)
    if on_bobbin:
        done = dry_run(*rest[2:])
        if done.returncode != 0:
            raise MissingError(done.stderr.strip() or "`bobbin run --help` is no program's command")
        settings, rest = _parted(shlex.split(done.stdout))
        del settings["LD_PRELOAD"]
        written.update(settings)
    return Asked(
        rest,
        {name: value for name, value in written.items() if name != "LD_PRELOAD"},
        {name: value for name, value in environment.items() if is_openmp(name)},
        written.get("LD_PRELOAD", environment.get("LD_PRELOAD", "")),
        on_bobbin,
    )
