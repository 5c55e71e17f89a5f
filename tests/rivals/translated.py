# SPDX-License-Identifier: Apache-2.0
"""libgomp's tests in C through the translator: what it takes shall pass, and be C."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dejagnu
import libgomp
from outcome import Outcome, Plan, plain_environment


def try_one(plan: Plan, bobbin: Path, source: Path) -> Outcome:
    name = libgomp.name_of(source, "c")
    test = dejagnu.read(source.read_text(errors="replace"), "c")
    if (reason := libgomp.set_aside(plan, source, "c", test, name)) is not None:
        return Outcome(name, reason)
    program = libgomp.program_of(plan, f"translated {name}")
    program.unlink(missing_ok=True)
    built = libgomp.build([str(bobbin), "cc", "--translate"], source, test, program)
    if not program.exists():
        return Outcome(name, None, {"translated": False}, first_error(built.stderr))
    passed = libgomp.passes(program, test, plain_environment(plan), plan.seconds)
    return Outcome(name, None, {"translated": passed}, "" if passed else "it is translated, and fails")


def first_error(stderr: str) -> str:
    if "fault of Bobbin's" in stderr:
        return "the compiler refuses its translation"
    found = re.search(r"error: (.*)", stderr)
    return found[1] if found else "it is not linked"


def run(plan: Plan, bobbin: Path) -> Iterator[Outcome]:
    plan.built.mkdir(parents=True, exist_ok=True)
    chosen = [
        source
        for source, language in libgomp.programs(plan.tests)
        if language == "c" and re.search(plan.pattern, str(source))
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda source: try_one(plan, bobbin, source), chosen)
