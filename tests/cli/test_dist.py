# SPDX-License-Identifier: Apache-2.0
"""make dist: the source archive, and the version that everything tells."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest
from conftest import run

SOURCE = Path(__file__).parents[2]


def is_repository() -> bool:
    return shutil.which("git") is not None and (SOURCE / ".git").exists()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The sources as they are, in a repository with one commit."""
    if not is_repository():
        pytest.skip("not in a repository")
    root = tmp_path / "clone"
    files = run(
        "git", "-C", SOURCE, "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"
    ).stdout
    for name in filter(None, files.split("\0")):
        if not (SOURCE / name).exists():
            continue
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, root / name, follow_symlinks=False)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "All")
    return root


def git(root: Path, *words: str | Path) -> str:
    result = run("git", "-C", root, *words)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_archive_is_the_same_from_every_clone(clone: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(clone, "clone", "-q", clone, other)
    old_mask = os.umask(0o077)
    try:
        result = subprocess.run(
            [other / "scripts/dist", tmp_path / "b"], check=True, capture_output=True
        )
    finally:
        os.umask(old_mask)
    first = run(clone / "scripts/dist", tmp_path / "a", TZ="Pacific/Auckland", LC_ALL="C")
    assert first.returncode == 0, first.stderr
    name = Path(first.stdout.strip()).name
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert result.stderr == b""


def test_archive_knows_its_commit_and_is_complete(clone: Path, tmp_path: Path) -> None:
    archive = Path(run(clone / "scripts/dist", tmp_path).stdout.strip())
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path)
        names = set(opened.getnames())
    root = tmp_path / archive.name.removesuffix(".tar.gz")
    assert f"{root.name}/LICENSE" in names
    header = tmp_path / "commit.h"
    script = ("cmake", "-DGIT=git", f"-DHEADER={header}")
    result = run(*script, f"-DSOURCE={root}", "-P", root / "cmake/BobbinVersion.cmake")
    assert result.returncode == 0, result.stderr
    of_archive = header.read_text()
    assert git(clone, "rev-parse", "HEAD")[:10] in of_archive
    run(*script, f"-DSOURCE={clone}", "-P", root / "cmake/BobbinVersion.cmake")
    assert header.read_text() == of_archive


def test_changed_clone_is_told_from_its_commit(clone: Path, tmp_path: Path) -> None:
    (clone / "README.md").write_text("")
    header = tmp_path / "commit.h"
    run(
        "cmake",
        "-DGIT=git",
        f"-DHEADER={header}",
        f"-DSOURCE={clone}",
        "-P",
        clone / "cmake/BobbinVersion.cmake",
    )
    assert '-dirty"' in header.read_text()
    assert "without what has been changed" in run(clone / "scripts/dist", tmp_path).stderr


def test_version_is_the_one_of_cmake(bobbin: Path) -> None:
    version = run(SOURCE / "scripts/version").stdout.strip()
    assert run(bobbin, "--version").stdout.split()[1] == version


# What must have the version as text, because its tools read nothing else.
@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("debian/changelog", r"^bobbin \(([\d.]+)\)"),
        ("packaging/conda/recipe.yaml", r'^  version: "([\d.]+)"$'),
        ("packaging/spack/packages/bobbin/package.py", r'^    version\("([\d.]+)"\)$'),
        ("CHANGELOG.md", r"^## ([\d.]+)"),
    ],
)
def test_version_is_the_same_everywhere(file: str, pattern: str) -> None:
    found = re.search(pattern, (SOURCE / file).read_text(), re.MULTILINE)
    assert found is not None
    assert found[1] == run(SOURCE / "scripts/version").stdout.strip()


@pytest.mark.parametrize("name", ["openmp", "lab"])
def test_wheels_read_the_version_of_cmake(name: str) -> None:
    project = tomllib.loads((SOURCE / f"packaging/python/{name}/pyproject.toml").read_text())
    tool = project["tool"]
    how = tool["hatch"]["version"] if name == "lab" else tool["scikit-build"]["metadata"]["version"]
    pattern = how.get("pattern") or how["regex"]
    source = SOURCE / f"packaging/python/{name}" / (how.get("path") or how["input"])
    found = re.search(pattern, source.read_text())
    assert found is not None
    assert found.group(1) == run(SOURCE / "scripts/version").stdout.strip()
