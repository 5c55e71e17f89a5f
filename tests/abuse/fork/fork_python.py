# SPDX-License-Identifier: Apache-2.0
"""The multiprocessing "fork" start method with a library that uses OpenMP in parent and children."""

import ctypes
import multiprocessing
import sys
import threading
from multiprocessing.context import ForkContext

# After so many seconds a child or a thread counts as hanging; other processes may load the machine.
TIMEOUT_S = 600


def work(library: ctypes.CDLL) -> tuple[int, int]:
    return library.py_sum(1000, 4), library.py_fib(12, 4)


EXPECTED = (500500, 144)


def load(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    library.py_sum.restype = ctypes.c_long
    library.py_sum.argtypes = [ctypes.c_long, ctypes.c_int]
    library.py_fib.restype = ctypes.c_long
    return library


def child(path: str, depth: int) -> None:
    assert work(load(path)) == EXPECTED
    if depth > 0:
        run_child(multiprocessing.get_context("fork"), path, depth - 1)


def run_child(context: ForkContext, path: str, depth: int) -> None:
    process = context.Process(target=child, args=(path, depth))
    process.start()
    process.join(TIMEOUT_S)
    if process.is_alive():
        process.kill()
        sys.exit(f"child hung (depth {depth})")
    if process.exitcode != 0:
        sys.exit(f"child ended with {process.exitcode} (depth {depth})")


def pool_square(path: str) -> tuple[int, int]:
    return work(load(path))


def main() -> None:
    path = sys.argv[1]
    context = multiprocessing.get_context("fork")
    library = load(path)

    run_child(context, path, 1)  # before the parent's first region
    assert work(library) == EXPECTED
    for _ in range(3):
        run_child(context, path, 1)
    with context.Pool(4) as pool:
        results = pool.map_async(pool_square, [path] * 40).get(TIMEOUT_S)
    assert results == [EXPECTED] * 40

    # ctypes releases the GIL: Python threads are inside regions while the main thread forks.
    stop = threading.Event()
    failures: list[BaseException] = []

    def region_loop() -> None:
        try:
            while not stop.is_set():
                assert work(library) == EXPECTED
        except BaseException as error:  # reported by the main thread
            failures.append(error)

    threads = [threading.Thread(target=region_loop, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            run_child(context, path, 0)
    finally:
        stop.set()
    for thread in threads:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()
    assert not failures, failures


if __name__ == "__main__":
    main()
