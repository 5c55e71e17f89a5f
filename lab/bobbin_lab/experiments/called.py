# SPDX-License-Identifier: Apache-2.0
"""Runs a benchmark program by clang with its calls of the runtime's task functions timed, and
prints what they take as the figures of a benchmark (bench/task_calls.c):

    python called.py LIBRARY PROGRAM ARGUMENT...
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main(library: str, *command: str) -> int:
    if not Path(library).is_file():
        print(f'check=skipped what="{library}"')
        return 0
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures"
        first = ":".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))
        environment = {**os.environ, "LD_PRELOAD": first, "TASK_CALLS": str(figures)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        told = figures.read_text(encoding="utf-8") if figures.exists() else ""
    sys.stderr.write(done.stderr)
    if done.returncode == 0 and not told:
        sys.stdout.write('check=skipped what="a program by clang that makes tasks"\n')
        return 0
    sys.stdout.write(told)
    sys.stdout.write(done.stdout)  # its last line tells whether its result was right
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
