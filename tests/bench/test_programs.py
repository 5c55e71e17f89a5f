# SPDX-License-Identifier: Apache-2.0
"""Each benchmark program gets its result right, on every runtime, at small sizes."""

import pytest
from programs import RUNTIMES, run, suite

COMMANDS = [
    ("region", "seconds=0.005"),
    ("fiber_switch", "seconds=0.005"),
    ("nested", "tasks=4", "inner=8"),
    ("token", "handovers=8"),
    ("pipeline", "steps=3", "planes=5", "work=5"),
    ("poll_critical", "handovers=40"),
    ("own_barrier", "regions=3", "rounds=20"),
    ("gap", "period=1000", "seconds=0.02"),
    ("gap", "period=1000", "seconds=0.02", "idle=compute"),
    ("small_regions", "regions=100"),
    ("fib", "n=15"),
    ("producer", "tasks=2000"),
    ("producer", "tasks=2000", "producers=2", "maxload=200"),
    ("uneven", "tasks=200", "shortest=20"),
    ("chain", "tasks=2000", "addresses=1"),
    ("chain", "tasks=2000", "addresses=7"),
    ("jacobi", "blocks=6", "size=4", "sweeps=5"),
    ("jacobi", "blocks=6", "size=4", "sweeps=5", "mode=phases"),
    ("wavefront", "blocks=6", "size=4", "sweeps=5"),
    ("lu", "blocks=8", "times=1"),
    ("lu", "blocks=12", "fill=0.2", "times=1"),
    ("lu", "blocks=12", "fill=0.2", "times=1", "mode=phases"),
    ("jacobi_untied", "blocks=6", "size=4", "sweeps=5"),
    ("lu_untied", "blocks=12", "fill=0.2", "times=1"),
    ("taskloop", "iterations=500", "turns=10"),
    ("taskgroup_reduction", "tasks=1000"),
    ("task_data", "bytes=64", "tasks=500", "samples=1"),
    ("task_data", "bytes=4096", "tasks=500", "samples=1", "clause=private"),
    ("task_data", "bytes=16384", "tasks=500", "samples=1", "kind=if"),
    ("task_data", "bytes=65536", "tasks=500", "samples=1", "kind=tree"),
    ("task_data", "bytes=1900", "tasks=500", "samples=1", "kind=loop"),
]

# Without OpenMP, so there is no runtime to replace.
BY_HAND = [
    ("gap_by_hand", "period=1000", "seconds=0.02"),
    ("gap_by_hand", "period=1000", "seconds=0.02", "idle=compute", "rise=20"),
    ("gap_by_hand", "period=1000", "seconds=0.02", "partner=spin"),
    ("gap_by_hand", "period=1000", "seconds=0.02", "partner=futex"),
    ("gap_by_hand", "period=1000", "seconds=0.02", "partner=none"),
]

# With the entry points for tasks replaced; only on one thread.
CALLS_ALONE = [
    ("fib_calls_alone", "n=15"),
    ("uts_calls_alone", "tree=S3", "mode=wait"),
    ("uts_calls_alone", "tree=S3", "mode=tasks"),
]

test_program = suite(COMMANDS, threads=[1, 2, 9])
test_calls_alone = suite(CALLS_ALONE, threads=[1], runtimes=["libgomp"])
test_by_hand = suite(BY_HAND, threads=[2], runtimes=["libgomp", "libomp"])


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_usage(runtime: str) -> None:
    assert run(("uts", "--help"), runtime, 1).stdout.startswith("uts [")
    wrong = run(("uts", "trees=T1"), runtime, 1)
    assert wrong.returncode == 2
    assert "trees=T1: no such argument" in wrong.stderr
