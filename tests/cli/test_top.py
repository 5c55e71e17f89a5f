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
from conftest import Compile, clean_environment, run

PATIENCE_S = 60


@pytest.fixture
def hanging(bobbin: Path, compile_c: Compile) -> Iterator[subprocess.Popen[bytes]]:
    """Two regions: thread 1 of the outer one has an inner one, of three threads."""
    program = compile_c("hangs.c", "-g", "-fopenmp")
    process = subprocess.Popen([bobbin, "run", program, "nested"], env=clean_environment())
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
        if re.fullmatch(rf" *{hanging.pid} +0\.\d\d +\d+ +4 +0 +4 +0  .*hangs nested", first):
            break
        assert time.monotonic() < end, result.stdout + result.stderr
    assert result.returncode == 0
    assert any(re.search(r"region at hangs\.c:\d+ \(nested\), 2 threads$", r) for r in regions)
    assert any(re.search(r"region at hangs\.c:\d+ \(missed_barrier\), 3 threads$", r) for r in regions)


def test_a_terminal_gets_table_after_table(
    bobbin: Path, hanging: subprocess.Popen[bytes]
) -> None:
    own, terminal = pty.openpty()
    top = subprocess.Popen(
        [bobbin, "top", "--seconds", "0.1"], stdout=terminal, env=clean_environment()
    )
    os.close(terminal)
    shown = b""
    while shown.count(b"\x1b[H\x1b[J") < 3:
        shown += os.read(own, 65536)
    top.kill()
    top.wait()
    os.close(own)
    assert str(hanging.pid).encode() in shown


def test_ended_processes_are_not_shown(bobbin: Path, hanging: subprocess.Popen[bytes]) -> None:
    hanging.kill()
    hanging.wait()
    result = run(bobbin, "top", "--once", "--seconds", "0.1")
    assert result.returncode in (0, 1)
    assert rows_of(result.stdout, hanging.pid) == []


def test_a_wrong_word_is_refused(bobbin: Path) -> None:
    result = run(bobbin, "top", "--seconds", "no")
    assert result.returncode == 125
    assert "a number of seconds above 0" in result.stderr
