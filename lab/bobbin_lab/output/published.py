# SPDX-License-Identifier: Apache-2.0
"""What the documents publish: each marked section whose caption is a command of the lab."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bobbin_lab.output.captions import without_files

# Commands that measure and write a section. All but the last go on with a file of results.
_SECTION = re.compile(
    r"<!-- (?P<name>\S+) -->\n"
    r"`bobbin lab (?P<words>(?:run|paper|scale)\b[^`]*)`(?P<rest>[^\n]*)\n"
    r".*?<!-- /(?P=name) -->",
    re.DOTALL,
)


@dataclass(frozen=True)
class Piece:
    """A section, and the command that makes it."""

    document: Path
    name: str
    words: tuple[str, ...]  # without files
    caption: str  # what follows the command

    def is_of(self, commit: str) -> bool:
        """Whether that commit is the only one it names."""
        return re.findall(r"commit [0-9a-f]+(?: with [a-z ]+)?", self.caption) == [commit]

    def is_trusted(self) -> bool:
        """Whether at most a quarter of its runs are not. A paper's figure has only trusted ones."""
        told = re.search(r"(\d+) of (\d+) runs were trusted", self.caption)
        return self.words[0] == "paper" or not told or 4 * int(told[1]) >= 3 * int(told[2])

    def is_done(self, commit: str) -> bool:
        return self.is_of(commit) and self.is_trusted()

    def command(self, results: Path, commit: str) -> list[str]:
        """Goes on with the results, if there are any, unless they were complete and not trusted.
        `scale` takes its minutes at once.
        """
        if self.words[0] == "scale" or (self.words[0] == "run" and self.is_of(commit)):
            results.unlink(missing_ok=True)
        file = ["--resume" if results.exists() else "-o", str(results)]
        return [*self.words, *file, "--update", str(self.document)]


def pieces(folder: Path) -> Iterator[Piece]:
    """Of all documents in the folder. What says that it is not measured is none."""
    for document in sorted(folder.glob("*.md")):
        for found in _SECTION.finditer(document.read_text(encoding="utf-8")):
            if "not measured" not in found["rest"]:
                words = without_files(shlex.split(found["words"]))
                yield Piece(document, found["name"], tuple(words), found["rest"])
