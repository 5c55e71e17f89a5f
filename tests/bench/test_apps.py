# SPDX-License-Identifier: Apache-2.0
"""The task applications compute what their serial versions do, in every variant."""

from programs import suite

SIZES = {
    "fib": ("n=14",),
    "fft": ("n=2048", "leaf=64"),
    "floorplan": ("cells=5",),
    "health": ("levels=3", "days=20"),
    "knapsack": ("items=14",),
    "nqueens": ("n=7",),
    "sort": ("n=20000", "leaf=256"),
    "strassen": ("n=64", "leaf=8"),
}
CUTOFFS = [("cutoff=none",), *[(f"cutoff={kind}", "depth=2") for kind in ("if", "final", "manual")]]

TIED = [(name, *size, *cutoff) for name, size in SIZES.items() for cutoff in CUTOFFS]
UNTIED = [(f"{name}_untied", *arguments) for name, *arguments in TIED]
UNTIED_IF = [command for command in UNTIED if "cutoff=if" in command]
OTHERS = [
    (name + tiedness, *arguments)
    for name, arguments in (
        ("alignment", ("sequences=8", "length=40")),
        ("alignment", ("sequences=8", "length=40", "makers=all")),
        ("cholesky", ("blocks=6", "size=5")),
        ("cholesky", ("blocks=6", "size=5", "mode=phases")),
        ("concom", ("nodes=500", "edges=400")),
        ("strassen", ("n=64", "leaf=8", "mode=phases")),
    )
    for tiedness in ("", "_untied")
]

NOT_OF_TASKS_ALONE = [
    *[
        ("advection", "size=48", "planes=5", "steps=3", f"mode={mode}")
        for mode in ("breadth", "depth", "fused", "loops")
    ],
    *[
        ("advection_regions", "size=48", "planes=5", "regions=3", "steps=3", f"order={order}")
        for order in ("breadth", "depth", "recursive")
    ],
    *[
        ("sweep", "blocks=12", "kilobytes=4", "passes=3", f"work={work}", f"mode={mode}")
        for work in ("update", "count")
        for mode in ("breadth", "depth")
    ],
    ("scheduler", "blocks=12", "kilobytes=4", "components=3", "reps=3"),
    ("submission", "blocks=8", "grain=2", "size=2", "steps=4", "reps=3"),
    ("cluster", "records=120", "features=4", "stop=40"),
    ("cluster", "records=120", "features=4", "stop=40", "mode=flat"),
]

test_tied = suite(TIED, threads=[2])
test_untied = suite([command for command in UNTIED if command not in UNTIED_IF], threads=[2])
# libomp 19 fails an assertion where an if clause makes an untied task undeferred.
test_untied_if = suite(UNTIED_IF, threads=[2], runtimes=["libgomp", "bobbin", "bobbin-clang"])
test_others = suite(OTHERS, threads=[1, 3])
test_not_of_tasks_alone = suite(NOT_OF_TASKS_ALONE, threads=[1, 3])
