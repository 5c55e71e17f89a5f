# SPDX-License-Identifier: Apache-2.0
"""The lab's own standard input, for a program that runs many times and reads it each time."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bobbin_lab.runtimes import MissingError


@dataclass(frozen=True)
class Rest:
    """The rest of an open file from a given position."""

    descriptor: int
    offset: int

    @contextlib.contextmanager
    def reopened(self) -> Iterator[BinaryIO]:
        """Opens it for a new reader, even if the file has lost its name since."""
        with Path(f"/proc/self/fd/{self.descriptor}").open("rb", buffering=0) as file:
            file.seek(self.offset)
            yield file


def given_input() -> Rest | None:
    """Returns None where there is nothing to read, or only a terminal."""
    if sys.stdin is None:  # it is closed
        return None
    descriptor = sys.stdin.fileno()
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        raise MissingError(
            "the standard input is a pipe, which only one run could read: "
            "give a file (< FILE), or nothing (< /dev/null)"
        )
    if not stat.S_ISREG(mode):
        return None
    return Rest(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR))
