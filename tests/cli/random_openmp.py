# SPDX-License-Identifier: Apache-2.0
"""Small random C programs with OpenMP directives, whose output is the same with any number of threads."""

from __future__ import annotations

from random_loops import Loops
from random_regions import Regions
from random_tasks import Tasks

HEAD = """\
#include <stdio.h>

static long data[64];
static long total;
static long mix(long a, long b) { return (a * 31 + b) % 1000003; }
"""


class Maker(Loops, Regions, Tasks):
    """Makes functions `long fN(int n, long *a)`."""

    def function(self, number: int) -> str:
        kinds = (
            self.reduction, self.collapse, self.tasks, self.taskloop, self.sections, self.ordered,
            self.array, self.captures, self.triangle, self.transformed, self.doacross, self.scan, self.last,
            self.simd, self.league, self.tree, self.graph, self.group, self.sequence, self.nested, self.copies,
            self.declared, self.tickets, self.recursion, self.orphans,
        )  # fmt: skip
        body = self.random.choice(kinds)()
        return f"\nstatic long f{number}(int n, long *a) {{\n  (void)a;\n{body}\n}}\n"


def random_program(seed: int) -> str:
    maker = Maker(seed)
    count = maker.number(3, 8)
    functions = "".join(maker.function(i) for i in range(count))
    helpers = "".join("\n" + helper for helper in maker.helpers)
    # No loop is empty: after one with collapse and lastprivate GCC 12 assigns an unset value.
    calls = "".join(
        f'  data[0] = {maker.number(0, 99)};\n  printf("%ld\\n", f{i}({maker.number(8, 63)}, data));\n'
        for i in range(count)
    )
    return f"{HEAD}{helpers}{functions}\nint main(void) {{\n{calls}  return (int)total;\n}}\n"
