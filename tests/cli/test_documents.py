# SPDX-License-Identifier: Apache-2.0
"""What the documents show is what the commands make."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from conftest import run

SOURCE = Path(__file__).parents[2]


def draw(document: Path, picture: Path) -> int:
    words = (sys.executable, "-B", "-m", "demo.picture", document, picture)
    return run(*words, cwd=SOURCE).returncode


def test_the_picture_is_of_the_table(tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    assert draw(SOURCE / "docs/performance.md", picture) == 0
    assert picture.read_text() == (SOURCE / "docs/figures/demo.svg").read_text(), "make picture"
    assert "figures/demo.svg" in (SOURCE / "README.md").read_text()
    ElementTree.parse(picture)
    bars = re.findall(
        r'class="(before|after)" x="230" y="(?!8")\d+" width="([\d.]+)"', picture.read_text()
    )
    assert [kind for kind, _ in bars] == ["before", "after"] * 4
    assert all(0 < float(width) <= 340 for _, width in bars)


def test_a_document_without_the_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("nothing\n")
    assert draw(tmp_path / "x.md", tmp_path / "x.svg") == 1
    assert not (tmp_path / "x.svg").exists()


def test_every_variable_of_the_first_questions_is_documented() -> None:
    known = (SOURCE / "docs/environment.md").read_text()
    questions = (SOURCE / "docs/questions.md").read_text()
    for name in set(re.findall(r"\b(?:OMP|GOMP|KMP|BOBBIN)_[A-Z_]+[A-Z]\b", questions)):
        assert name in known or name == "OMP_NUM_THREAD", name
