# SPDX-License-Identifier: Apache-2.0
"""`make site` fails where a link leads nowhere, and lists figures that may be out of date."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import run, shown_in_browser

SOURCE = Path(__file__).parents[2]
PAGES = (
    "scripts/site",
    "mkdocs.yml",
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
)
STALE_FIGURES = (
    "scripts/stale-figures",
    "lab/bobbin_lab/__init__.py",
    "lab/bobbin_lab/host/__init__.py",
    "lab/bobbin_lab/host/commit.py",
)


def copy(names: tuple[str, ...], tree: Path) -> None:
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, tree / name)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the script reads, with the mkdocs of the source tree."""
    if not (SOURCE / "build/docs/bin/mkdocs").is_file():
        pytest.skip("no mkdocs (scripts/setup docs)")
    pages = ("docs/**/*", "*/README.md", "*/*/README.md", "runtime/**/README.md")
    for page in (page for pattern in pages for page in SOURCE.glob(pattern)):
        if page.is_file():
            copy((str(page.relative_to(SOURCE)),), tmp_path)
    copy(PAGES + STALE_FIGURES, tmp_path)
    (tmp_path / "build").mkdir(exist_ok=True)
    (tmp_path / "build/docs").symlink_to(SOURCE / "build/docs")
    return tmp_path


@pytest.mark.parametrize("link", ["absent.md", "install.md#absent"])
def test_a_link_that_leads_nowhere_is_an_error(tree: Path, link: str) -> None:
    with (tree / "docs/spawn.md").open("a") as page:
        page.write(f"\n[nowhere]({link})\n")
    result = run(tree / "scripts/site")
    assert result.returncode == 1
    assert "absent" in result.stderr


def test_the_links_of_the_documents_lead_somewhere(tree: Path) -> None:
    result = run(tree / "scripts/site")
    assert result.returncode == 0, result.stderr


def git(tree: Path, *words: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x")
    done = run("git", "-C", tree, *who, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def changed(tree: Path, folder: str, times: int) -> None:
    (tree / folder).mkdir(exist_ok=True)
    for _ in range(times):
        with (tree / folder / "code").open("a") as code:
            code.write("x")
        git(tree, "add", "--all")
        git(tree, "commit", "--quiet", "--message", folder)


def test_figures_that_may_be_out_of_date_are_listed(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "docs/results").mkdir(parents=True)
    copy(STALE_FIGURES, tree)
    git(tmp_path, "init", "--quiet", str(tree))
    changed(tree, "runtime", 1)
    commit = git(tree, "rev-parse", "--short=10", "HEAD")
    (tree / "docs/results/a.md").write_text(
        f"<!-- named -->\n`x`, gcc 12, commit {commit}.\n\n| a |\n|---|\n| 1 |\n<!-- /named -->\n"
        "<!-- unnamed -->\n`x`, gcc 12.\n<!-- /unnamed -->\n"
        f"<!-- own -->\n`x`, commit {commit} with changes.\n<!-- /own -->\n"
        "<!-- lost -->\n`x`, commit 0123456789.\n<!-- /lost -->\n"
        "<!-- words -->\n`x`, not measured.\n<!-- /words -->\n"
        "\n| by | hand |\n|---|---|\n| a | 2.5 |\n\n| no | figure |\n|---|---|\n| a | b |\n"
    )
    (tree / "docs/performance.md").write_text(f"By commit {commit}:\n\n| a |\n|---|\n| 7 |\n")

    def listed() -> list[str]:
        done = subprocess.run(
            ["scripts/stale-figures"], cwd=tree, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    always = [
        "docs/results/a.md: no commit: unnamed, own, line 21",
        "docs/results/a.md: a commit that is not here: lost",
    ]
    changed(tree, "docs", 60)
    changed(tree, "runtime", 50)
    assert listed() == always
    changed(tree, "bench", 1)
    assert listed() == [
        "docs/results/a.md: 51 commits behind: named",
        *always,
        "docs/performance.md: 51 commits behind: line 3",
    ]


def test_nothing_is_cut(tree: Path, tmp_path: Path) -> None:
    assert run(tree / "scripts/site").returncode == 0
    for width in (390, 1280):
        shown = shown_in_browser(tree / "build/site/index.html", tmp_path, width)
        assert "bobbin compare ./simulate" in shown
        assert "<title>it fits</title>" in shown, width
