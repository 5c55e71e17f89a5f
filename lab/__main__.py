# SPDX-License-Identifier: Apache-2.0
"""bobbin lab: finds out what OpenMP runtimes cost."""

from __future__ import annotations

import sys

try:
    from bobbin_lab.app import main
except ModuleNotFoundError as missing:
    if (missing.name or "").startswith("bobbin_lab"):
        raise
    print(
        f"bobbin lab: {sys.executable} has no {missing.name}; `make lab` in the source tree sets "
        "up an environment, or name a python that has the packages of lab/requirements.txt in "
        "BOBBIN_LAB_PYTHON",
        file=sys.stderr,
    )
    sys.exit(125)  # the value of bobbin_lab.app, which cannot be imported

if __name__ == "__main__":
    main()
