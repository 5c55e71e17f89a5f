# SPDX-License-Identifier: Apache-2.0
"""Where this copy of Bobbin keeps its programs and libraries."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path

# The source tree, when the package is used from one.
_SOURCE = Path(__file__).resolve().parents[2]
_BUILD = _SOURCE / "build" / "release"


def _place(variable: str, otherwise: Path) -> Path:
    """`bobbin lab` passes where things lie beside it; without it, the release build serves."""
    return Path(os.environ.get(variable, otherwise))


COMMAND = _place("BOBBIN_LAB_COMMAND", _BUILD / "bin" / "bobbin")
PROGRAMS = _place("BOBBIN_LAB_PROGRAMS", _BUILD / "bench")
LIBRARY = _place("BOBBIN_LAB_LIBRARY", _BUILD / "lib")
NAMES = _place("BOBBIN_LAB_NAMES", _BUILD / "lib" / "compat")
# From PyPI, by scripts/setup mkl, which an installed lab does not have.
SETUP = (_SOURCE / "scripts" / "setup").is_file()
LIBIOMP5 = _SOURCE / "build" / "mkl" / "lib" / "libiomp5.so"


def cache() -> Path:
    """A folder for what is drawn or generated once and used again."""
    if (_SOURCE / "build").is_dir():
        return _SOURCE / "build"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = given if given.is_absolute() else Path.home() / ".cache"  # as its specification has it
    return home / "bobbin-lab"


class Compiler(StrEnum):
    """Who built the programs, and so by which names they call the runtime."""

    GCC = "gcc"
    CLANG = "clang"


def program(name: str, compiler: Compiler = Compiler.GCC) -> str:
    """The path of a benchmark program."""
    folder = PROGRAMS / "clang" if compiler is Compiler.CLANG else PROGRAMS
    return str(folder / name)
