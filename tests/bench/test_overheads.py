# SPDX-License-Identifier: Apache-2.0
"""Every construct's overhead program checks that every delay took place, in every mode."""

import pytest
from programs import RUNTIMES, passes, run, suite

QUICK = ("sample_us=20", "samples=2", "delay_us=0.01")
COMMANDS = [
    ("overheads", f"construct={group}", *mode, *QUICK)
    for group in ("sync", "locks", "loop", "data", "task")
    for mode in ((), ("mode=nested",))
]

test_overheads = suite(COMMANDS, threads=[1, 3])


def overhead(construct: str, threads: int, *arguments: str) -> float:
    command = ("overheads", f"construct={construct}", "delay_us=0.01", *arguments)
    figures = passes(command, "libgomp", threads)
    return next(float(f["value"]) for f in figures if f["metric"] == "overhead_us")


def test_what_a_region_costs_once_is_not_missing_where_few_fill_a_sample() -> None:
    """With one region per sample nothing would remain besides the reference's own region."""
    for _ in range(3):  # one disturbance is a large part of short samples
        short = overhead("parallel", 16, "sample_us=1", "samples=9")
        if short > 0.4 * overhead("parallel", 16, "sample_us=5000", "samples=5"):
            return
    pytest.fail(f"{short} us")


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
