# SPDX-License-Identifier: Apache-2.0
"""make install and make uninstall: what they say, whom the files are for, and what they leave."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Compile, run
from test_system import AS_ROOT, CONFIGURATION, root, system

__all__ = ["root"]  # a fixture

SOURCE = Path(__file__).parents[2]


class Installer:
    """scripts/install with what is built already: `make` does nothing here."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.build = build
        self.tools = folder / "tools"
        self.tools.mkdir()
        (self.tools / "make").write_text("#!/bin/sh\n")
        (self.tools / "make").chmod(0o755)

    def __call__(
        self, prefix: Path, *before: str, path: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        before_it = set(self.build.glob("install_manifest_*"))
        wanted = {"LAB": "no", "PATH": f"{self.tools}:{path}{os.environ['PATH']}"} | variables
        result = run(*before, SOURCE / "scripts/install", self.build, prefix, **wanted)
        assert result.returncode == 0, result.stderr
        assert set(self.build.glob("install_manifest_*")) <= before_it
        return result


@pytest.fixture
def install(build: Path, tmp_path: Path) -> Installer:
    return Installer(build, tmp_path)


def uninstall(prefix: Path, *before: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(*before, SOURCE / "scripts/uninstall", prefix, **variables)


def left_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_the_command_to_type_is_said_last(install: Installer, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    result = install(prefix)
    said = result.stdout.splitlines()
    assert f"Bobbin is installed: {prefix}/bin/bobbin" in said
    assert "not in PATH" in said[-2]
    typed = run("sh", "-c", f"{said[-1]}; command -v bobbin")
    assert typed.stdout == f"{prefix}/bin/bobbin\n"
    assert len(said) < 15
    again = install(prefix, path=f"{prefix}/bin:").stdout.splitlines()
    assert again[-1] == f"Bobbin is installed: {prefix}/bin/bobbin"


def test_another_command_in_path_is_said(install: Installer, tmp_path: Path) -> None:
    prefix, other = tmp_path / "prefix", tmp_path / "other"
    other.mkdir()
    (other / "bobbin").write_text("#!/bin/sh\n")
    (other / "bobbin").chmod(0o755)
    said = install(prefix, path=f"{other}:{prefix}/bin:").stdout.splitlines()
    assert said[-1].endswith(f"comes first in PATH: {other}/bobbin")


def test_no_benchmarks_are_installed_but_their_sources(install: Installer, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    install(prefix)
    assert not (prefix / "libexec/bobbin/bench/region").exists()
    for name in (
        "CMakeLists.txt",
        "bench/region.c",
        "lab/probe/gomp.c",
        "cmake/UserCompilers.cmake",
    ):
        assert (prefix / "share/bobbin/programs" / name).is_file(), name


def test_what_is_left_out_is_said(install: Installer, tmp_path: Path) -> None:
    build = tmp_path / "build"
    shutil.copytree(
        install.build, build, symlinks=True, ignore=shutil.ignore_patterns("CMakeFiles")
    )
    (build / "left-out.txt").write_text("  bobbin translate: because. Debian's packages: a b\n")
    install.build = build
    said = install(tmp_path / "prefix").stdout
    assert "Left out" in said
    assert "Debian's packages: a b" in said


def test_without_a_network_bobbin_is_installed(install: Installer, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    result = install(prefix, LAB="", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert "Bobbin is installed; the lab is not, because" in result.stderr
    assert not (prefix / "share/bobbin/venv").exists()
    assert f"Bobbin is installed: {prefix}/bin/bobbin" in result.stdout
    asked = run(prefix / "bin/bobbin", "lab", "run", BOBBIN_LAB_PYTHON=sys.executable + "-absent")
    assert asked.returncode == 125


def test_others_reach_what_root_installs(install: Installer, tmp_path: Path) -> None:
    if run(*AS_ROOT, "true").returncode != 0:
        pytest.skip("user namespaces are not allowed here")
    prefix = tmp_path / "prefix"
    install(prefix, *AS_ROOT, "sh", "-c", 'umask 077; exec "$@"', "sh")
    for path in prefix.rglob("*"):
        if not path.is_symlink():
            wanted = 0o055 if path.is_dir() else 0o044
            assert path.stat().st_mode & wanted == wanted, path


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that other users reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_what_root_builds_in_a_users_tree_is_the_users(reachable: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root builds for another user")
    tree = reachable / "tree"
    for name in ("scripts", "tools"):
        (tree / name).mkdir(parents=True)
    shutil.copy(SOURCE / "scripts/install", tree / "scripts")
    # Each writes where the real one does.
    tools = {
        "make": "mkdir -p build/release; echo building; echo >build/release/.ninja_log",
        "cmake": 'echo "$4/bin/bobbin" >"build/release/install_manifest_${6}.txt"',
    }
    for name, text in tools.items():
        (tree / "tools" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tree / "tools" / name).chmod(0o755)
    user = 54321
    for file in (tree, *tree.rglob("*")):
        os.chown(file, user, user)
    prefix = reachable / "prefix"
    path = f"{tree}/tools:{os.environ['PATH']}"
    result = run(tree / "scripts/install", "build/release", prefix, LAB="no", PATH=path)
    assert result.returncode == 0, result.stderr
    assert (tree / "build/release-install.log").read_text() == "building\n"
    assert [path for path in tree.rglob("*") if path.stat().st_uid != user] == []
    assert prefix.stat().st_uid == 0


@pytest.mark.parametrize("stage", ["", "stage"])
def test_uninstall_removes_what_was_installed_and_nothing_else(
    install: Installer, tmp_path: Path, stage: str
) -> None:
    prefix = tmp_path / "prefix"
    place = {"DESTDIR": str(tmp_path / stage)} if stage else {}
    there = Path(f"{place.get('DESTDIR', '')}{prefix}")
    for name in ("bin", "share/man"):  # empty, but not made by the installation
        (there / name).mkdir(parents=True)
    install(prefix, **place)
    install(prefix, **place)  # which finds its own folders there
    (there / "lib/bobbin/mine").write_text("")
    (there / "share/bobbin/lab/bobbin_lab/__pycache__").mkdir()
    result = uninstall(prefix, **place)
    assert result.returncode == 0, result.stderr
    assert left_in(there) == ["bin", "lib", "lib/bobbin", "lib/bobbin/mine", "share", "share/man"]
    again = uninstall(prefix, **place)
    assert again.returncode == 1
    assert "PREFIX=" in again.stderr


def test_uninstall_ends_what_bobbin_system_did(
    install: Installer, root: Path, compile_c: Compile
) -> None:
    place = {"DESTDIR": str(root)}
    install(Path("/usr"), *AS_ROOT, **place)
    assert system(root, "--enable").returncode == 0
    assert (root / CONFIGURATION).exists()
    result = uninstall(Path("/usr"), *AS_ROOT, **place)
    assert result.returncode == 0, result.stderr
    assert not (root / CONFIGURATION).exists()
    assert not (root / "usr/bin/bobbin").exists()
