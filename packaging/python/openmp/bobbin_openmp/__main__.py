# SPDX-License-Identifier: Apache-2.0
"""python -m bobbin_openmp: the command; `doctor` alone looks at this Python."""

from __future__ import annotations

import sys

from bobbin_openmp.command import main

words = sys.argv[1:]
if words == ["doctor"]:
    words.append(sys.executable)
main(words)
