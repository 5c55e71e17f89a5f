# SPDX-License-Identifier: Apache-2.0
"""Bobbin, an OpenMP runtime: runs this program, or others, on it."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from pathlib import Path

__all__ = ["COMMAND", "NAMES", "active", "enable"]

_HERE = Path(__file__).resolve().parent
COMMAND = _HERE / "bin" / "bobbin"
# The folder of the libraries under whose names programs find Bobbin.
NAMES = _HERE / "lib" / "bobbin"

_LIBRARIES = ("libgomp.so.1", "bobbin-libomp.so.5", "bobbin-libomp.so", "bobbin-libiomp5.so")
_OTHERS = ("libgomp", "libomp", "libiomp5")
# It does not begin with BOBBIN_, because the runtime would take it for a setting.
_MARK = "_IS_RESTARTED_ON_BOBBIN"


def active() -> bool:
    """Whether this process is on Bobbin."""
    return hasattr(ctypes.CDLL(None), "bobbin_env_report")


def enable(*, restart: bool = True) -> None:
    """Puts this program on Bobbin. Call it first, before imports that load an OpenMP library.

    Starts the program again, as `bobbin run` does; this call does not return then. Everything that
    the program has done before is done twice. restart=False loads Bobbin into this process
    instead: code that is imported from now on uses it, but functions of the C library that Bobbin
    interposes stay the C library's (docs/conformance.md, "Interposed calls").

    Does nothing in a process that is on Bobbin. Raises RuntimeError where it cannot help, such as
    after an import that has loaded another OpenMP runtime.
    """
    restarted = os.environ.pop(_MARK, None)
    if active():
        return
    if not restart:
        _load()
        return
    if restarted is not None:
        raise RuntimeError(f"{sys.executable} was started on Bobbin, but has not loaded it")
    _refuse_beside_another()
    if obstacle := _obstacle_to_restart():
        raise RuntimeError(
            f"{obstacle}, so it cannot be started again. Start it by `bobbin run`, or call "
            "bobbin_openmp.enable(restart=False) before other imports"
        )
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.environ[_MARK] = "1"
    words = [str(COMMAND), "run", sys.executable, *sys.orig_argv[1:]]
    os.execv(COMMAND, words)


def _obstacle_to_restart() -> str | None:
    if hasattr(sys, "ps1") or "ipykernel" in sys.modules:
        return "this is an interactive session"
    if threading.active_count() > 1:
        return "the program has other threads already"
    if sys.argv[:1] in ([], [""], ["-"]):
        return "the program was read from standard input"
    return None


def _refuse_beside_another() -> None:
    """What the program has done with the other runtime would be done twice, or would stay there."""
    if present := _loaded_runtimes():
        raise RuntimeError(
            f"{present[0]} is in this process already; call bobbin_openmp.enable() before the "
            "import that loads it"
        )


def _load() -> None:
    _refuse_beside_another()
    for name in _LIBRARIES:
        ctypes.CDLL(str(NAMES / name), mode=ctypes.RTLD_GLOBAL)


def _loaded_runtimes() -> list[str]:
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip() for line in maps if "/" in line}
    return sorted(path for path in paths if Path(path).name.startswith(_OTHERS))
