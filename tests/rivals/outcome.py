# SPDX-License-Identifier: Apache-2.0
"""The tests to run, and the outcome of one test of a rival."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

PROVIDERS = ("fiber", "kernel")


@dataclass(frozen=True)
class Plan:
    tests: Path  # the folder of the rival's tests
    built: Path  # for what is built from them
    library: Path  # Bobbin, under the rival's name
    pattern: str  # for the paths of the wanted tests
    seconds: float  # time limit of a program
    threads: str  # OMP_NUM_THREADS; empty: not set


@dataclass(frozen=True)
class Outcome:
    name: str
    set_aside: str | None  # why it says nothing about Bobbin
    passed: dict[str, bool] = field(default_factory=dict)  # by provider, or "translated"
    problem: str = ""  # why it did not pass, as far as it is known

    def failed(self) -> list[str]:
        return [provider for provider, passed in self.passed.items() if not passed]


def plain_environment(plan: Plan) -> dict[str, str]:
    ours = ("OMP_", "GOMP_", "KMP_", "BOBBIN_", "LIBOMP_", "LD_")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return plain | ({"OMP_NUM_THREADS": plan.threads} if plan.threads else {})
