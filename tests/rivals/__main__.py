# SPDX-License-Identifier: Apache-2.0
"""Run the rivals' own tests on Bobbin: what their authors found worth testing, and what we forgot.

MPICH is no rival, but its tests are run in the same way, with the layer for MPI.

A test counts if the rival passes it here. It then shall pass on Bobbin with both providers, unless
known.toml says why not.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import libgomp
import libomp
import mpich
import sources
import translated
from outcome import Outcome, Plan

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def report(rival: str, outcomes: Iterable[Outcome]) -> bool:
    """Prints the result. Returns False if a test failed that is not known to fail."""
    known = tomllib.loads((HERE / "known.toml").read_text()).get(rival, {})
    set_aside: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    ways: list[str] = []
    total = unknown = 0
    for outcome in outcomes:
        if outcome.set_aside is not None:
            set_aside[outcome.set_aside] += 1
            continue
        total += 1
        ways = list(outcome.passed)
        passed.update(provider for provider, good in outcome.passed.items() if good)
        if failed := outcome.failed():
            reason = next(
                (why for name, why in known.items() if fnmatchcase(outcome.name, name)), None
            )
            unknown += reason is None
            print(
                f"  {outcome.name} on {' and '.join(failed)}: {reason or 'NOT KNOWN'}"
                + (f" ({outcome.problem})" if outcome.problem else ""),
                flush=True,
            )
    print(f"{rival}: {total} tests that it passes itself")
    for way in ways:
        print(f"  {passed[way]} pass on Bobbin ({way})")
    for reason, count in set_aside.most_common():
        print(f"  set aside, {reason}: {count}")
    return unknown == 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/rivals", description=__doc__)
    parser.add_argument("rivals", nargs="*", help="libgomp, libomp, mpich; all these if none is named; translated: libgomp's in C by the translator")
    parser.add_argument(
        "--match",
        default="",
        metavar="PATTERN",
        help="tests whose path has it (a regular expression)",
    )
    parser.add_argument("--gcc", default="12", help="version of GCC whose tests are taken (12)")
    parser.add_argument("--llvm", default="19", help="version of LLVM (19)")
    parser.add_argument("--threads", default="", metavar="N", help="OMP_NUM_THREADS (not set)")
    parser.add_argument(
        "--timeout", type=float, default=60, metavar="S", help="for one program, in seconds (60)"
    )
    parser.add_argument(
        "--build", type=Path, default=ROOT / "build/release", help="where Bobbin is (build/release)"
    )
    options = parser.parse_args()
    rivals = options.rivals or ["libgomp", "libomp", "mpich"]
    if not set(rivals) <= {"libgomp", "libomp", "mpich", "translated"}:
        parser.error("there are libgomp, libomp, mpich and translated")
    folder = ROOT / "build/rivals"

    def plan(tests: Path, built: str, name: str) -> Plan:
        library = options.build.resolve() / "lib/compat" / name
        wanted = (options.match, options.timeout, options.threads)
        return Plan(tests, folder / built, library, *wanted)

    good = True
    if "libgomp" in rivals:
        tests = sources.tests_of_libgomp(folder, options.gcc)
        good &= report(
            "libgomp", libgomp.run(plan(tests, f"built-gcc-{options.gcc}", "libgomp.so.1"))
        )
    if "translated" in rivals:
        tests = sources.tests_of_libgomp(folder, options.gcc)
        wanted = plan(tests, f"built-gcc-{options.gcc}", "libgomp.so.1")
        good &= report("translated", translated.run(wanted, options.build.resolve() / "bin/bobbin"))
    if "libomp" in rivals:
        tests = sources.tests_of_libomp(folder, options.llvm)
        wanted = plan(tests, f"built-llvm-{options.llvm}", "libomp.so.5")
        good &= report("libomp", libomp.run(wanted, options.llvm))
    if "mpich" in rivals:
        tests = sources.tests_of_mpich(folder)
        good &= report("mpich", mpich.run(plan(tests, "built-mpich", "libgomp.so.1")))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
