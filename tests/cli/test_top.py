# SPDX-License-Identifier: Apache-2.0
"""bobbin top: the processes on Bobbin, and what they do."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Compile, Start, clean_environment, run

PATIENCE_S = 60
CLEAR = "\x1b[H\x1b[J"  # before each table in a terminal


@pytest.fixture
def hanging(bobbin: Path, compile_c: Compile) -> Iterator[subprocess.Popen[bytes]]:
    """Two regions: thread 1 of the outer one has an inner one, of three threads."""
    program = compile_c("hangs.c", "-g", "-fopenmp")
    process = subprocess.Popen(
        [bobbin, "run", program, "nested"], env=clean_environment()
    )
    yield process
    process.kill()
    process.wait()


def rows_of(table: str, process: int) -> list[str]:
    """The lines about a process."""
    found = re.search(rf"^ *{process} .*\n( {{10}}.*\n)*", table, re.MULTILINE)
    return found[0].splitlines() if found else []


def test_one_table(bobbin: Path, hanging: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        result = run(bobbin, "top", "--once", "--seconds", "0.2")
        first, *regions = rows_of(result.stdout, hanging.pid) or [""]
        if re.fullmatch(
            rf" *{hanging.pid} +0\.\d\d +\d+ +4 +0 +4 +0  .*hangs nested", first
        ):
            break
        assert time.monotonic() < end, result.stdout + result.stderr
    assert result.returncode == 0
    assert any(
        re.search(r"region at hangs\.c:\d+ \(nested\), 2 threads$", r) for r in regions
    )
    assert any(
        re.search(r"region at hangs\.c:\d+ \(missed_barrier\), 3 threads$", r)
        for r in regions
    )


class Tables:
    """bobbin top in a terminal."""

    def __init__(self, bobbin: Path, **variables: str) -> None:
        self._own, terminal = pty.openpty()
        self._top = subprocess.Popen(
            [bobbin, "top", "--seconds", "0.2"],
            stdout=terminal,
            env=clean_environment() | variables,
        )
        os.close(terminal)
        self._shown = ""

    def next(self) -> str:
        while self._shown.count(CLEAR) < 2:
            self._shown += os.read(self._own, 65536).decode(errors="replace")
        _, table, rest = self._shown.split(CLEAR, 2)
        self._shown = CLEAR + rest
        return table.replace("\r", "")

    def close(self) -> None:
        self._top.kill()
        self._top.wait()
        os.close(self._own)


def test_a_terminal_gets_table_after_table(
    bobbin: Path, hanging: subprocess.Popen[bytes]
) -> None:
    tables = Tables(bobbin)
    for _ in range(3):
        assert rows_of(tables.next(), hanging.pid)
    tables.close()


def test_ended_processes_are_not_shown(
    bobbin: Path, hanging: subprocess.Popen[bytes]
) -> None:
    hanging.kill()
    hanging.wait()
    result = run(bobbin, "top", "--once", "--seconds", "0.1")
    assert result.returncode in (0, 1)
    assert rows_of(result.stdout, hanging.pid) == []


def test_a_wrong_word_is_refused(bobbin: Path) -> None:
    result = run(bobbin, "top", "--seconds", "no")
    assert result.returncode == 125
    assert "a number of seconds above 0" in result.stderr


def test_known_processes_are_not_read_again(
    bobbin: Path,
    hanging: subprocess.Popen[bytes],
    compile_c: Compile,
    start: Start,
    tmp_path: Path,
) -> None:
    teller = compile_c("opened_maps.c", "-shared", "-fPIC", name="libopened.so")
    log = tmp_path / "opened"
    sleeper = start("sleep", "600")
    end = time.monotonic() + PATIENCE_S
    once = (bobbin, "top", "--once", "--seconds", "0.2")
    while (
        len(rows_of(run(*once).stdout, hanging.pid)) < 3
    ):  # both of its regions are open
        assert time.monotonic() < end
    tables = Tables(bobbin, LD_PRELOAD=str(teller), OPENED_MAPS=str(log))
    for _ in range(4):
        assert rows_of(tables.next(), hanging.pid)
    tables.close()
    opened = log.read_text().split()
    assert opened.count(f"/proc/{sleeper.pid}/maps") == 1
    assert opened.count(f"/proc/{hanging.pid}/maps") == 1


def test_a_known_process_that_executes_a_program_on_bobbin(
    bobbin: Path, compile_c: Compile, start: Start, tmp_path: Path
) -> None:
    program = compile_c("hangs.c", "-g", "-fopenmp")
    go = tmp_path / "go"
    wait = f"until [ -e {go} ]; do sleep 0.05; done; exec {bobbin} run {program} nested"
    process = start("sh", "-c", wait)
    tables = Tables(bobbin)
    for _ in range(2):
        assert rows_of(tables.next(), process.pid) == []
    go.touch()
    end = time.monotonic() + PATIENCE_S
    while not rows_of(tables.next(), process.pid):
        assert time.monotonic() < end
    tables.close()
