# SPDX-License-Identifier: Apache-2.0
"""Where this copy of Bobbin keeps its programs and libraries."""

from __future__ import annotations

import os
from pathlib import Path

# The source tree, when the package is used from one.
_SOURCE = Path(__file__).resolve().parents[2]
_BUILD = _SOURCE / "build" / "release"


def _place(variable: str, otherwise: Path) -> Path:
    """`bobbin lab` passes where things lie beside it; without it, the release build serves."""
    return Path(os.environ.get(variable, otherwise))


PROGRAMS = _place("BOBBIN_LAB_PROGRAMS", _BUILD / "bench")
LIBRARY = _place("BOBBIN_LAB_LIBRARY", _BUILD / "lib")
NAMES = _place("BOBBIN_LAB_NAMES", _BUILD / "lib" / "compat")


def cache() -> Path:
    """A folder for what is drawn or generated once and used again."""
    if (_SOURCE / "build").is_dir():
        return _SOURCE / "build"
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return home / "bobbin-lab"


def program(name: str) -> str:
    """The path of a benchmark program."""
    return str(PROGRAMS / name)
