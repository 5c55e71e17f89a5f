# SPDX-License-Identifier: Apache-2.0
"""Starts the lab from a wheel: finds the installed Bobbin, and compiles the benchmarks."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

import bobbin_openmp

from bobbin_lab.measure import compiled

_SOURCE = Path(__file__).resolve().parent / "source"


def main(words: list[str] | None = None) -> None:
    words = sys.argv[1:] if words is None else words
    command, names = Path(bobbin_openmp.COMMAND), Path(bobbin_openmp.NAMES)
    library = names.parent / "libbobbin.so.1"
    programs = compiled.folder_for(_SOURCE, command, library)
    if compiled.are_needed(words):
        compiled.compile_once(_SOURCE, programs, command, library)
    os.environ |= {
        "BOBBIN_LAB_COMMAND": str(command),
        "BOBBIN_LAB_PROGRAMS": str(programs / "bench"),
        "BOBBIN_LAB_LIBRARY": str(names.parent),
        "BOBBIN_LAB_NAMES": str(names),
        "BOBBIN_LAB_VERSION": version("bobbin-lab"),
    }
    sys.argv[1:] = words
    # The lab reads these variables when it is imported.
    from bobbin_lab.app import main as lab

    lab()
