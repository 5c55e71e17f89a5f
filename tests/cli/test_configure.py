# SPDX-License-Identifier: Apache-2.0
"""cmake: requirements of the tests alone may be missing."""

from __future__ import annotations

import sys
from pathlib import Path

from conftest import run

SOURCE = Path(__file__).parents[2]


def test_without_what_only_tests_need(tmp_path: Path) -> None:
    """As on a fresh machine with make, make demo and make install (scripts/setup build)."""
    missing = "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON"
    result = run("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", "-Wno-dev", missing)
    assert result.returncode == 0, result.stderr
    assert "tests/unit, tests/model: no GoogleTest" in result.stderr


def test_environment_made_after_the_first_configuration_is_taken(tmp_path: Path) -> None:
    """As with `make` and then `make test`, in a tree without any build."""
    source, build = tmp_path / "source", tmp_path / "build"
    source.mkdir()
    for entry in SOURCE.iterdir():
        if entry.name != "build":
            (source / entry.name).symlink_to(entry)
    python = source / "build/venv/bin/python3"

    def tests_run_on(path: Path) -> bool:
        missing = "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON"
        result = run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-Wno-dev", missing)
        assert result.returncode == 0, result.stderr
        return (
            f'"{path}" "-B" "-m" "pytest"' in (build / "tests/cli/CTestTestfile.cmake").read_text()
        )

    assert not tests_run_on(python)
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    assert tests_run_on(python)
