# SPDX-License-Identifier: Apache-2.0
"""`bobbin lab` as its users call it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
BOBBIN = os.environ.get("BOBBIN_COMMAND", str(ROOT / "build/release/bin/bobbin"))

# For Bobbin, BOBBIN_COMMAND would be an unknown setting.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "BOBBIN_COMMAND"}
ENVIRONMENT["BOBBIN_LAB_PYTHON"] = sys.executable

# It neither waits for an idle machine nor repeats disturbed runs.
CALM = ("--quiet-wait", "0", "--retries", "0")


# After so many seconds a run counts as hanging; other processes may load the machine.
PATIENCE_S = 600


def lab(
    *words: str | Path,
    cwd: Path,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BOBBIN, "lab", *map(str, words)],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        cwd=cwd,
        env={**ENVIRONMENT, **variables},
    )
