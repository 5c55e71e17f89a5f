# SPDX-License-Identifier: Apache-2.0
"""Runs benchmark programs at small sizes: gcc's and clang's, on their own runtimes and Bobbin, and
translated ones."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

PROGRAMS = Path(os.environ.get("BOBBIN_PROGRAMS", "build/release/bench"))
PRELOAD = os.environ.get("BOBBIN_PRELOAD", "")
# Bobbin reports variables with its prefix that it does not know.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("BOBBIN_")}

RUNTIMES = {
    "libgomp": (PROGRAMS, ""),
    "bobbin": (PROGRAMS, PRELOAD),
    "libomp": (PROGRAMS / "clang", ""),
    "bobbin-clang": (PROGRAMS / "clang", PRELOAD),
}
# The target bench_translated builds them.
RUNTIMES |= {
    name: (folder, PRELOAD)
    for name, folder in (
        ("bobbin-translated", PROGRAMS / "translated"),
        ("bobbin-translated-clang", PROGRAMS / "clang/translated"),
    )
    if folder.is_dir()
}

# After so many seconds a program counts as hanging; other processes may load the machine.
PATIENCE_S = 600

Command = tuple[str, ...]
Words = dict[str, str]


def run(command: Command, runtime: str, threads: int) -> subprocess.CompletedProcess[str]:
    folder, preload = RUNTIMES[runtime]
    program = folder / command[0]
    if "bobbin" in runtime and not preload:
        pytest.skip("BOBBIN_PRELOAD names no library")
    if not program.exists() and folder.name == "clang":
        pytest.skip(f"no {program}")
    return subprocess.run(
        [program, *command[1:]],
        env={**ENVIRONMENT, "OMP_NUM_THREADS": str(threads), "LD_PRELOAD": preload},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def passes(command: Command, runtime: str, threads: int) -> list[Words]:
    """The figures of a run whose self-check must have passed; none where it skipped itself."""
    done = run(command, runtime, threads)
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.rstrip().splitlines()[-1]
    if last.startswith("check=skipped"):
        pytest.skip(last)
    assert last == "check=ok", done.stdout
    return metrics(done.stdout)


def metrics(output: str) -> list[Words]:
    """The lines `metric=NAME value=NUMBER unit=UNIT [KEY=VALUE...]`, each as a dictionary."""
    lines = [line for line in output.splitlines() if line.startswith("metric=")]
    return [dict(word.split("=", 1) for word in line.split()) for line in lines]


def suite(
    commands: list[Command], threads: list[int], runtimes: Iterable[str] = RUNTIMES
) -> Callable[..., None]:
    """A test of each command on each runtime at each number of threads."""

    @pytest.mark.parametrize("threads", threads)
    @pytest.mark.parametrize("runtime", runtimes)
    @pytest.mark.parametrize("command", commands, ids=" ".join)
    def test(command: Command, runtime: str, threads: int) -> None:
        passes(command, runtime, threads)

    return test
