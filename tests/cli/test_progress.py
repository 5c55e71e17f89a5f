# SPDX-License-Identifier: Apache-2.0
"""scripts/progress: how far a step is that takes minutes."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parents[2]


def words_of(step: str) -> list[str]:
    return ["bash", "-euc", f". {SOURCE}/scripts/progress; {step}; echo behind"]


def on_terminal(step: str, folder: Path) -> str:
    own, terminal = pty.openpty()
    process = subprocess.Popen(words_of(step), cwd=folder, stdout=terminal, stderr=terminal)
    os.close(terminal)
    said = b""
    try:
        while part := os.read(own, 4096):
            said += part
    except OSError:  # nobody writes any more
        pass
    os.close(own)
    process.wait()
    return said.decode()


def times_left(said: str, what: str) -> list[tuple[int, int]]:
    """In seconds: what has passed, and what is left."""
    found = re.findall(rf"{what}: (\d+):(\d\d), about (\d+):(\d\d) left", said)
    return [(60 * int(a) + int(b), 60 * int(c) + int(d)) for a, b, c, d in found]


def test_by_what_ninja_has_built(tmp_path: Path) -> None:
    said = on_terminal("in_view Building log sh -c 'echo [1/9] one; sleep 4'", tmp_path)
    times = times_left(said, "Building")
    assert times
    assert all(left == 8 * passed for passed, left in times)
    assert "Building: done in 0:" in said
    assert said.endswith("behind\r\n")


def test_by_what_it_took_before(tmp_path: Path) -> None:
    (tmp_path / "build/durations").mkdir(parents=True)
    record = tmp_path / "build/durations/The-step"
    record.write_text("100\n")
    times = times_left(on_terminal("in_view 'The step' log sleep 4", tmp_path), "The step")
    assert times
    assert all(passed + left == 100 for passed, left in times)
    assert int(record.read_text()) < 100


def test_a_step_that_fails(tmp_path: Path) -> None:
    step = "in_view 'The step' log sh -c 'echo why; exit 3'"
    result = subprocess.run(
        words_of(step), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 3
    assert result.stdout == "The step\n"
    assert result.stderr == "The step: failed; all of the output is in log, which ends:\nwhy\n"
    assert not (tmp_path / "build/durations/The-step").exists()
