# SPDX-License-Identifier: Apache-2.0
"""The command `bobbin`, also by its names of one word: bobbin-cc is `bobbin cc`."""

from __future__ import annotations

import os
import sys

from bobbin_openmp import COMMAND

_OWN_FAILURE = 125  # as the command's own


def main(words: list[str] | None = None) -> None:
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["lab"]:
        _become_lab(words[1:])
    os.execv(COMMAND, [sys.argv[0], *words])  # it looks at the name


def _become_lab(words: list[str]) -> None:
    try:
        from bobbin_lab_programs import main as lab
    except ModuleNotFoundError as missing:
        if missing.name != "bobbin_lab_programs":
            raise
        text = "bobbin lab: the lab is a package of its own: pip install bobbin-lab"
        print(text, file=sys.stderr)
        sys.exit(_OWN_FAILURE)
    lab(words)
