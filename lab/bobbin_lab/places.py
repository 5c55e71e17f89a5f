# SPDX-License-Identifier: Apache-2.0
"""The folders in which this copy of Bobbin keeps its programs and libraries."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

# The source tree, if the package is used from one.
SOURCE = Path(__file__).resolve().parents[2]
_BUILD = SOURCE / "build" / "release"


def _place(variable: str, otherwise: Path) -> Path:
    """`bobbin lab` passes the folders that lie beside it. Without it, the release build is used."""
    return Path(os.environ.get(variable, otherwise))


COMMAND = _place("BOBBIN_LAB_COMMAND", _BUILD / "bin" / "bobbin")
PROGRAMS = _place("BOBBIN_LAB_PROGRAMS", _BUILD / "bench")
LIBRARY = _place("BOBBIN_LAB_LIBRARY", _BUILD / "lib")
NAMES = _place("BOBBIN_LAB_NAMES", _BUILD / "lib" / "compat")
# From PyPI, by scripts/setup mkl; an installed lab does not have it.
SETUP = (SOURCE / "scripts" / "setup").is_file()
LIBIOMP5 = SOURCE / "build" / "mkl" / "lib" / "libiomp5.so"


def cache() -> Path:
    """A folder for files that are drawn or generated once and reused."""
    if (SOURCE / "build").is_dir():
        return SOURCE / "build"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = given if given.is_absolute() else Path.home() / ".cache"  # as its specification demands
    return home / "bobbin-lab"


class Compiler(StrEnum):
    """The compiler of the programs, which decides the names by which they call the runtime."""

    GCC = "gcc"
    CLANG = "clang"
    # By `bobbin cc --translate`, with the other one behind it.
    TRANSLATE_GCC = "translate-gcc"
    TRANSLATE_CLANG = "translate-clang"

    @property
    def translates(self) -> bool:
        return self in (Compiler.TRANSLATE_GCC, Compiler.TRANSLATE_CLANG)


def are_translated(compiler: Compiler) -> bool:
    """Whether the programs by `bobbin translate` are there. They have a target of their own."""
    return Path(program("region", compiler)).exists()


def program(name: str, compiler: Compiler = Compiler.GCC, *, inlined: bool = False) -> str:
    """The path of a benchmark program. `inlined`: the one that `bobbin cc` has built."""
    is_clang = compiler in (Compiler.CLANG, Compiler.TRANSLATE_CLANG)
    folder = PROGRAMS / "clang" if is_clang else PROGRAMS
    if compiler.translates:
        folder /= "translated"
    return str((folder / "inlined" if inlined else folder) / name)
