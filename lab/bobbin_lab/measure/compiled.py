# SPDX-License-Identifier: Apache-2.0
"""Compiles the benchmarks when they are first needed, where the lab came with their sources."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NoReturn

_OWN_FAILURE = 125  # as the command's own
# These need benchmarks, except where they only tell something.
_MEASURING = {"run", "paper", "advise", "scale"}
_TELLING = {"--help", "list"}


def _fail(text: str) -> NoReturn:
    print(f"bobbin lab: {text}", file=sys.stderr)
    sys.exit(_OWN_FAILURE)


def are_needed(words: Sequence[str]) -> bool:
    measures = bool(words) and (words[0] in _MEASURING or "--measure-costs" in words)
    return measures and not _TELLING.intersection(words)


def _tool(name: str) -> str:
    """Beside this Python, where pip has put it, or in PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    return found or _fail(
        f"the benchmarks are compiled here, and there is no {name}: pip install {name}"
    )


def folder_for(sources: Path, command: Path, library: Path) -> Path:
    """One for each state of the sources, and for each place of the library that they name."""
    digest = hashlib.sha256(f"{command} {library}".encode())
    for path in sorted(path for path in sources.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(sources)).encode())
        digest.update(path.read_bytes())
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = given if given.is_absolute() else Path.home() / ".cache"
    return home / "bobbin-lab" / f"programs-{digest.hexdigest()[:12]}"


def _run_with_progress(words: Sequence[str], log: IO[str]) -> int:
    """On a terminal a line tells the time that is left, by what ninja says that it has built."""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    shown = sys.stderr.isatty()
    for line in process.stdout or ():
        log.write(line)
        counts = re.match(r"\[([1-9]\d*)/(\d+)\]", line)
        if shown and counts is not None:
            built, all_of_them = map(int, counts.groups())
            left = (time.monotonic() - begin) * (all_of_them - built) / built
            minutes, seconds = divmod(round(left), 60)
            progress = f"{built} of {all_of_them}, about {minutes}:{seconds:02d} left"
            print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return process.wait()


def compile_once(sources: Path, folder: Path, command: Path, library: Path) -> None:
    done = folder / "complete"
    if done.exists():
        return
    if shutil.which("gcc") is None or shutil.which("g++") is None:
        _fail(
            "the benchmarks are compiled here, by gcc and g++, which are not both in PATH; on "
            "Debian and Ubuntu: apt-get install gcc g++"
        )
    cmake, ninja = _tool("cmake"), _tool("ninja")
    print(f"bobbin lab: compiling the benchmarks into {folder}, once", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.txt"
    configure = [
        *(cmake, "-S", str(sources), "-B", str(folder), "-G", "Ninja"),
        *(f"-DCMAKE_MAKE_PROGRAM={ninja}", f"-DBOBBIN={command}", f"-DBOBBIN_LIBRARY={library}"),
    ]
    with log.open("w") as output:
        for words in (configure, [cmake, "--build", str(folder)]):
            if _run_with_progress(words, output) != 0:
                _fail(f"the benchmarks could not be compiled; {log} says why")
    done.touch()


def use_compiled(words: Sequence[str], sources: Path) -> None:
    """Where the programs lie elsewhere than beside the command, the variables then say so."""
    installed = Path(os.environ["BOBBIN_LAB_PROGRAMS"])
    if (installed / "region").exists() or not sources.is_dir():
        return
    command = Path(os.environ["BOBBIN_LAB_COMMAND"])
    library = Path(os.environ["BOBBIN_LAB_LIBRARY"]) / "libbobbin.so.1"
    folder = folder_for(sources, command, library)
    if are_needed(words):
        compile_once(sources, folder, command, library)
    simulator = folder / "bench" / "simulate"
    if (installed / "simulate").exists() and folder.is_dir() and not simulator.exists():
        simulator.parent.mkdir(exist_ok=True)
        simulator.symlink_to(installed / "simulate")
    if (folder / "complete").exists():
        os.environ["BOBBIN_LAB_PROGRAMS"] = str(folder / "bench")
