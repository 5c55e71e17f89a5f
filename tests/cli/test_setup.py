# SPDX-License-Identifier: Apache-2.0
"""scripts/setup: what it asks of apt, which is a fake here, and the Python environments that it
makes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import run

SETUP = Path(__file__).parents[2] / "scripts/setup"
# A file beside each fake lists what this system lacks, or what apt refuses.
COMMANDS = {
    "dpkg-query": 'grep -qxF "${@: -1}" "$here/absent" || echo installed',
    "apt-cache": 'grep -qxF -e "$2" -e everything "$here/unknown" || echo "$2 | 1 | there"',
    "apt-get": """
        echo "$*" >>"$here/asked"
        if [[ $* != *update && -s $here/refusal ]]; then cat "$here/refusal" >&2; exit 100; fi""",
    "sudo": "exit 1",
}
INSTALL = "install --no-install-recommends"


class System:
    """A copy of scripts/setup, in its own tree and system."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = root / "build/venv"
        self.stamp = self.environment / "requirements-installed.txt"
        for folder in ("scripts", "lab", "bin"):
            (root / folder).mkdir()
        shutil.copy(SETUP, root / "scripts")
        for name, body in COMMANDS.items():
            command = root / "bin" / name
            command.write_text(f"#!/bin/bash\nhere={root}\n{body}\n")
            command.chmod(0o755)
        for file in ("absent", "unknown", "refusal", "asked"):
            (root / file).write_text("")
        # Present in every environment, so that nothing is fetched.
        (root / "lab/requirements.txt").write_text("# The lab\npip\n")
        (root / "scripts/requirements.txt").write_text("-r ../lab/requirements.txt\n")

    def lacks(self, *absent: str, unknown: str = "") -> None:
        (self.root / "absent").write_text("".join(f"{name}\n" for name in absent))
        (self.root / "unknown").write_text(unknown)

    def has_environment(self) -> None:
        self.environment.mkdir(parents=True)
        version = run("python3", "-V").stdout.rpartition(".")[0]
        self.stamp.write_text(f"{version}\npip\n")

    def setup(self, *purposes: str, by: str = "anybody") -> subprocess.CompletedProcess[str]:
        words: list[str | Path] = [self.root / "scripts/setup", *purposes]
        if by == "root" and os.geteuid() != 0:
            pytest.skip("only root installs packages")
        if by == "user" and os.geteuid() == 0:
            words = ["unshare", "--user", *words]  # where root has another user id
            if run("unshare", "--user", "true").returncode != 0:
                pytest.skip("no user namespaces")
        return run(*words, PATH=f"{self.root}/bin:{os.environ['PATH']}")

    def asked(self) -> list[str]:
        return (self.root / "asked").read_text().splitlines()


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.mark.parametrize("by", ["root", "user"])
def test_what_apt_does_not_know_is_not_missing(system: System, by: str) -> None:
    system.has_environment()
    system.lacks("flang-19", unknown="flang-19")
    result = system.setup("test", by=by)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert system.asked() == []


def test_root_gets_what_apt_knows(system: System) -> None:
    system.has_environment()
    system.lacks("flang-19", "ninja-build", "libomp-19-dev", unknown="flang-19")
    result = system.setup("test", by="root")
    assert result.returncode == 0, result.stderr
    assert "apt knows no flang-19" in result.stdout
    update, install = system.asked()
    assert update.endswith(" update")
    assert f"{INSTALL} --no-remove -y" in install
    assert install.endswith(" libomp-19-dev ninja-build")


def test_packages_that_exclude_others_are_not_put_in_their_place(system: System) -> None:
    system.has_environment()
    system.lacks("libomp-19-dev")
    (system.root / "refusal").write_text("E: Packages need to be removed but remove is disabled.\n")
    result = system.setup("test", by="root")
    assert result.returncode == 1
    assert "remove is disabled" in result.stderr
    assert f"apt-get {INSTALL} libomp-19-dev\n" in result.stderr


@pytest.mark.parametrize("unknown", ["flang-19", "everything"])
def test_users_are_told_a_command_that_apt_accepts(system: System, unknown: str) -> None:
    """Lists that were never fetched contain nothing. In that case everything is requested."""
    system.lacks("flang-19", "ninja-build", unknown=unknown)
    result = system.setup("test", by="user")
    assert result.returncode == 1
    packages = "ninja-build" if unknown == "flang-19" else "flang-19 ninja-build"
    assert f"sudo apt-get {INSTALL} {packages}\n" in result.stderr
    assert system.asked() == []


def python_works(system: System) -> bool:
    return run(system.environment / "bin/python", "-m", "pip", "--version").returncode == 0


def test_unfinished_environment_is_made_anew(system: System) -> None:
    """If `venv` is interrupted while it installs pip, the environment has no pip."""
    assert run("python3", "-m", "venv", "--without-pip", system.environment).returncode == 0
    result = system.setup("demo")
    assert result.returncode == 0, result.stderr
    assert python_works(system)
    assert system.setup("demo").stdout == ""


def test_environment_of_another_python_is_made_anew(system: System) -> None:
    assert system.setup("demo").returncode == 0
    left = system.environment / "lib/left"
    left.touch()
    assert system.setup("demo").stdout == ""
    system.stamp.write_text(system.stamp.read_text().replace("Python 3.", "Python 2."))
    assert left.exists()
    result = system.setup("demo")
    assert result.returncode == 0, result.stderr
    assert not left.exists()
    assert python_works(system)


def test_what_is_no_environment_is_not_cleared(system: System) -> None:
    """LAB_VENV may name any folder."""
    system.environment.mkdir(parents=True)
    (system.environment / "thesis.tex").touch()
    assert system.setup("demo").returncode == 0
    assert (system.environment / "thesis.tex").exists()
