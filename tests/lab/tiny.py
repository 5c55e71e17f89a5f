# SPDX-License-Identifier: Apache-2.0
"""The benchmark programs at sizes that take moments."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from bobbin_lab.experiments.plan import Case

# These precede the stanza's own arguments. Of several with one name the first counts.
TREE = ("tree=S1",)
TINY: dict[str, tuple[str, ...]] = {
    "advection": ("size=48", "planes=5", "steps=3"),
    "advection_regions": ("size=48", "planes=5", "regions=3", "steps=3"),
    "alignment": ("sequences=8", "length=40"),
    "chain": ("tasks=2000",),
    "cholesky": ("blocks=6", "size=5"),
    "cluster": ("records=120", "features=4", "stop=40"),
    "concom": ("nodes=500", "edges=400"),
    "depend_map": ("rounds=2",),
    "fft": ("n=2048", "leaf=64"),
    "fib": ("n=14",),
    "fib_spawn": ("n=14",),
    "fiber_switch": ("seconds=0.005",),
    "floorplan": ("cells=5",),
    "gap": ("seconds=0.02",),
    "health": ("levels=3", "days=20"),
    "jacobi": ("blocks=6", "size=4", "sweeps=5"),
    "knapsack": ("items=14",),
    "own_barrier": ("rounds=20",),
    "pipeline": ("steps=3", "planes=5", "work=5"),
    "poll_critical": ("handovers=40",),
    "lu": ("blocks=12", "times=1"),
    "nested": ("tasks=4", "inner=8", "seconds=0"),
    "nqueens": ("n=7",),
    "overheads": ("sample_us=20", "samples=2", "delay_us=0.01"),
    "producer": ("tasks=2000",),
    "region": ("seconds=0.005",),
    "small_regions": ("regions=100",),
    "sort": ("n=20000", "leaf=256"),
    "strassen": ("n=64", "leaf=8"),
    "task_data": ("tasks=500", "turns=2", "samples=2"),
    "taskgroup_reduction": ("tasks=1000",),
    "taskloop": ("iterations=500",),
    "tasks_kept": ("most=2000",),
    "token": ("handovers=8",),
    "uts": (*TREE, "hashes=2"),
    "uts_aggregate": ("hashes=20000",),
    "uts_cilk": TREE,
    "uts_cilk_reducer": TREE,
    "uts_spawn": TREE,
    "uts_spawn_once": TREE,
    "uts_taskflow": TREE,
    "uts_tbb": TREE,
    "wavefront": ("blocks=6", "size=4", "sweeps=5"),
    "window": ("samples=5", "exchanges=20"),
}


def tiny(case: Case) -> Case:
    program, *arguments = case.argv
    name = Path(program).name.removesuffix("_untied").removesuffix("_calls_alone")
    assert name in TINY, f"give {name} a tiny size here"
    size = TINY[name]
    return dataclasses.replace(case, argv=(program, *size, *arguments))
