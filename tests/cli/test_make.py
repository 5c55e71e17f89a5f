# SPDX-License-Identifier: Apache-2.0
"""make: a command that builds in a tree, or uses its build, has the tree alone."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TIMEOUT_S, clean_environment

SOURCE = Path(__file__).parents[2]
# A fake: the build reports itself and waits for a line.
CMAKE = '#!/bin/sh\n[ "$1" = --build ] || exit 0\necho begun\nread -r line <"$HOLD"\necho ended\n'
# The variables that `make test` passes to inner commands.
OF_MAKE = ("TURN_IN_TREE", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")


class Tree:
    """The Makefile in its own tree, where a build runs until it is released."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("hold", "hold-within"):
            os.mkfifo(root / name)
        (root / "scripts").mkdir()
        (root / "bin").mkdir()
        shutil.copy(SOURCE / "Makefile", root)
        for script in ("in-turn", "ninja-status"):
            shutil.copy(SOURCE / "scripts" / script, root / "scripts")
        for name, text in (("scripts/setup", "#!/bin/sh\n"), ("bin/cmake", CMAKE)):
            (root / name).write_text(text)
            (root / name).chmod(0o755)

    def make(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        mine = {"PATH": f"{self.root}/bin:{os.environ['PATH']}", "HOLD": f"{self.root}/hold"}
        others = {k: v for k, v in clean_environment().items() if k not in OF_MAKE}
        return subprocess.Popen(
            ["make", *words],
            cwd=self.root,
            env=others | mine | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def let_go(self, hold: str = "hold") -> None:
        (self.root / hold).write_text("\n")


def next_line(process: subprocess.Popen[str], of: str = "stdout") -> str:
    line: str = getattr(process, of).readline()
    return line.strip()


def says_nothing_yet(process: subprocess.Popen[str]) -> bool:
    assert process.stdout
    return not select.select([process.stdout], [], [], 0)[0]


def ended_well(process: subprocess.Popen[str]) -> bool:
    process.communicate(timeout=TIMEOUT_S)
    return process.returncode == 0


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.mark.parametrize("second", [("build",), (), ("clean",), ("PRESET=debug", "lab")])
def test_the_second_in_a_tree_waits_and_says_so(tree: Tree, second: tuple[str, ...]) -> None:
    first = tree.make()
    assert next_line(first) == "begun"
    other = tree.make(*second)
    assert next_line(other, "stderr") == (
        f"Another make is at work in {tree.root}: waiting for it to end"
    )
    assert says_nothing_yet(other)
    tree.let_go()
    assert ended_well(first)
    if second != ("clean",):
        assert next_line(other) == "begun"
        tree.let_go()
    assert ended_well(other)


def test_what_has_the_turn_makes_in_it(tree: Tree) -> None:
    """As tests do that install Bobbin."""
    first = tree.make()
    assert next_line(first) == "begun"
    within = tree.make(TURN_IN_TREE=str(tree.root), HOLD=f"{tree.root}/hold-within")
    assert next_line(within) == "begun"
    tree.let_go("hold-within")
    assert ended_well(within)
    tree.let_go()
    assert ended_well(first)


def test_a_turn_ends_with_its_make(tree: Tree) -> None:
    """Even if it leaves a process behind."""
    leaves = 'sleep 100000 >/dev/null 2>&1 &\necho $! >"$HOLD.pid"\n'
    (tree.root / "bin/cmake").write_text(f'#!/bin/sh\n[ "$1" = --build ] || exit 0\n{leaves}')
    try:
        assert ended_well(tree.make())
        (tree.root / "bin/cmake").write_text("#!/bin/sh\n")
        again = tree.make()
        said = again.communicate(timeout=TIMEOUT_S)
        assert (again.returncode, *said) == (0, "", "")
    finally:
        os.kill(int((tree.root / "hold.pid").read_text()), 9)


def test_help_waits_for_nobody(tree: Tree) -> None:
    first = tree.make()
    assert next_line(first) == "begun"
    assert ended_well(tree.make("help"))
    tree.let_go()
    assert ended_well(first)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("1.11.1", "[%f of %t, %e s] "),
        ("1.12.0", "[%f of %t, %W left] "),
        ("1.13.2.git", "[%f of %t, %W left] "),
    ],
)
def test_a_build_tells_the_time_that_is_left(tmp_path: Path, version: str, told: str) -> None:
    """ninja before 1.12 would end with an error at %W."""
    ninja = tmp_path / "ninja"
    ninja.write_text(f"#!/bin/sh\necho {version}\n")
    ninja.chmod(0o755)
    status = subprocess.run(
        [SOURCE / "scripts/ninja-status"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert status.stdout == told
