# SPDX-License-Identifier: Apache-2.0
"""What bobbin profile --pid, stacks and top tell of a process whose loader is still at work."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import TIMEOUT_S, Compile, clean_environment, run

SMALLEST_PIPE = 4096


@dataclass
class Starting:
    """A process whose loader tells of each symbol that it looks for, while somebody reads that.

    It looks for those of the C library before those of Bobbin.
    """

    pid: int
    told: int

    def goes_on(self) -> None:
        while b"transferring control" not in self._line():
            continue

    def _line(self) -> bytes:
        return os.read(self.told, SMALLEST_PIPE)


@pytest.fixture
def starting(compile_c: Compile, library: Path) -> Iterator[Starting]:
    program = compile_c("attached.c", "-g", "-fopenmp")
    told, written = os.pipe()
    fcntl.fcntl(written, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)
    variables = {"LD_PRELOAD": str(library), "LD_DEBUG": "symbols"}
    process = subprocess.Popen(
        [program, "600"], env=clean_environment() | variables, stderr=written
    )
    os.close(written)
    maps = Path(f"/proc/{process.pid}/maps")
    end = time.monotonic() + TIMEOUT_S
    while "/libc.so" not in maps.read_text() or is_running(process.pid):
        assert time.monotonic() < end
        time.sleep(0.01)
    yield Starting(process.pid, told)
    process.kill()
    process.wait()
    os.close(told)


def skip_without_permission(problem: str) -> None:
    if "SYS_PTRACE" in problem or "ptrace_scope" in problem:
        pytest.skip("no look at processes here")


def is_running(process: int) -> bool:
    return Path(f"/proc/{process}/stat").read_text().rsplit(")")[1].split()[0] == "R"


def test_a_profile_waits(bobbin: Path, starting: Starting) -> None:
    profile = subprocess.Popen(
        [bobbin, "profile", "--pid", str(starting.pid), "--seconds", "2"],
        env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with pytest.raises(subprocess.TimeoutExpired):
        profile.communicate(timeout=1)
    starting.goes_on()
    told, problem = profile.communicate(timeout=TIMEOUT_S)
    skip_without_permission(problem)
    assert profile.returncode == 0, problem
    assert f"process {starting.pid}, " in told


@pytest.mark.parametrize("words", [("profile", "--pid"), ("stacks",)])
def test_the_wait_ends(
    bobbin: Path, starting: Starting, words: tuple[str, ...]
) -> None:
    result = run(bobbin, *words, str(starting.pid))
    skip_without_permission(result.stderr)
    assert result.returncode == 125
    assert (
        f"bobbin {words[0]}: {starting.pid}: it is still loading its libraries, after 10 s"
        in result.stderr
    )


def test_top_tells_it(bobbin: Path, starting: Starting) -> None:
    once = (bobbin, "top", "--once", "--seconds", "0.1")
    assert re.search(
        rf"^ *{starting.pid}  .*attached 600\n +it is starting: ",
        run(*once).stdout,
        re.MULTILINE,
    )
