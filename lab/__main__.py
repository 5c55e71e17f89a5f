# SPDX-License-Identifier: Apache-2.0
"""bobbin lab: finds out what OpenMP runtimes cost."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

HOME = Path(__file__).resolve().parent


def fail_without(package: str | None) -> NoReturn:
    wanted = HOME / "requirements.txt"
    if (HOME.parent / "scripts" / "setup").is_file():
        how = "`make lab` sets up an environment"
    else:
        beside = os.access(HOME.parent, os.W_OK)
        folder = str(HOME.parent / "venv") if beside else "~/.bobbin-lab"
        how = (
            f"this sets up an environment: python3 -m venv {folder} && "
            f"{folder}/bin/python -m pip install -r {wanted}"
        )
        if not beside:
            how += f" && export BOBBIN_LAB_PYTHON={folder}/bin/python"
    print(
        f"bobbin lab: {sys.executable} has no {package}; {how}\nOr name a python that has the "
        f"packages of {wanted} in BOBBIN_LAB_PYTHON",
        file=sys.stderr,
    )
    sys.exit(125)  # the value of bobbin_lab.app, which cannot be imported


try:
    # Before minutes of compiling.
    import typer as _  # noqa: F401

    if "BOBBIN_LAB_PROGRAMS" in os.environ:
        from bobbin_lab.measure.compiled import use_compiled

        use_compiled(sys.argv[1:], HOME.parent / "programs")
    from bobbin_lab.app import main
except ModuleNotFoundError as missing:
    if (missing.name or "").startswith("bobbin_lab"):
        raise
    fail_without(missing.name)

if __name__ == "__main__":
    main()
