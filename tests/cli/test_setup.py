# SPDX-License-Identifier: Apache-2.0
"""scripts/setup: what it asks of apt, which is a fake here, and the Python environments that it
makes.
"""

from __future__ import annotations

import os
import re
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
        shutil.copy(SETUP.with_name("packages-elsewhere"), root / "scripts")
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


# What scripts/setup calls on a system without dpkg, beside the fake package manager.
TOOLS = ("bash", "env", "dirname", "sort", "awk", "python3", "grep", "head")
MANAGERS = {
    "dnf": ("rpm", "sudo dnf install", "ninja-build cli11-devel hwloc-devel"),
    "zypper": ("rpm", "sudo zypper install", "ninja cli11-devel libelf-devel"),
    "pacman": ("pacman", "sudo pacman -S --needed", "ninja cli11 libelf"),
}


def on_another_distribution(
    system: System, manager: str, installed: bool
) -> subprocess.CompletedProcess[str]:
    system.has_environment()
    folder = system.root / "other"
    folder.mkdir(exist_ok=True)
    for tool in TOOLS:
        if not (folder / tool).exists():
            (folder / tool).symlink_to(shutil.which(tool) or tool)
    query = MANAGERS[manager][0] if manager else ""
    for name in filter(None, (manager, query)):
        (folder / name).write_text(f"#!/bin/sh\nexit {0 if installed else 1}\n")
        (folder / name).chmod(0o755)
    return run(system.root / "scripts/setup", "build", "test", "demo", "lint", PATH=str(folder))


@pytest.mark.parametrize("manager", MANAGERS)
def test_other_distributions_get_their_own_command(system: System, manager: str) -> None:
    (system.root / "build/lint").mkdir(parents=True)
    shutil.copy(SETUP.with_name("requirements-lint.txt"), system.root / "scripts")
    _, command, some = MANAGERS[manager]
    said = on_another_distribution(system, manager, installed=False).stderr
    line = next(line for line in said.splitlines() if line.startswith(f"  {command} "))
    names = line.removeprefix(f"  {command} ").split()
    assert set(some.split()) <= set(names)
    assert len(names) == len(set(names))
    names = [name for name in names if name != "dpkg-dev"]  # which dnf calls so, too
    assert not [name for name in names if "LLVM" in name or name.endswith("-dev")]


def test_other_distribution_that_lacks_nothing_is_told_nothing(system: System) -> None:
    assert "Packages are missing" not in on_another_distribution(system, "dnf", True).stderr


def test_system_without_a_known_manager_gets_the_debian_names(system: System) -> None:
    said = on_another_distribution(system, "", installed=False).stderr
    assert "what Debian calls: " in said
    assert "libhwloc-dev" in said


def test_every_debian_package_has_a_row_for_other_distributions() -> None:
    rows = SETUP.with_name("packages-elsewhere").read_text().splitlines()
    table = {row.split()[0]: row.split()[1:] for row in rows if row and not row.startswith("#")}
    assert all(len(names) == 3 for names in table.values())
    lists = re.findall(r"^(\w+)_packages=\((.*?)\)", SETUP.read_text(), re.MULTILINE | re.DOTALL)
    assert len(lists) > 5
    # Debian only: cross builds, and a kernel of Debian's under QEMU.
    debians = {"aarch64", "numa"}
    wanted = {name for purpose, text in lists if purpose not in debians for name in text.split()}
    assert wanted <= set(table)
