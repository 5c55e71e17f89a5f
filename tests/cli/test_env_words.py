# SPDX-License-Identifier: Apache-2.0
"""The words that a variable takes are those that it lists when it is given something else, and
those that docs/environment.md lists.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import run

DOCUMENT = Path(__file__).parents[2] / "docs/environment.md"
TRUTH = "true yes on 1 false no off 0"
UNITS = "B K M G T"
# Words as they are given, or units, which follow a number.
WORDS = {
    "OMP_DYNAMIC": TRUTH,
    "OMP_SCHEDULE": "static dynamic guided auto",
    "OMP_PROC_BIND": "true false primary master close spread",
    "OMP_PLACES": "threads cores ll_caches numa_domains sockets",
    "OMP_STACKSIZE": UNITS,
    "OMP_WAIT_POLICY": "active passive default",
    "OMP_DISPLAY_ENV": "true 1 false 0 verbose",
    "OMP_TARGET_OFFLOAD": "default mandatory disabled",
    "OMP_TOOL": "enabled disabled",
    "OMP_DEBUG": "enabled true 1 disabled false 0",
    "GOMP_STACKSIZE": UNITS,
    "GOMP_SPINCOUNT": "k M G T infinite infinity",
    "KMP_BLOCKTIME": "ns us ms s infinite infinity",
    "KMP_AFFINITY": "none disabled compact scatter balanced logical physical",
    "KMP_STACKSIZE": UNITS,
    "KMP_HW_SUBSET": "s sockets n numa_domains l3 ll_caches tiles c cores t threads",
    "KMP_LIBRARY": "throughput turnaround serial multiuser dedicated",
    "BOBBIN_PROVIDER": "auto fiber kernel",
    "BOBBIN_BIND": "strict soft",
    "BOBBIN_DYNAMIC": "batches ascending",
    "BOBBIN_SHARE": "full fair",
    "BOBBIN_TASK_MEMORY": UNITS,
}


def values_of(variable: str) -> str:
    """The second column of the variable's row. If that refers to another variable, the other's
    column.
    """
    for line in DOCUMENT.read_text().splitlines():
        cells = line.split(" | ")
        if cells[0].startswith("|") and f"`{variable}`" in cells[0]:
            if other := re.match(r"as `(\w+)`", cells[1]):
                return values_of(other[1])
            return f"{cells[1]} {TRUTH}" if "truth value" in cells[1] else cells[1]
    raise LookupError(variable)


def given(variable: str, word: str) -> str:
    goes_with_a_number = variable == "KMP_HW_SUBSET" or word in "B K k M G T ns us ms s".split()
    return f"1{word}" if goes_with_a_number else word


@pytest.mark.parametrize("variable", WORDS)
def test_the_words_are_taken_told_and_written(bobbin: Path, variable: str) -> None:
    complaint = run(bobbin, "env", **{variable: "1;"}).stderr
    assert f"{variable}='1;' is not understood" in complaint
    written = values_of(variable)
    for word in WORDS[variable].split():
        said = run(bobbin, "env", **{variable: given(variable, word)}).stderr
        assert "not understood" not in said
        whole = re.compile(rf"\b{word}\b")
        assert whole.search(complaint.partition("(expected")[2]), word
        assert whole.search(written), word
