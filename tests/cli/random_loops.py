# SPDX-License-Identifier: Apache-2.0
"""Bodies of functions `long f(int n, long *a)` with one loop that is divided among threads."""

from __future__ import annotations

from random_parts import Parts


class Loops(Parts):
    def reduction(self) -> str:
        operator = self.one_of("+", "^", "|", "&", "max", "min")
        combine = {
            "max": "if ({v} > r) r = {v};", "min": "if ({v} < r) r = {v};",
        }.get(operator, f"r {operator}= {{v}};")  # fmt: skip
        start = self.number(0, 50)
        value = f"mix(i, {self.number(1, 99)})"
        return f"""\
  long r = {start};
  {{
#pragma omp parallel for reduction({operator}: r){self.schedule()}
  {self.loop("i", "n")} {{
    {combine.format(v=value)}
  }}
  }}
  return r;"""

    def collapse(self) -> str:
        return f"""\
  long sum = 0;
  int last = -1;
#pragma omp parallel
  {{
    long own = {self.number(0, 5)} * 0;
#pragma omp for collapse(2) lastprivate(last){self.schedule()}
    {self.loop("i", "n")}
      {self.loop("j", "9")} {{
        own += i * 10 + j;
        last = (int)(i + j);
      }}
#pragma omp {self.one_of("atomic", "critical", "critical(name)")}
    sum += own;
  }}
  return mix(sum, last);"""

    def triangle(self) -> str:
        """A nest in which the inner loops depend on the outer ones."""
        inner = self.one_of(
            "for (int j = 0; j < i; j++)", "for (int j = i; j < n; j++)",
            "for (int j = n - 1; j >= i; j--)", "for (int j = 2 * i; j < i + 7; j++)",
            "for (int j = i; j <= 9; j++)", "for (int j = i - 3; j != i; j++)",
        )  # fmt: skip
        deep = self.one_of("", "for (int k = 0; k < 2; k++)", "for (int k = i; k > i - 3; k--)")
        k = "k" if deep else "0"
        collapse = 3 if deep else 2
        taskloop = "masked taskloop shared(sum)" + self.one_of(
            "", f" grainsize({self.number(1, 9)})"
        )
        return f"""\
  long sum = 0;
#pragma omp parallel
#pragma omp {self.one_of("for", taskloop)} collapse({collapse})
  {self.one_of("for (int i = 0; i < n; i++)", "for (int i = n; i > 2; i -= 3)")}
    {inner}
    {deep} {{
#pragma omp atomic
      sum += mix(i, 7 * (long)j + 3 * {k});
    }}
  return sum;"""

    def transformed(self) -> str:
        """Loops that gcc 12 executes as they are, because it does not know the directives."""
        sizes = f"{self.number(1, 7)}, {self.number(1, 7)}"
        one = self.one_of(
            "reverse", f"tile sizes({sizes})", f"stripe sizes({sizes})", "interchange"
        )
        other = self.one_of("", f"#pragma omp tile sizes({sizes})", "#pragma omp interchange")
        # Below `reverse` there may be no more than one loop that is associated.
        collapse = "" if one == "reverse" else self.one_of("", " collapse(2)")
        return f"""\
  long sum = 0;
#pragma omp parallel for reduction(+: sum){collapse}{self.schedule()}
#pragma omp {one}
{other}
  {self.loop("i", "n")}
    {self.loop("j", "9")}
      sum += mix(i, 7 * (long)j);
#pragma omp split counts({self.number(0, 9)}, omp_fill, {self.number(0, 9)})
  for (int i = 0; i < n; i++) sum = mix(sum, i);
  return sum;"""

    def doacross(self) -> str:
        down = self.number(1, 3)
        right = self.number(1, 2)
        collapse = self.one_of("", " collapse(2)")
        # Without collapse one thread executes a row, so a later iteration of it will do, too.
        vector = f"i - {down}, j + {0 if collapse else self.number(0, 2)}"
        return f"""\
  long cells[70][9];
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 9; j++) cells[i][j] = i + j;
#pragma omp parallel for ordered(2){collapse}{self.schedule()} shared(cells)
  for (int i = 4; i < n; i++)
    for (int j = 2; j < 7; j++) {{
#pragma omp ordered depend(sink: {vector}) depend(sink: i, j - {right})
      if (i - {down} >= 4 && j + 2 < 7) cells[i][j] += cells[i - {down}][j];
      if (j - {right} >= 2) cells[i][j] = mix(cells[i][j], cells[i][j - {right}]);
#pragma omp ordered depend(source)
    }}
  long sum = 0;
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 9; j++) sum = mix(sum, cells[i][j]);
  return sum;"""

    def scan(self) -> str:
        update, use = "s += mix(i, 5);", "values[i] = s;"
        kind = self.one_of("inclusive", "exclusive")
        first, second = (update, use) if kind == "inclusive" else (use, update)
        name = self.one_of("parallel for", "simd", "parallel for simd")
        return f"""\
  long values[64] = {{0}};
  long s = {self.number(0, 9)};
#pragma omp {name} reduction(inscan, +: s)
  for (int i = 0; i < n; i++) {{
    {first}
#pragma omp scan {kind}(s)
    {second}
  }}
  for (int i = 0; i < 64; i++) s = mix(s, values[i]);
  return s;"""

    def last(self) -> str:
        step = self.number(-4, 4)
        name = self.one_of("parallel for", "parallel for simd")
        return f"""\
  long at = {self.number(0, 9)};
  long found = -1;
  long sum = 0;
#pragma omp {name} linear(at: {step}) lastprivate(conditional: found) reduction(+: sum){self.schedule()}
  for (int i = 0; i < n; i++) {{
    sum += at * i;
    at += {step};
    if (mix(i, 1) % {self.number(2, 9)} == 1) found = i;
  }}
  return mix(mix(at, found), sum);"""

    def ordered(self) -> str:
        return f"""\
  long hash = {self.number(0, 9)};
#pragma omp parallel for ordered{self.schedule()} shared(hash)
  for (int i = 0; i < n; i++) {{
    long own = mix(i, n);
#pragma omp ordered
    hash = mix(hash, own);
  }}
  return hash;"""

    def array(self) -> str:
        return f"""\
  long bins[{self.number(3, 8)}] = {{1, 2}};
  int size = sizeof bins / sizeof bins[0];
#pragma omp parallel if({self.number(0, 1)}) reduction(+: bins)
  {{
#pragma omp for{self.schedule()} nowait
    {self.loop("i", "n")} bins[i % size] += i;
  }}
  long sum = 0;
  for (int i = 0; i < size; i++) sum = mix(sum, bins[i]);
  return sum;"""

    def captures(self) -> str:
        return f"""\
  struct {{ long seen; }} *nothing = 0;
  long count = {self.number(0, 9)};
  double half = 0.5;
  long (*function)(long, long) = mix;
#pragma omp parallel for{self.schedule()} default(none) shared(count, n) firstprivate(half, function)
  {self.loop("i", "n")} {{
    long seen = function(i, 3);
    double two = half * 4;
#pragma omp atomic {self.one_of("", "update", "relaxed", "seq_cst")}
    count += seen * (long)two;
  }}
  return count + (nothing != 0);"""

    def simd(self) -> str:
        """Chunks that begin and end anywhere in the inner loop, and a linear variable that follows them."""
        name = self.one_of(
            "simd", "simd safelen(4)", f"parallel for simd{self.schedule()}", "parallel loop"
        )
        loops = name.endswith("loop")
        step = self.number(1, 5)
        linear = "" if loops else f" linear(at: {step})"
        advance = "" if loops else f"at += {step};"
        return f"""\
  long sum = {self.number(0, 9)}, at = {self.number(0, 9)}, values[64 * 9] = {{0}};
#pragma omp {name} collapse(2) reduction(+: sum){linear}
  {self.loop("i", "n")}
    {self.loop("j", "9")} {{
      values[i * 9 + j] += {"i" if loops else "at"};
      sum += i ^ (long)j;
      {advance}
    }}
  for (int i = 0; i < 64 * 9; i++) sum = mix(sum, values[i]);
  return mix(sum, at);"""

    def league(self) -> str:
        target = self.one_of("", "target ")
        maps = " map(tofrom: sum, last)" if target else ""
        vector = self.one_of("", " simd")
        chunk = self.one_of("", f" dist_schedule(static, {self.number(1, 9)})")
        return f"""\
  long sum = {self.number(0, 9)}, scale = {self.number(1, 9)};
  int last = 0;
#pragma omp {target}teams distribute parallel for{vector} num_teams({self.number(1, 4)}){chunk}{self.schedule()} \\
    num_threads({self.number(1, 3)}) firstprivate(scale) lastprivate(last) reduction(+: sum){maps}
  {self.loop("i", "n")} {{
    sum += scale * (long)i;
    last = (int)i;
  }}
  return mix(sum, last);"""
