# SPDX-License-Identifier: Apache-2.0
"""Arguments of a benchmark program, as words NAME=VALUE or NAME=VALUE,VALUE,..."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache

from bobbin_lab.runtimes import MissingError

# Every program names its arguments so in its usage (bench/common.h).
_NAMED = re.compile(r"\[(\w+)=")

Values = tuple[str, ...]


class ArgumentError(Exception):
    """An argument that a benchmark does not have, or that is no argument."""


@cache
def known(program: str) -> tuple[str, ...]:
    """The names of the program's arguments."""
    try:
        done = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    except OSError as failure:
        raise MissingError(f"{program}: {failure.strerror}") from failure
    return tuple(dict.fromkeys(_NAMED.findall(done.stdout)))


def parse(words: Sequence[str]) -> dict[str, Values]:
    """Each argument with its values: one, or several to be measured one by one."""
    found: dict[str, Values] = {}
    for word in words:
        name, equals, text = word.partition("=")
        values = tuple(text.split(","))
        if not equals or not name or not all(values):
            raise ArgumentError(f"{word!r} is no argument: NAME=VALUE or NAME=VALUE,... is wanted")
        if name in found:
            raise ArgumentError(f"the argument {name} is given twice")
        if len(set(values)) < len(values):
            raise ArgumentError(f"{word!r} holds a value twice")
        found[name] = values
    return found


def must_know(program: str, names: Sequence[str], benchmark: str) -> None:
    """Refuses arguments that the program does not have."""
    for name in names:
        if name not in known(program):
            listed = ", ".join(known(program)) or "none"
            raise ArgumentError(f"{benchmark} has no argument {name}; its arguments: {listed}")


def with_values(words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """The words with these values: in the place of others of the same name, or behind all."""
    kept = [f"{n}={values[n]}" if (n := w.partition("=")[0]) in values else w for w in words]
    there = {word.partition("=")[0] for word in words}
    return (*kept, *(f"{name}={value}" for name, value in values.items() if name not in there))
