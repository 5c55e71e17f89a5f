# SPDX-License-Identifier: Apache-2.0
"""Starts the lab from a wheel: finds the installed Bobbin, and compiles the benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import bobbin_openmp

_SOURCE = Path(__file__).resolve().parent / "source"
_OWN_FAILURE = 125  # as the command's own
# These need benchmarks, except where they only tell something.
_MEASURING = {"run", "paper", "advise"}
_TELLING = {"--help", "list"}


def _fail(text: str) -> NoReturn:
    print(f"bobbin lab: {text}", file=sys.stderr)
    sys.exit(_OWN_FAILURE)


def _tool(name: str) -> str:
    """Beside this Python, where pip has put it, or in PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    return found or _fail(f"there is no {name}: pip install {name}")


def _cache() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = given if given.is_absolute() else Path.home() / ".cache"
    return home / "bobbin-lab" / f"programs-{version('bobbin-lab')}"


def _compile(folder: Path) -> None:
    done = folder / "complete"
    if done.exists():
        return
    if shutil.which("gcc") is None or shutil.which("g++") is None:
        _fail("the benchmarks are compiled here, by gcc and g++, which are not both in PATH; on "
              "Debian and Ubuntu: apt-get install gcc g++")
    print(f"bobbin lab: compiling the benchmarks into {folder}, once", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.txt"
    cmake = _tool("cmake")
    configure = [
        cmake, "-S", str(_SOURCE), "-B", str(folder), "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}", f"-DBOBBIN={bobbin_openmp.COMMAND}",
        f"-DBOBBIN_LIBRARY={bobbin_openmp.NAMES.parent / 'libbobbin.so.1'}",
    ]
    with log.open("w") as output:
        for command in (configure, [cmake, "--build", str(folder)]):
            if subprocess.run(command, stdout=output, stderr=output, check=False).returncode != 0:
                _fail(f"the benchmarks could not be compiled; {log} says why")
    done.touch()


def main(words: list[str] | None = None) -> None:
    words = sys.argv[1:] if words is None else words
    programs = _cache()
    if words and words[0] in _MEASURING and not _TELLING.intersection(words):
        _compile(programs)
    os.environ |= {
        "BOBBIN_LAB_COMMAND": str(bobbin_openmp.COMMAND),
        "BOBBIN_LAB_PROGRAMS": str(programs / "bench"),
        "BOBBIN_LAB_LIBRARY": str(bobbin_openmp.NAMES.parent),
        "BOBBIN_LAB_NAMES": str(bobbin_openmp.NAMES),
        "BOBBIN_LAB_VERSION": version("bobbin-lab"),
    }
    sys.argv[1:] = words
    # The lab reads these variables when it is imported.
    from bobbin_lab.app import main as lab

    lab()
