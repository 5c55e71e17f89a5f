# SPDX-License-Identifier: Apache-2.0
"""scripts/check-abi: what programs rely on is as its stored description says."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import pytest
from conftest import run

SOURCE = Path(__file__).parents[2]
NEEDED = (
    *("scripts/check-abi", "scripts/version", "CMakeLists.txt", "include"),
    *("runtime/abi/interface.abi", "debian/control", "debian/libbobbin1.symbols"),
)

pytestmark = [
    pytest.mark.skipif(
        any(shutil.which(tool) is None for tool in ("abidw", "dpkg-gensymbols")),
        reason="libabigail and dpkg-dev are not both installed",
    ),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the description is of x86-64"),
]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (SOURCE / name).is_dir() else shutil.copy
        copy(SOURCE / name, tmp_path / name)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_nothing_has_changed(build: Path) -> None:
    result = run(SOURCE / "scripts/check-abi", build)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("header", "old", "new", "told"),
    [
        ("inline/layout.h", "unsigned depth;", "unsigned long depth;", "depth"),
        ("bobbin.h", "void bobbin_block(", "int bobbin_block(", "bobbin_block"),
        ("tool.h", "dependence_wait = 4", "dependence_wait = 5", "from value '4' to '5'"),
        ("native.h", "void bobbin_omp_ordered_begin(void);", "", "bobbin_omp_ordered_begin"),
    ],
)
def test_a_changed_declaration_is_told(
    build: Path, sources: Path, header: str, old: str, new: str, told: str
) -> None:
    change(sources / "include/bobbin" / header, old, new)
    result = run(sources / "scripts/check-abi", build)
    assert result.returncode == 1
    assert told in result.stderr
    assert "include/bobbin differs" in result.stderr
    renewed = run(sources / "scripts/check-abi", "--renew", build)
    assert renewed.returncode == 0, renewed.stderr
    assert run(sources / "scripts/check-abi", build).returncode == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" GOMP_barrier@GOMP_1.0", " GOMP_barriers@GOMP_1.0"),  # gone, and new
        (" usleep@Base 0.1.0\n", ""),  # new
    ],
)
def test_a_changed_name_is_told(build: Path, sources: Path, old: str, new: str) -> None:
    names = sources / "debian/libbobbin1.symbols"
    whole = names.read_text()
    change(names, old, new)
    result = run(sources / "scripts/check-abi", build)
    assert result.returncode == 1
    assert "libbobbin.so.1 differs" in result.stderr
    assert old.split("@")[0] in result.stdout + result.stderr
    assert run(sources / "scripts/check-abi", "--renew", build).returncode == 0
    assert set(whole.splitlines()) <= set(names.read_text().splitlines())
