# SPDX-License-Identifier: Apache-2.0
"""Where the lab finds and keeps its files, also when it is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from bobbin_lab import places, runtimes
from bobbin_lab.experiments import pages


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The home of a user without a source tree."""
    monkeypatch.setattr(places, "SOURCE", tmp_path / "share")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("given", "cache"), [("", ".cache"), ("here", ".cache"), ("/c", "/c")])
def test_the_cache_is_where_it_is_said_to_be(
    installed: Path, monkeypatch: pytest.MonkeyPatch, given: str, cache: str
) -> None:
    """An empty or relative value does not count, as the specification demands."""
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert places.cache() == installed / cache / "bobbin-lab"


def test_a_place_that_is_given_needs_no_home(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setenv("XDG_CACHE_HOME", str(installed))
    assert places.cache() == installed / "bobbin-lab"


@pytest.mark.parametrize("in_source_tree", [True, False])
def test_only_a_source_tree_is_told_of_its_scripts(
    monkeypatch: pytest.MonkeyPatch, in_source_tree: bool
) -> None:
    monkeypatch.setattr(runtimes, "SETUP", in_source_tree)
    hint = runtimes.known_runtimes()["iomp"].hint
    assert ("scripts/setup" in hint) is in_source_tree
    assert "the path of a libiomp5.so" in hint


def test_a_page_whose_drawing_was_interrupted_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "cache", lambda: tmp_path)
    save = Image.Image.save

    def interrupted(_image: Image.Image, path: Path, **_options: object) -> None:
        path.write_bytes(b"\x89PNG")
        raise KeyboardInterrupt

    monkeypatch.setattr(Image.Image, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pages.make_pages(1, 2)
    monkeypatch.setattr(Image.Image, "save", save)
    page = pages.make_pages(1, 2) / "page1.png"
    with Image.open(page) as image:
        image.load()


def test_nothing_is_compiled_for_a_python_without_the_packages(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    shutil.copytree(Path(places.__file__).parents[1], lab)
    (tmp_path / "programs").mkdir()
    result = subprocess.run(
        [sys.executable, "-S", lab, "run", "quick"],
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "BOBBIN_LAB_PROGRAMS": "/absent",
             "BOBBIN_LAB_COMMAND": "/absent", "BOBBIN_LAB_LIBRARY": "/absent"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 125
    assert " has no typer; this sets up an environment" in result.stderr
    assert "compiling" not in result.stderr
