# SPDX-License-Identifier: Apache-2.0
"""`make site` fails where a link leads nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import run

SOURCE = Path(__file__).parents[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What the script reads, with the mkdocs of the source tree."""
    if not (SOURCE / "build/docs/bin/mkdocs").is_file():
        pytest.skip("no mkdocs (scripts/setup docs)")
    pages = ("docs/**/*", "*/README.md", "*/*/README.md")
    for page in (page for pattern in pages for page in SOURCE.glob(pattern)):
        if page.is_file():
            copy = tmp_path / page.relative_to(SOURCE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, copy)
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/site", "mkdocs.yml", "LICENSE", "README.md", "CHANGELOG.md"):
        shutil.copy(SOURCE / name, tmp_path / name)
    shutil.copy(SOURCE / "CONTRIBUTING.md", tmp_path)
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
