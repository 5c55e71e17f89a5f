# SPDX-License-Identifier: Apache-2.0
"""The parts of which random OpenMP programs are made."""

from __future__ import annotations

import random


class Parts:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.helpers: list[str] = []  # what stands before the functions

    def named(self, helper: str) -> str:
        """Puts a helper, with NAME for its name, before the functions. Returns its name."""
        name = f"help{len(self.helpers)}"
        self.helpers.append(helper.replace("NAME", name))
        return name

    def one_of(self, *choices: str) -> str:
        return self.random.choice(choices)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def schedule(self) -> str:
        chunk = self.number(1, 7)
        return self.one_of(
            "", " schedule(static)", f" schedule(static, {chunk})", f" schedule(dynamic, {chunk})",
            f" schedule(guided, {chunk})", f" schedule(monotonic: dynamic, {chunk})", " schedule(auto)",
        )  # fmt: skip

    def loop(self, variable: str, limit: str) -> str:
        """A loop with its header only; it visits numbers below the limit."""
        step = self.number(1, 3)
        by = (
            f"{variable}++"
            if step == 1
            else self.one_of(f"{variable} += {step}", f"{variable} = {variable} + {step}")
        )
        down = f"{variable}--" if step == 1 else f"{variable} -= {step}"
        return self.one_of(
            f"for (int {variable} = 0; {variable} < {limit}; {by})",
            f"for (long {variable} = {self.number(0, 3)}; {variable} <= {limit} - 1; {by})",
            f"for (int {variable} = {limit} - 1; {variable} >= 0; {down})",
            f"for (unsigned {variable} = 0; {limit} > {variable}; {by})",
        )
