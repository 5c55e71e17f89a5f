# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of an installed lab, which are compiled when they are first needed."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2]
TOOL = """#!/bin/sh
[ "$1" = --build ] || exit 0
echo '[0/4] looking'
echo '[1/4] one'
sleep 2
echo '[2/4] two'
exit $STATUS
"""


def compile_once(tmp_path: Path, status: int) -> tuple[int, str]:
    """With a cmake of this test, on a terminal."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("cmake", "ninja", "gcc", "g++"):
        (tools / name).write_text(TOOL)
        (tools / name).chmod(0o755)
    call = (
        "from pathlib import Path; from bobbin_lab.measure import compiled; "
        "compiled._tool = lambda name: f'{Path.cwd()}/tools/{name}'; "
        "compiled.compile_once(*map(Path, ('sources', 'folder', 'bobbin', 'library')))"
    )
    own, terminal = pty.openpty()
    variables = {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": f"{SOURCE}/lab",
        "STATUS": str(status),
    }
    process = subprocess.Popen(
        [sys.executable, "-B", "-c", call], cwd=tmp_path, env=variables, stderr=terminal
    )
    os.close(terminal)
    said = b""
    try:
        while part := os.read(own, 4096):
            said += part
    except OSError:  # nobody writes any more
        pass
    os.close(own)
    return process.wait(), said.decode()


def test_the_time_that_is_left_is_told(tmp_path: Path) -> None:
    status, said = compile_once(tmp_path, 0)
    assert status == 0
    assert "compiling the benchmarks into folder, once" in said
    assert re.search(r"2 of 4, about 0:0[1-9] left", said)
    assert (tmp_path / "folder/complete").exists()
    assert (tmp_path / "folder/log.txt").read_text() == "[0/4] looking\n[1/4] one\n[2/4] two\n"


def test_what_fails_is_repeated(tmp_path: Path) -> None:
    status, said = compile_once(tmp_path, 1)
    assert status == 125
    assert "the benchmarks could not be compiled; folder/log.txt says why" in said
    assert not (tmp_path / "folder/complete").exists()
