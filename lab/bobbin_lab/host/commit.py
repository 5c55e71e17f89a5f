# SPDX-License-Identifier: Apache-2.0
"""The commit that a build is of, without which a figure tells nothing about the code of today."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

# What figures are about, and the kinds of files that are compiled.
MEASURED = ("runtime", "bench")
_COMPILED = (".c", ".cpp", ".h", ".S")


def git(folder: Path, *words: str) -> str:
    """What it says; nothing if it fails, or is not there."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _newest(files: Iterable[Path]) -> float:
    return max((file.stat().st_mtime for file in files if file.is_file()), default=0.0)


def commit_of(libraries: Path) -> str:
    """What the libraries in this folder were built from, in words. Nothing: a copy of Bobbin that
    is installed, or has no history.
    """
    top = Path(git(libraries, "rev-parse", "--show-toplevel") or "/")
    if not (top / "lab" / "bobbin_lab").is_dir():
        return ""
    commit = f"commit {git(top, 'rev-parse', '--short=10', 'HEAD')}"
    if git(top, "status", "--porcelain", "--", *MEASURED):
        return f"{commit} with changes"
    source = _newest(f for f in (top / "runtime").rglob("*") if f.suffix in _COMPILED)
    if source > _newest(libraries.glob("*.so*")):
        return f"{commit} with an outdated build"
    return commit
