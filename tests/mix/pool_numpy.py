# SPDX-License-Identifier: Apache-2.0
"""NumPy and MKL from PyPI beside libraries of gcc and of clang, in one process on one pool.

Run by an interpreter that has numpy, mkl, mkl_fft and intel-openmp: `scripts/setup mkl` makes one.
NumPy's own OpenBLAS has threads of its own, which have nothing to do with OpenMP: it gets one.

Of MKL's layers for threads, libmkl_rt takes that of GNU wherever a libgomp.so.1 is in the process, as on
Bobbin, even if MKL_THREADING_LAYER asks for Intel's; a program's call of mkl_set_threading_layer decides.
With Intel's, MKL opens the libiomp5.so that lies beside it by its path. It is mapped then, but no call
leads there.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import sys
import threading
import time
from pathlib import Path

import numpy as np

# For idle threads to end. After so long something keeps them.
PATIENCE_S = 600
ROW_MAJOR, NO_TRANSPOSE = 101, 111
SIZE = 400
RUNTIME = re.compile(r"lib(gomp|omp|iomp5)[-.]")
LAYER = re.compile(r"libmkl_(\w+)_thread\.")
INTEL_LAYER = 0  # MKL_THREADING_INTEL
OMP_PAUSE_SOFT = 1

_failures: list[str] = []


def check(condition: bool, what: str) -> None:
    if not condition:
        _failures.append(what)


def multiply(mkl: ctypes.CDLL, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    c = np.zeros((SIZE, SIZE))
    one, zero, size = ctypes.c_double(1), ctypes.c_double(0), ctypes.c_int(SIZE)
    pointers = [m.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for m in (a, b, c)]
    mkl.cblas_dgemm(
        ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size, size, size, one, pointers[0], size, pointers[1],
        size, zero, pointers[2], size,
    )  # fmt: skip
    return c


def kernel_threads() -> int:
    return len(os.listdir("/proc/self/task"))


def names_of_kernel_threads() -> set[str]:
    return {(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()}


def mapped_files() -> set[str]:
    """Names of files that have code in the process."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return {Path(line.split()[-1]).name for line in lines if " r-xp " in line and "/" in line}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("libraries", type=Path, help="folder with libpool_gnu.so, libpool_llvm.so")
    parser.add_argument("--set-intel-layer", action="store_true", help="by a call")
    options = parser.parse_args()

    mkl = ctypes.CDLL(str(next(Path(sys.prefix, "lib").glob("libmkl_rt.so*"))))
    if options.set_intel_layer:
        mkl.MKL_Set_Threading_Layer(INTEL_LAYER)
    import mkl_fft

    pools = [ctypes.CDLL(str(options.libraries / f"libpool_{kind}.so")) for kind in ("gnu", "llvm")]
    for pool in pools:
        pool.pool_sum.restype = pool.pool_fib.restype = ctypes.c_long

    generator = np.random.default_rng(1)
    a, b = generator.random((SIZE, SIZE)), generator.random((SIZE, SIZE))
    wanted = a @ b

    def work() -> None:
        for _ in range(5):
            check(np.allclose(multiply(mkl, a, b), wanted), "dgemm")
            check(np.allclose(mkl_fft.fft2(a), np.fft.fft2(a)), "fft2")
            for pool in pools:
                check(pool.pool_sum(4, 1000) == 500500, "pool_sum")
                check(pool.pool_fib(4, 12) == 144, "pool_fib")

    work()
    others = [threading.Thread(target=work) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()

    check(mkl.mkl_get_max_threads() == len(os.sched_getaffinity(0)), "MKL's number of threads")
    files = mapped_files()
    runtimes = {name for name in files if RUNTIME.match(name) or "bobbin" in name}
    layers = {found[1] for found in map(LAYER.match, files) if found}
    print("runtimes:", *sorted(runtimes), "layer:", *layers)
    if os.environ.get("BOBBIN_PROVIDER"):
        mapped = {"libiomp5.so"} if options.set_intel_layer else set()
        check(runtimes == {"libbobbin.so.1"} | mapped, f"runtimes: {runtimes}")
        check(layers == {"intel" if options.set_intel_layer else "gnu"}, f"layers: {layers}")
        # As libiomp5's threads are called.
        check("openmp_worker" not in names_of_kernel_threads(), "libiomp5 has threads")
    if os.environ.get("BOBBIN_PROVIDER") == "fiber":
        # In addition: the monitor, and one that stands by for the root. Spare threads rest until a
        # pause.
        most = len(os.sched_getaffinity(0)) + 2
        deadline = time.monotonic() + PATIENCE_S
        while kernel_threads() > most and time.monotonic() < deadline:
            ctypes.CDLL(None).omp_pause_resource_all(OMP_PAUSE_SOFT)
            time.sleep(0.05)
            work()
        check(kernel_threads() <= most, f"{kernel_threads()} kernel threads, at most {most} wanted")
    print(f"{kernel_threads()} kernel threads")
    for failure in sorted(set(_failures)):
        print(f"FAILED {failure}")
    return 1 if _failures else 0


if __name__ == "__main__":
    sys.exit(main())
