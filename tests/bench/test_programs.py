# SPDX-License-Identifier: Apache-2.0
"""Each benchmark program gets its result right, on libgomp and on Bobbin, at small sizes."""

import os
import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(os.environ.get("BOBBIN_PROGRAMS", "build/release/bench"))
PRELOADS = {"libgomp": "", "bobbin": os.environ.get("BOBBIN_PRELOAD", "")}

SMALL = [
    ("region", "seconds=0.005"),
    ("fiber_switch", "seconds=0.005"),
    ("nested", "tasks=4", "inner=8"),
    ("token", "handovers=8"),
    ("gap", "period=1000", "seconds=0.02"),
    ("gap", "period=1000", "seconds=0.02", "idle=compute"),
    ("small_regions", "regions=100"),
    ("fib", "n=15"),
    ("uts", "tree=T3"),
    ("uts", "tree=T3", "mode=wait"),
    ("uts", "tree=T1", "mode=steal"),
    ("producer", "tasks=2000"),
    ("chain", "tasks=2000", "addresses=1"),
    ("chain", "tasks=2000", "addresses=7"),
    ("jacobi", "blocks=6", "size=4", "sweeps=5"),
    ("wavefront", "blocks=6", "size=4", "sweeps=5"),
    ("lu", "blocks=8", "times=1"),
    ("lu", "blocks=12", "fill=0.2", "times=1"),
    ("taskloop", "iterations=500", "turns=10"),
    ("taskgroup_reduction", "tasks=1000"),
]


@pytest.mark.parametrize("threads", [1, 2, 9])
@pytest.mark.parametrize("runtime", PRELOADS)
@pytest.mark.parametrize("command", SMALL, ids=" ".join)
def test_program(command: tuple[str, ...], runtime: str, threads: int) -> None:
    if runtime == "bobbin" and not PRELOADS[runtime]:
        pytest.skip("BOBBIN_PRELOAD names no library")
    env = {**os.environ, "OMP_NUM_THREADS": str(threads), "LD_PRELOAD": PRELOADS[runtime]}
    done = subprocess.run(
        [PROGRAMS / command[0], *command[1:]],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("check=ok")
