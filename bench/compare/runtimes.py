# SPDX-License-Identifier: Apache-2.0
"""The runtimes an unmodified program can be made to use, and proof that it does."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
PROGRAMS = BUILD / "bench"
LIBRARY = BUILD / "lib"

# What an outer shell may have set and what would bend a comparison.
_CLEARED = ("OMP_", "GOMP_", "KMP_", "LIBOMP_", "BOBBIN_", "LD_PRELOAD")


class MissingError(Exception):
    """Something that a comparison needs is not there; the text says what to do."""


@dataclass(frozen=True)
class Runtime:
    name: str
    title: str
    preload: Path | None = None
    # Part of the path of the library that must serve the program's calls.
    served_by: str = ""
    hint: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    def available(self) -> bool:
        return self.preload is None or self.preload.exists()

    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_CLEARED)}
        if self.preload is not None:
            kept["LD_PRELOAD"] = str(self.preload)
        return {**kept, **self.env}


def _libomp() -> Path:
    found = sorted(Path("/usr/lib").glob("llvm-*/lib/libomp.so.5"), reverse=True)
    preferred = Path("/usr/lib/llvm-19/lib/libomp.so.5")
    return preferred if preferred in found or not found else found[0]


def known_runtimes(library: Path = LIBRARY) -> dict[str, Runtime]:
    runtimes = (
        Runtime("gomp", "libgomp", served_by="libgomp.so.1"),
        Runtime(
            "omp",
            "libomp",
            _libomp(),
            served_by="libomp",
            hint="apt-get install libomp-19-dev",
        ),
        Runtime(
            "bobbin",
            "Bobbin",
            library / "compat" / "libgomp.so.1",
            served_by=str(library),
            hint="cmake --preset release && cmake --build --preset release",
        ),
    )
    return {runtime.name: runtime for runtime in runtimes}


def program(name: str) -> str:
    """The path of a benchmark program."""
    return str(PROGRAMS / name)


def serving_library(runtime: Runtime, argv: tuple[str, ...]) -> str:
    """The file that GOMP_parallel is bound to when the program runs on the runtime."""
    env = {**runtime.environment(), "LD_DEBUG": "bindings", "LD_BIND_NOW": "1"}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=False)
    own = re.escape(argv[0])
    bound = re.search(rf"file {own} .* to (\S+) .*symbol `GOMP_parallel'", done.stderr)
    return bound.group(1) if bound else ""


def usable_runtimes(wanted: tuple[str, ...], library: Path = LIBRARY) -> dict[str, Runtime]:
    """Those of the wanted runtimes that are installed and really serve the programs."""
    probe = (program("region"), "op=parallel", "seconds=0.001")
    if not Path(probe[0]).exists():
        raise MissingError(
            f"{probe[0]} is missing: run `cmake --preset release && cmake --build --preset release`"
        )
    usable = {}
    for name in wanted:
        runtime = known_runtimes(library)[name]
        if not runtime.available():
            raise MissingError(f"{runtime.title}: no {runtime.preload} (try: {runtime.hint})")
        server = serving_library(runtime, probe)
        if runtime.served_by not in server:
            raise MissingError(
                f"{runtime.title}: the program's calls are served by {server or 'nothing'}"
            )
        usable[name] = runtime
    return usable
