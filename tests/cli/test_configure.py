# SPDX-License-Identifier: Apache-2.0
"""cmake: what only the tests need may be missing."""

from __future__ import annotations

from pathlib import Path

from conftest import run

SOURCE = Path(__file__).parents[2]


def test_without_what_only_tests_need(tmp_path: Path) -> None:
    """As for make, make demo and make install on a fresh machine (scripts/setup build)."""
    missing = "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON"
    result = run("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", "-Wno-dev", missing)
    assert result.returncode == 0, result.stderr
    assert "tests/unit, tests/model: no GoogleTest" in result.stderr
