# SPDX-License-Identifier: Apache-2.0
"""Bodies of functions `long f(int n, long *a)` with regions of several constructs."""

from __future__ import annotations

from random_parts import Parts


class Regions(Parts):
    def sections(self) -> str:
        return f"""\
  long x = {self.number(1, 9)}, y = 0, z = 0;
  int last = 0;
#pragma omp parallel sections firstprivate(x) lastprivate(last)
  {{
    {{ y = x * n; last = 1; }}
#pragma omp section
    {{ long w = x + n; z = w; last = 2; }}
#pragma omp section
    {{ last = (int)x + 7; }}
  }}
  return mix(mix(x, y), mix(z, last));"""

    def phase(self) -> str:
        """One construct in a region. All threads have ended it when the next one begins."""
        value = f"mix(a[i], {self.number(1, 99)})"
        chunk = self.number(1, 5)
        first, second = self.number(0, 31), self.number(32, 63)
        return self.one_of(
            f"""\
#pragma omp for{self.schedule()}
    for (int i = 0; i < n; i++) a[i] = {value};
""",
            # The same threads have the same iterations.
            f"""\
#pragma omp for schedule(static, {chunk}) nowait
    for (int i = 0; i < n; i++) a[i] = {value};
#pragma omp for schedule(static, {chunk})
    for (int i = 0; i < n; i++) a[i] = {value};
""",
            f"""\
#pragma omp single
    a[{first}] = mix(a[{first}], a[{second}]);
""",
            f"""\
#pragma omp {self.one_of("masked", "master")}
    a[{first}] = mix(a[{first}], a[{second}]);
#pragma omp barrier
""",
            f"""\
#pragma omp sections
    {{
      a[{first}] = mix(a[{first}], {self.number(1, 99)});
#pragma omp section
      a[{second}] = mix(a[{second}], {self.number(1, 99)});
    }}
""",
            f"""\
#pragma omp for reduction(+: sum){self.schedule()}
    for (int i = 0; i < n; i++) sum += {value};
""",
            f"""\
#pragma omp single
    for (int i = 0; i < n; i++)
#pragma omp task
      a[i] = {value};
""",
            f"""\
#pragma omp for{self.schedule()} nowait
    for (int i = 0; i < n; i++) {{
#pragma omp critical
      sum = sum + {value} % 100;
    }}
#pragma omp barrier
""",
            f"""\
#pragma omp single
#pragma omp parallel for num_threads({self.number(1, 3)}){self.schedule()}
    for (int i = 0; i < n; i++) a[i] = {value};
""",
        )

    def sequence(self) -> str:
        phases = "".join(self.phase() for _ in range(self.number(2, 7)))
        return f"""\
  long sum = 0;
  for (int i = 0; i < 64; i++) a[i] = mix(i, {self.number(1, 99)});
#pragma omp parallel{self.one_of("", f" num_threads({self.number(1, 6)})")}
  {{
{phases}  }}
  for (int i = 0; i < 64; i++) sum = mix(sum, a[i]);
  return sum;"""

    def nested(self) -> str:
        return f"""\
  long sums[4] = {{0}}, sum = 0;
#pragma omp parallel for num_threads({self.number(1, 4)}){self.schedule()}
  for (int k = 0; k < 4; k++) {{
    long own = k;
#pragma omp parallel for num_threads({self.number(1, 3)}) reduction(+: own){self.schedule()}
    {self.loop("i", "n")} own += mix(i, k);
    sums[k] += own;
  }}
  for (int k = 0; k < 4; k++) sum = mix(sum, sums[k]);
  return sum;"""

    def copies(self) -> str:
        """A thread's own variable, and a value that one thread gives to all."""
        name = self.named("static long NAME;\n#pragma omp threadprivate(NAME)\n")
        return f"""\
  long sum = 0, one = 0;
  {name} = {self.number(1, 9)};
#pragma omp parallel copyin({name}) firstprivate(one) reduction(+: sum)
  {{
    {name} += {self.number(1, 9)};
#pragma omp single copyprivate(one)
    one = mix(n, {name});
#pragma omp for{self.schedule()}
    {self.loop("i", "n")} sum += one * {name} + i;
  }}
  return sum;"""

    def declared(self) -> str:
        name = self.named(
            """\
struct NAME { long low, high; };
static void NAME_join(struct NAME *to, const struct NAME *from) {
  if (from->low < to->low) to->low = from->low;
  if (from->high > to->high) to->high = from->high;
}
#pragma omp declare reduction(NAME_join: struct NAME: NAME_join(&omp_out, &omp_in)) \\
    initializer(omp_priv = (struct NAME){1000000000, -1})
"""
        )
        return f"""\
  struct {name} range = {{{self.number(0, 999999)}, {self.number(0, 99)}}};
#pragma omp parallel for reduction({name}_join: range){self.schedule()}
  {self.loop("i", "n")} {{
    const struct {name} one = {{mix(i, 7), mix(i, 77)}};
    {name}_join(&range, &one);
  }}
  return mix(range.low, range.high);"""

    def tickets(self) -> str:
        """Each iteration takes a number of its own."""
        take = self.one_of(
            "#pragma omp atomic capture\n    ticket = next++;",
            "#pragma omp atomic capture seq_cst\n    { ticket = next; next += 1; }",
            "#pragma omp critical(tickets)\n    ticket = next++;",
        )
        return f"""\
  int next = 0, taken[64] = {{0}};
  long sum = 0;
#pragma omp parallel for{self.schedule()} shared(next, taken)
  for (int i = 0; i < n; i++) {{
    int ticket;
{take}
    taken[ticket]++;
  }}
  for (int i = 0; i < 64; i++) sum = mix(sum, taken[i]);
  return mix(sum, next);"""
