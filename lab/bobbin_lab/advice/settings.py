# SPDX-License-Identifier: Apache-2.0
"""A setting under which a program is run, and the words by which a user would type it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.look import FOLDER, PROBE
from bobbin_lab.places import COMMAND
from bobbin_lab.runtimes import Runtime, dry_run, known_runtimes

THREADS = "OMP_NUM_THREADS"


class NotServedError(Exception):
    """No runtime can be preloaded into the program. Has the status of `bobbin run` for this."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


@dataclass(frozen=True)
class Setting:
    """A runtime, with the variables that differ from those that the user has set."""

    runtime: Runtime
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.variables.items())

    @property
    def name(self) -> str:
        return f"{self.runtime.title} {self.words}".strip()

    @property
    def tries_threads(self) -> bool:
        return THREADS in self.variables

    def command(self, asked: Asked) -> str:
        """The command that the user would type, with all that was set for the program."""
        variables = {**asked.variables, **self.variables}
        words = list(asked.words)
        if self.runtime.name == "bobbin":
            words = [_bobbin(), "run", *words]
        elif self.runtime.preload:
            preload = [*map(str, self.runtime.preload), *filter(None, [asked.preload])]
            variables["LD_PRELOAD"] = ":".join(preload)
        # The shell takes it for an assignment only if its name is not quoted.
        given = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
        return " ".join([*given, shlex.join(words)])


def _bobbin() -> str:
    """The path by which this shell finds it."""
    found = shutil.which("bobbin")
    return "bobbin" if found and Path(found).resolve() == COMMAND.resolve() else str(COMMAND)


def environment(setting: Setting, asked: Asked, folder: Path | None = None) -> dict[str, str]:
    """The environment of a run. With a folder, the run's regions are recorded there."""
    variables = {**asked.variables, **setting.variables}
    preload = [str(path) for path in setting.runtime.preload]
    if folder is not None:
        variables[FOLDER] = str(folder)
        first = [str(path) for path in _before_all(asked)]
        preload = [*first, str(PROBE), *(path for path in preload if path not in first)]
    preload += [asked.preload] if asked.preload else []
    if preload:
        variables["LD_PRELOAD"] = ":".join(preload)
    return variables


def _before_all(asked: Asked) -> list[Path]:
    """A library that the program needs before all others: AddressSanitizer's."""
    bobbin = known_runtimes(of=asked.words[0])["bobbin"]
    return [path for path in bobbin.preload if not path.is_absolute()]


def must_be_served(program: str) -> None:
    """A program that cannot run on Bobbin cannot run on any preloaded library: all its figures
    would be those of one runtime.
    """
    done = dry_run("--", program)
    if done.returncode == 0:
        return
    text = done.stderr.strip().removeprefix("bobbin run: ")
    if not Path(program).exists() and len(program.split()) > 1:
        text += "; give the program and its arguments as words of their own, without quotes"
    raise NotServedError(text, done.returncode)


def as_it_is(asked: Asked) -> Setting:
    """The user's present setting."""
    if asked.on_bobbin:
        return Setting(known_runtimes(of=asked.words[0])["bobbin"])
    return Setting(Runtime("own", "as it is"))
