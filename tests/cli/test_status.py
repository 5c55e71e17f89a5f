# SPDX-License-Identifier: Apache-2.0
"""bobbin status: which runtime a running process uses, by what it has mapped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conftest import PRELOADED, Compile, clean_environment, run

# Waits for its input after it has loaded the libraries named.
HOLD = (
    "import ctypes, sys; [ctypes.CDLL(p) for p in sys.argv[1:]]; print('up', flush=True); input()"
)


@contextmanager
def held(*words: str | Path, **variables: str) -> Iterator[str]:
    """The id of a process that waits."""
    process = subprocess.Popen(
        [str(word) for word in words],
        env=clean_environment() | variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        yield str(process.pid)
    finally:
        process.communicate("\n")


def test_process_of_bobbin_run(bobbin: Path, library: Path, system_libgomp: Path) -> None:
    program = (sys.executable, "-c", HOLD)
    with held(bobbin, "run", "-n", "3", *program, "libgomp.so.1") as process:
        result = run(bobbin, "status", process)
        assert result.returncode == 0, result.stdout
        assert f"Bobbin  {library.resolve()}" in result.stdout
        assert "started with OMP_NUM_THREADS=3\n" in result.stdout
        assert "It runs on Bobbin.\n" in result.stdout
    with held(bobbin, "run", *program, system_libgomp) as process:
        result = run(bobbin, "status", process)
        assert result.returncode == 0
        assert f"GNU     {system_libgomp}" in result.stdout
        assert "Bobbin gets their calls" in result.stdout


def test_process_that_loads_bobbin_itself(
    bobbin: Path, compat: Path, system_libgomp: Path, tmp_path: Path
) -> None:
    """As bobbin_openmp.enable(restart=False) does, and then a wheel with a renamed libgomp."""
    renamed = tmp_path / "libgomp-a34b3233.so.1.0.0"
    shutil.copy(system_libgomp, renamed)
    load = HOLD.replace("CDLL(p)", "CDLL(p, mode=ctypes.RTLD_GLOBAL)")
    with held(sys.executable, "-c", load, *(compat.parent / n for n in PRELOADED), renamed) as id_:
        result = run(bobbin, "status", id_)
        assert result.returncode == 0, result.stdout
        assert f"GNU     {renamed}" in result.stdout
        assert "It runs on Bobbin, which it has loaded itself" in result.stdout
    with held(sys.executable, "-c", load, compat.parent / PRELOADED[0], renamed) as id_:
        result = run(bobbin, "status", id_)
        assert result.returncode == 1
        assert "each may serve a part" in result.stdout


def test_process_without_bobbin(bobbin: Path, system_libgomp: Path, library: Path) -> None:
    with held(sys.executable, "-c", HOLD, system_libgomp) as process:
        result = run(bobbin, "status", process)
        assert result.returncode == 1
        assert "start it again by `bobbin run`" in result.stdout
    with held(sys.executable, "-c", HOLD, system_libgomp, library) as process:
        result = run(bobbin, "status", process)
        assert result.returncode == 1
        assert "each may serve a part" in result.stdout
    with held(sys.executable, "-c", HOLD) as process:
        assert "no OpenMP runtime so far" in run(bobbin, "status", process).stdout


def test_static_libgomp_is_told(bobbin: Path, static_libgomp: Compile) -> None:
    program = static_libgomp("holds_team.c")
    with held(program) as process:
        result = run(bobbin, "status", process)
        assert result.returncode == 1
        assert "linked into the program" in result.stdout


def test_what_is_no_process(bobbin: Path) -> None:
    highest = int(Path("/proc/sys/kernel/pid_max").read_text())
    result = run(bobbin, "status", str(highest + 1), str(os.getpid()))
    assert result.returncode == 127
    assert "there is no such process" in result.stderr
    assert f"{os.getpid()} " in result.stdout  # the others are told all the same
    for word in ("0", "-1", "me", ""):
        assert run(bobbin, "status", word).returncode == 125
    assert run(bobbin, "status").returncode == 125
