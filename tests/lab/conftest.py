# SPDX-License-Identifier: Apache-2.0
"""Makes the lab importable, as `bobbin lab` does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
