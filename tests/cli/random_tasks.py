# SPDX-License-Identifier: Apache-2.0
"""Bodies of functions `long f(int n, long *a)` with tasks."""

from __future__ import annotations

from random_parts import Parts


class Tasks(Parts):
    def tasks(self) -> str:
        flags = self.one_of(
            "", " untied", " mergeable", " if(n > 5)", " final(n > 30)", " priority(1)"
        )
        kind = self.one_of("inout: a[0]", "out: a[0]", "mutexinoutset: a[0]")
        order = "+=" if kind.startswith("mutex") else "= 3 * a[0] +"
        return f"""\
  long before = a[0];
#pragma omp parallel
#pragma omp single{self.one_of("", " nowait")}
  {{
    for (int i = 0; i < n; i++) {{
#pragma omp task depend({kind}){flags}
      {{
        a[0] {order} i + before;
        a[0] %= 100003;
      }}
    }}
#pragma omp taskwait
  }}
  return a[0];"""

    def taskloop(self) -> str:
        clause = self.one_of(
            "", f" grainsize({self.number(1, 9)})", f" num_tasks({self.number(1, 9)})"
        )
        return f"""\
  long values[64] = {{0}};
  int factor = {self.number(1, 9)};
#pragma omp parallel
#pragma omp {self.one_of("single", "masked", "master")}
#pragma omp taskloop{clause} firstprivate(factor) shared(values)
  {self.loop("i", "n")} values[i] = factor * (long)i;
  long sum = 0;
  for (int i = 0; i < 64; i++) sum = mix(sum, values[i]);
  return sum;"""

    def task_flags(self) -> str:
        return self.one_of(
            "",
            " untied",
            " mergeable",
            " if(n > 3)",
            " final(n < 5)",
            " priority(1)",
        )

    def tree(self) -> str:
        """Recursive tasks, which a taskwait or the end of a taskgroup waits for."""
        is_group = self.number(0, 1) == 1
        begin = "#pragma omp taskgroup\n  {" if is_group else "  {"
        end = "  }" if is_group else "#pragma omp taskwait\n  }"
        second = self.one_of("", f"#pragma omp task shared(parts){self.task_flags()}\n")
        name = self.named(
            f"""\
static long NAME(int n, long seed) {{
  long parts[2] = {{0, n}};
  if (n < 2) return mix(seed, n);
{begin}
#pragma omp task shared(parts){self.task_flags()}
  parts[0] = NAME(n - 1, seed + {self.number(1, 9)});
{second}  parts[1] = NAME(n - 2, seed * {self.number(2, 5)});
{end}
  return mix(parts[0], parts[1]);
}}
"""
        )
        return f"""\
  long result = 0;
#pragma omp parallel
#pragma omp {self.one_of("single", "masked", "single nowait")}
  result = {name}(n % 11, {self.number(1, 99)});
  return result;"""

    def recursion(self) -> str:
        """Recursive tasks in loops, blocks and branches, whose results are used in several ways."""
        flags = self.one_of("", " untied", " untied mergeable", " if(n > 3)", " final(n < 4)")
        count = self.number(2, 4)
        body = self.one_of(
            "parts[i] = NAME(n - 1 - i, seed + i);",
            "long inner = NAME(n - 1 - i, seed + i);\n      parts[i] += mix(inner, i);",
            "for (int j = 0; j < 2; j++) parts[i] += NAME(n - 2 - i, seed + j);",
            "parts[i] = i;\n      NAMEE(n - 1 - i, &parts[i]);",
        )
        between = self.one_of(
            "",
            "    if (i == 1) {\n      const long two[2] = {NAME(n - 3, own), i};\n"
            "      own = mix(two[0], two[1]);\n    }\n",
            "    if (i & 1) own += NAME(n - 2, own); else own ^= i;\n",
            "    switch (i) {\n    case 1:\n      own -= NAME(n - 3, i);\n      break;\n"
            "    default:\n      own++;\n    }\n",
        )
        wait = self.one_of("", "#pragma omp taskwait\n")
        result = self.one_of(
            "  return mix(mix(parts[0], parts[1]), last + own);",
            "  last = mix(mix(parts[0], parts[1]), last + own);\n  return NAME(last & 1, last);",
            "  struct pair all = {mix(parts[0], parts[1]), last + own};\n"
            "  return mix(all.first, all.second);",
        )
        name = self.named(
            f"""\
static long NAME(int n, long seed);
struct NAMEP {{ long first, second; }};
static __attribute__((unused)) void NAMEE(int n, long *to) {{
  long a = *to, b;
#pragma omp task shared(b){flags}
  b = NAME(n - 1, a);
  *to += NAME(n - 2, a);
#pragma omp taskwait
  *to = mix(*to, b);
}}
static long NAME(int n, long seed) {{
  long parts[4] = {{seed, n}}, own = mix(seed, n);
  if (n < 2) return own;
  for (int i = 0; i < {count}; i++) {{
#pragma omp task shared(parts) firstprivate(i){flags}
    {{
      {body}
    }}
{between}{wait}  }}
  long last = NAME(n / 2, own);
#pragma omp taskwait
{result.replace("struct pair", "struct NAMEP")}
}}
"""
        )
        return f"""\
  long result = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(result){self.one_of("", " untied")}
  result = {name}(n % 8, {self.number(1, 99)});
  return result;"""

    def orphans(self) -> str:
        """Tasks that end before their children do, with groups and waits here and there."""
        count = self.number(1, 3)
        behind = self.one_of("", "#pragma omp taskwait\n", "      own += mix(n, i);\n")
        wait = self.one_of("", "#pragma omp taskwait\n")
        name = self.named(
            f"""\
static void NAME(int n, long seed, long *sum) {{
#pragma omp atomic
  *sum += mix(seed, n);
  if (n < 2) return;
  long inner = 0, other = seed;
  for (int i = 0; i < {count}; i++) {{
#pragma omp task firstprivate(other){self.task_flags()}
    {{
      long own = other + i;
      NAME(n - 1 - i, own, sum);
{behind}#pragma omp atomic
      *sum += mix(own, i);
    }}
  }}
#pragma omp taskgroup
  {{
#pragma omp task shared(inner){self.task_flags()}
    NAME(n - 3, seed, &inner);
    other ^= n;
  }}
{wait}#pragma omp atomic
  *sum += mix(inner, other);
}}
"""
        )
        return f"""\
  long sum = {self.number(0, 9)};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
#pragma omp task shared(sum){self.one_of("", " untied")}
  {name}(n % 7, {self.number(1, 99)}, &sum);
  return sum;"""

    def graph(self) -> str:
        """Tasks of several kinds that depend on each other by the elements of an array."""
        size = self.number(2, 7)
        result = self.number(0, size - 1)
        kinds = "".join(
            f"""\
      if (i % 3 == {kind}) {{
        const int from = i % {size}, to = (i * {self.number(2, 5)} + 1) % {size};
#pragma omp task depend(in: a[from]) depend({self.one_of("out", "inout")}: a[to]){self.task_flags()}
        a[to] = mix(a[to] + a[from], i);
      }}
"""
            for kind in range(3)
        )
        wait = self.one_of(
            "",
            f"#pragma omp taskwait depend(in: a[{result}])\n    early = a[{result}];\n",
        )
        return f"""\
  long sum = 0, early = 0;
#pragma omp parallel
#pragma omp single
  {{
    for (int i = 0; i < n; i++) {{
{kinds}    }}
{wait}  }}
  for (int i = 0; i < {size}; i++) sum = mix(sum, a[i]);
  return mix(sum, early);"""

    def group(self) -> str:
        """Tasks of all threads, which create tasks themselves. All have ended at the end of the group."""
        nogroup = self.one_of(
            "#pragma omp task shared(sum)\n      {\n#pragma omp atomic\n        sum += mix(i, 5);\n      }",
            "#pragma omp taskloop nogroup shared(sum)\n"
            "      for (int j = 0; j < 3; j++) {\n#pragma omp atomic\n        sum += mix(i, j);\n      }",
        )
        return f"""\
  long sum = {self.number(0, 9)}, seen = 0;
  struct {{ char text[3]; long value; }} pair = {{"ab", {self.number(1, 9)}}};
#pragma omp parallel firstprivate(pair)
#pragma omp single
  {{
#pragma omp taskgroup
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate(pair){self.one_of("", " untied")} shared(sum)
    {{
      const long value = pair.value + i;
{nogroup}
#pragma omp atomic
      sum += value + pair.text[1];
    }}
    seen = sum;
  }}
  return mix(sum, seen);"""
