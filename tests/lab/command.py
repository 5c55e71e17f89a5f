# SPDX-License-Identifier: Apache-2.0
"""`bobbin lab` as its users call it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
BOBBIN = os.environ.get("BOBBIN_COMMAND", str(ROOT / "build/release/bin/bobbin"))

ENVIRONMENT = {**os.environ, "BOBBIN_LAB_PYTHON": sys.executable}

# Neither waits for an idle machine nor repeats what others disturb.
CALM = ("--quiet-wait", "0", "--retries", "0")


def lab(
    *words: str | Path, cwd: Path, stdin: int | IO[bytes] = subprocess.DEVNULL
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BOBBIN, "lab", *map(str, words)],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=cwd,
        env=ENVIRONMENT,
    )
