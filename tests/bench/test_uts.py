# SPDX-License-Identifier: Apache-2.0
"""Every version of the tree search counts the trees exactly."""

import os
import subprocess
from pathlib import Path

import pytest
from programs import ENVIRONMENT, PATIENCE_S, RUNTIMES, passes, suite

VERSIONS = [
    ("uts", "tree=S3", "mode=serial", "hashes=3"),
    ("uts", "tree=S3"),
    ("uts", "tree=S1", "mode=threadprivate"),
    ("uts", "tree=S3", "mode=wait"),
    ("uts", "tree=S3", "mode=if", "in_place=0.01"),
    ("uts", "tree=S3", "mode=if", "in_place=90"),
    ("uts_untied", "tree=S3"),
    ("uts_untied", "tree=S3", "mode=wait"),
    ("uts", "tree=S1", "mode=steal"),
    ("uts", "tree=S3", "mode=steal", "chunk=20"),
    ("uts_aggregate", "hashes=20000", "k=3"),
    ("uts_aggregate", "hashes=20000", "k=50", "makers=all"),
    ("uts_aggregate", "hashes=20000", "k=7", "makers=two"),
    ("uts_aggregate", "hashes=20000", "mode=loop"),
    ("uts_aggregate_untied", "hashes=20000", "k=3"),
    ("uts_aggregate_untied", "hashes=20000", "k=50", "makers=all"),
]
test_uts = suite(VERSIONS, threads=[3])

# libomp 19 sometimes stops: "Assertion failure at kmp_tasking.cpp(1836): taskdata->td_last_tied".
test_uts_untied_if = suite(
    [("uts_untied", "tree=S3", "mode=if", "in_place=90")],
    threads=[3],
    runtimes=[runtime for runtime in RUNTIMES if runtime != "libomp"],
)


@pytest.mark.parametrize("tree", ["T1", "T2", "T3", "T4", "T5"])
@pytest.mark.parametrize("mode", ["serial", "tasks", "threadprivate", "wait", "if", "steal"])
def test_every_tree(tree: str, mode: str) -> None:
    if not os.environ.get("BOBBIN_PRELOAD"):
        pytest.skip("BOBBIN_PRELOAD names no library")
    passes(("uts", f"tree={tree}", f"mode={mode}"), "bobbin", 2)


@pytest.mark.parametrize("tree", ["T1", "T2", "T3", "T4", "T5"])
@pytest.mark.parametrize("program", ["uts_spawn", "uts_spawn_once"])
def test_every_tree_by_spawns(program: str, tree: str) -> None:
    passes((program, f"tree={tree}"), "libgomp", 2)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("program", ["uts_spawn", "uts_spawn_once", "fib_spawn"])
def test_spawns(program: str, threads: int) -> None:
    passes((program,), "libgomp", threads)


@pytest.mark.parametrize("tree", ["S3", "T1", "T2", "T3", "T4", "T5"])
@pytest.mark.parametrize("program", ["uts_tbb", "uts_taskflow", "uts_cilk", "uts_cilk_reducer"])
def test_without_openmp(program: str, tree: str) -> None:
    passes((program, f"tree={tree}"), "libgomp", 2)


# Each keyword stands for nothing.
SERIAL_CILK = """
#define cilk_spawn
#define cilk_sync
#define cilk_reducer(identity, reduce)
#pragma GCC diagnostic ignored "-Wunused-function"
"""


@pytest.mark.parametrize("tree", ["S3", "T1", "T2", "T3", "T4", "T5"])
@pytest.mark.parametrize("name", ["uts_cilk", "uts_cilk_reducer"])
def test_the_serial_elision_of_cilk(name: str, tree: str, tmp_path: Path) -> None:
    """Without its keywords OpenCilk's program is a C program, which needs no OpenCilk."""
    (tmp_path / "cilk").mkdir()
    (tmp_path / "cilk" / "cilk.h").write_text(SERIAL_CILK)
    source = Path(__file__).resolve().parents[2] / "bench" / "uts" / f"{name}.c"
    flags = [
        "-O2",
        "-Wall",
        "-Werror",
        "-DTOOLCHAIN_FOUND",
        f"-I{tmp_path}",
        f"-I{source.parents[1]}",
    ]
    program = tmp_path / name
    subprocess.run(["gcc", *flags, source, "-o", program, "-lm"], check=True)
    done = subprocess.run(
        [program, f"tree={tree}"],
        env={**ENVIRONMENT, "OMP_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.stdout.endswith("check=ok\n"), done.stdout + done.stderr


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_the_serial_reference_computes(runtime: str) -> None:
    figures = passes(("uts_aggregate", "hashes=200000", "mode=serial"), runtime, 1)
    values = {words["metric"]: float(words["value"]) for words in figures}
    assert values["time_ms"] > values["serial_ms"] / 20


@pytest.mark.parametrize("mode", ["tasks", "wait"])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_trace(runtime: str, mode: str) -> None:
    figures = passes(("uts", "tree=S3", f"mode={mode}", "trace=yes"), runtime, 2)
    values = {words["metric"]: float(words["value"]) for words in figures}
    nodes = [float(words["value"]) for words in figures if words["metric"] == "nodes"]
    assert len(nodes) == 2
    assert sum(nodes) == pytest.approx(193585, abs=10)  # figures have six digits
    assert 0 <= values["imbalance_loss"] <= 50
    assert 0 < values["outside_hashing"] < 100
    assert 0 <= values["tasks_of_others"] <= 193585


@pytest.mark.parametrize("mode", ["tasks", "wait"])
def test_a_suspended_task_moves_only_as_a_continuation(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which task moves is left to chance, that one does is not, with as many as here."""

    def moves(program: str) -> dict[str, float]:
        figures = passes((program, "tree=S3", f"mode={mode}", "trace=yes"), "bobbin", 4)
        told = {words["metric"]: float(words["value"]) for words in figures}
        return {name: told[name] for name in ("moves_at_task", "moves_at_wait")}

    assert sum(moves("uts_untied").values()) == 0
    monkeypatch.setitem(ENVIRONMENT, "BOBBIN_TASK_POLICY", "creation=continuation")
    assert sum(moves("uts").values()) == 0
    tried = [moves("uts_untied") for _ in range(5)]
    assert sum(one["moves_at_task"] for one in tried) > 0
    # There is nothing to wait for where nothing waits.
    assert (sum(one["moves_at_wait"] for one in tried) > 0) == (mode == "wait")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_efficiency_is_that_of_the_times(runtime: str) -> None:
    figures = passes(("uts_aggregate", "hashes=20000", "mode=loop"), runtime, 1)
    values = {words["metric"]: float(words["value"]) for words in figures}
    share = 100 * values["serial_ms"] / values["time_ms"]
    assert values["efficiency"] == pytest.approx(share, rel=1e-4)
