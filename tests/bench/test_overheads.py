# SPDX-License-Identifier: Apache-2.0
"""Every construct's overhead program checks that every delay took place, in every mode."""

import pytest
from programs import RUNTIMES, passes, run, suite

QUICK = ("sample_us=20", "samples=2", "delay_us=0.01")
COMMANDS = [
    *[("overheads", f"construct={group}", *QUICK) for group in ("sync", "locks", "loop", "data")],
    ("overheads", "construct=task", *QUICK),
    ("overheads", "construct=sync", "mode=nested", *QUICK),
    ("overheads", "construct=task", "mode=nested", *QUICK),
]

test_overheads = suite(COMMANDS, threads=[1, 3])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_oversubscribed(runtime: str) -> None:
    passes(("overheads", "construct=barrier", "mode=oversubscribed", *QUICK), runtime, 2)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_construct_is_measured(runtime: str) -> None:
    listed = run(("overheads", "list=yes"), runtime, 2).stdout.splitlines()
    named = {line.split()[0] for line in listed if line.startswith("construct=")}
    measured = {
        f"construct={words['construct']}"
        for words in passes(("overheads", *QUICK), runtime, 2)
        if words["metric"] == "overhead_us"
    }
    skipped = {line.split()[0] for line in listed if "skipped=" in line}
    assert measured | skipped == named
    assert len(measured) >= 40
