# SPDX-License-Identifier: Apache-2.0
"""Makes the repository's root importable, as it is for bench/run and demo/run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
