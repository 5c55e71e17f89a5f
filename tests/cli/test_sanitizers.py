# SPDX-License-Identifier: Apache-2.0
"""scripts/check-sanitizers, with fakes of cmake and ctest."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import run

SCRIPT = Path(__file__).parents[2] / "scripts/check-sanitizers"
WITHOUT_RANDOM_ADDRESSES = 0x0040000  # ADDR_NO_RANDOMIZE of personality(2)

Check = subprocess.CompletedProcess[str]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for folder in ("scripts", "bin"):
        (tmp_path / folder).mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    return tmp_path


def check(tree: Path, cmake: str) -> Check:
    ctest = 'echo "tested $2 by $(cat /proc/self/personality)"'
    for name, body in (("cmake", cmake), ("ctest", ctest)):
        (tree / "bin" / name).write_text(f"#!/bin/bash\n{body}\n")
        (tree / "bin" / name).chmod(0o755)
    return run(tree / "scripts/check-sanitizers", PATH=f"{tree}/bin:{os.environ['PATH']}")


@pytest.mark.parametrize("step", ["--preset", "--build"])
def test_preset_that_does_not_build_keeps_no_other_from_running(tree: Path, step: str) -> None:
    result = check(tree, f"[[ $1 != {step} || $2 != *asan ]]")
    assert result.returncode == 1
    assert "Failed: asan\n" in result.stderr
    tested = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("tested")]
    assert tested == ["build/ubsan", "build/tsan"]


def test_addresses_are_not_random_where_that_can_be_had(tree: Path) -> None:
    """GCC's ThreadSanitizer ends programs at addresses that it cannot handle."""
    result = check(tree, "true")
    assert result.returncode == 0, result.stderr
    words = [line.split() for line in result.stdout.splitlines() if line.startswith("tested")]
    personality = {word[1]: int(word[3], 16) for word in words}
    mine = int(Path("/proc/self/personality").read_text(), 16)
    can_be_had = run("setarch", os.uname().machine, "-R", "true").returncode == 0
    expected = mine | WITHOUT_RANDOM_ADDRESSES if can_be_had else mine
    assert personality == {"build/asan": mine, "build/ubsan": mine, "build/tsan": expected}
