# SPDX-License-Identifier: Apache-2.0
"""bobbin system: Bobbin in the place of the other runtimes, in a root made for the test."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Compile, run

# Without root, a user namespace in which the user is root.
AS_ROOT = ("unshare", "--user", "--map-root-user")
CONFIGURATION = "etc/ld.so.conf.d/00-bobbin.conf"


def libraries_of(program: Path) -> list[Path]:
    lines = run("ldd", program).stdout.splitlines()
    return [Path(found[0]) for line in lines if (found := re.findall(r"(/\S+) \(0x", line))]


@pytest.fixture
def root(tmp_path: Path, build: Path, compile_c: Compile) -> Path:
    """A system of a C library, gcc's libgomp, Bobbin under /usr, and a program."""
    if run(*AS_ROOT, "true").returncode != 0:
        pytest.skip("user namespaces are not allowed here")
    if not Path("/sbin/ldconfig").exists():
        pytest.skip("no ldconfig")
    root = tmp_path / "root"
    program = compile_c("team.c", "-fopenmp")
    for library in (*libraries_of(program), *libraries_of(build / "bin/bobbin")):
        (root / library.relative_to("/").parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(library, root / library.relative_to("/"))
    shutil.copy(program, root / "team")
    for name in ("etc/ld.so.conf.d", "tmp", "proc"):
        (root / name).mkdir(parents=True)
    (root / "etc/ld.so.conf").write_text("include /etc/ld.so.conf.d/*.conf\n")
    folders = {f"/{path.parent.relative_to(root)}\n" for path in root.rglob("*.so*")}
    (root / "etc/ld.so.conf.d/system.conf").write_text("".join(sorted(folders)))
    for component in ("library", "command"):
        words = ("--install", build, "--prefix", root / "usr", "--component", component)
        assert run("cmake", *words).returncode == 0
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o755)
    return root


def system(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(*AS_ROOT, root / "usr/bin/bobbin", "system", "--root", root, *words)


def runtime_of_program(root: Path) -> str:
    result = run(*AS_ROOT, "/usr/sbin/chroot", root, "/team")
    assert result.returncode == 0, result.stderr
    served = re.search(r"served by (\S+)", result.stdout)
    assert served is not None
    return Path(served[1]).name


def files(root: Path) -> set[Path]:
    return {path for path in root.rglob("*") if path.name not in ("ld.so.cache", "aux-cache")}


def test_it_is_enabled_and_undone(root: Path) -> None:
    (root / "var/cache/ldconfig").mkdir(parents=True)
    before = files(root)
    assert system(root, "--status").returncode == 1
    enabled = system(root, "--enable")
    assert enabled.returncode == 0, enabled.stderr
    assert "--disable" in enabled.stdout
    status = system(root, "--status")
    assert status.returncode == 0, status.stderr
    assert re.search(r"libgomp\.so\.1 +/usr/lib/bobbin/libgomp\.so\.1\n", status.stdout)
    assert runtime_of_program(root) == "libbobbin.so.1"
    assert system(root, "--enable").returncode == 0
    assert system(root, "--disable").returncode == 0
    assert system(root, "--status").returncode == 1
    assert runtime_of_program(root).startswith("libgomp.so.1")
    assert files(root) == before
    assert system(root, "--disable").returncode == 0


@pytest.mark.parametrize("configuration", [None, "/usr/lib\n", "include /etc/other/*.conf\n"])
def test_a_system_that_is_not_understood_is_left_alone(
    root: Path, configuration: str | None
) -> None:
    if configuration is None:
        (root / "etc/ld.so.conf").unlink()
    else:
        (root / "etc/ld.so.conf").write_text(configuration)
    before = files(root)
    for word in ("--enable", "--disable", "--status"):
        result = system(root, word)
        assert result.returncode == 125
        assert "not understood" in result.stderr
        assert "bobbin run" in result.stderr
    assert files(root) == before


def test_what_others_may_change_is_not_made_everybodys(root: Path) -> None:
    for path in (root / "usr/lib", root / "usr/lib/libbobbin.so.1"):
        path.chmod(0o777)
        result = system(root, "--enable")
        assert result.returncode == 125
        assert "others than root" in result.stderr
        assert not (root / CONFIGURATION).exists()
        path.chmod(0o755)


def test_file_of_another_is_left_alone(root: Path) -> None:
    (root / CONFIGURATION).write_text("/opt/lib\n")
    for word in ("--enable", "--disable"):
        assert "somebody else" in system(root, word).stderr
    assert (root / CONFIGURATION).read_text() == "/opt/lib\n"


def test_nothing_is_changed_if_another_library_still_comes_first(root: Path) -> None:
    first = root / "etc/ld.so.conf.d/00-another.conf"
    system_wide = (root / "etc/ld.so.conf.d/system.conf").read_text()
    first.write_text(system_wide)
    result = system(root, "--enable")
    assert result.returncode == 125
    assert "nothing was changed" in result.stderr
    assert not (root / CONFIGURATION).exists()


def test_user_is_told_the_command(bobbin: Path, root: Path) -> None:
    result = run("unshare", "--user", bobbin, "system", "--root", root, "--enable")
    assert result.returncode == 125
    assert "sudo bobbin system --enable" in result.stderr
    assert "--status" in run(bobbin, "system").stderr
