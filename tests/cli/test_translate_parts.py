# SPDX-License-Identifier: Apache-2.0
"""Tasks that `bobbin translate` makes parts of their parents (docs/notes/inlined-tasks.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

TASK = """\
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int shared;
{before}
static void work(int n, int *p) {{
  if (n == 0) return;
#pragma omp task {clauses}
  {{
    {body}
  }}
  {behind}
}}
int main(void) {{ work(3, &shared); }}
"""

# What stands before the function, in the task, behind it, and the task's clauses.
PARTS = {
    "nothing": ("", "", "", ""),
    "recursion": ("", "work(n - 1, p);", "", ""),
    "clauses": ("", "shared = n;", "", "untied mergeable if(n > 2) default(shared) firstprivate(n)"),
    "library": ("", "double x = sqrt(n); char *c = malloc(9); printf(c, x); free(c);", "", ""),
    "the thread's number": ("", "shared = omp_get_thread_num();", "", ""),
    "an update": ("", "_Pragma(\"omp atomic\") shared += n;", "", ""),
    "a function": ("static int f(int n) { return n ? 2 * n : 1; }", "shared = f(n);", "", ""),
    "two functions": (
        "static int g(int n); static int f(int n) { return n ? g(n - 1) : 1; }\n"
        "static int g(int n) { return f(n); }", "shared = g(n);", "", "",
    ),
    "a group": ("", "_Pragma(\"omp taskgroup\") work(n - 1, p);", "", ""),
    "a prior child": ("", "_Pragma(\"omp task priority(n)\") shared = n;", "", ""),
    "what others do": ("void f(void);", "shared = n;", "f();", ""),
}  # fmt: skip
WAITING = {
    "a taskwait": ("", '_Pragma("omp task") p[0] = n; _Pragma("omp taskwait")', "", ""),
    "a function that waits": ("", "work(n - 1, p);", '_Pragma("omp taskwait")', ""),
}
TASKS = {
    "unknown function": ("void f(void);", "f();", "", ""),
    "one of its own with a known name": ("double sqrt2(double); void puts2(void);", "puts2();", "", ""),
    "what calls it": ("void f(void); static void g(void) { f(); }", "g();", "", ""),
    "what calls that": (
        "static void f(void); static void h(void) { f(); }\nvoid g(void); static void f(void) { g(); }",
        "h();", "", "",
    ),
    "a pointer": ("static void (*f)(void);", "f();", "", ""),
    "a function that calls back": (
        "typedef int compare(const void *, const void *); compare *other;",
        "qsort(p, (size_t)n, sizeof *p, other);", "", "",
    ),
    "a lock": ("static omp_lock_t lock;", "omp_set_lock(&lock); omp_unset_lock(&lock);", "", ""),
    "a critical section": ("", '_Pragma("omp critical") shared++;', "", ""),
    "a variable to wait for": ("static volatile int gate;", "while (!gate) { }", "", ""),
    "what a pointer to one is for": ("static volatile int *gate;", "while (!*gate) { }", "", ""),
    "a member to wait for": (
        "struct gate { volatile int open; }; static struct gate *gate;",
        "while (!gate->open) { }", "", "",
    ),
    "access as to a volatile one": ("", "while (!*(volatile int *)p) { }", "", ""),
    "an atomic variable": ("static _Atomic int gate;", "while (!gate) { }", "", ""),
    "gcc's atomic operations": ("", "while (!__atomic_load_n(p, __ATOMIC_ACQUIRE)) { }", "", ""),
    "gcc's older ones": ("", "while (!__sync_fetch_and_add(p, 0)) { }", "", ""),
    "assembly": ("", '__asm__ volatile("" ::: "memory");', "", ""),
    "an atomic read": ("", 'int v; _Pragma("omp atomic read") v = shared; (void)v;', "", ""),
    "a captured update": ("", 'int v; _Pragma("omp atomic capture") v = shared++; (void)v;', "", ""),
    "its depth": ("", "if (omp_in_final()) shared = 1;", "", ""),
    "an ICV": ("", "omp_set_num_threads(3);", "", ""),
    "taskyield": ("", '_Pragma("omp taskyield")', "", ""),
    "a region": ("", '_Pragma("omp parallel") shared = 1;', "", ""),
    "cancellation": ("", '_Pragma("omp cancel taskgroup")', "", ""),
    "thread-local": ("static __thread int own;", "own++;", "", ""),
    "threadprivate": ('static int own;\n_Pragma("omp threadprivate(own)")', "own++;", "", ""),
    "depend": ("", "", "", "depend(in: shared)"),
    "priority": ("", "", "", "priority(n)"),
    "detach": ("static omp_event_handle_t event;", "", "", "detach(event)"),
    "a child's depend": ("", '_Pragma("omp task depend(out: shared)") shared = n;', "", ""),
    "a child's child": (
        "void f(void);", '_Pragma("omp task") { _Pragma("omp task") f(); }', "", "",
    ),
    "a child's event": (
        "", 'omp_event_handle_t e; _Pragma("omp task detach(e)") { } omp_fulfill_event(e);', "", "",
    ),
    "a wait for some": ("", '_Pragma("omp taskwait depend(in: shared)")', "", ""),
    "a reduction": (
        "", '_Pragma("omp taskgroup task_reduction(+: shared)") { shared += 0; }', "", "",
    ),
    "variant": (
        "static void f(void) { }\n#pragma omp declare variant(f) match(implementation={vendor(bobbin)})\n"
        "static void g(void) { }", "g();", "", "",
    ),
}  # fmt: skip
KINDS = {"waitless_part": PARTS, "part": WAITING, "task": TASKS}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, cases in KINDS.items() for name in cases]
)
def test_what_is_a_part(bobbin: Path, kind: str, name: str, tmp_path: Path) -> None:
    before, body, behind, clauses = KINDS[kind][name]
    source = tmp_path / "work.c"
    source.write_text(TASK.format(before=before, body=body, behind=behind, clauses=clauses))
    result = run(bobbin, "translate", "--no-line-markers", source)
    assert (result.returncode, result.stderr) == (0, "")
    # The task's own children are made before it is.
    made = re.findall(r"bobbin_omp_(?:inlined_)?(\w+?)(?:_with)?\(work_task_\d+\b", result.stdout)
    assert made[-1] == kind


LEVEL = """\
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static long moved[20], levels;
static void work(int level) {
  if (level == 9) return;
  for (int i = 0; i < 2; i++) {
    int maker = omp_get_thread_num();
#pragma omp task firstprivate(maker)
    {
      if (omp_get_thread_num() != maker) {
#pragma omp atomic
        moved[level]++;
      }
      if (level > 6) usleep(10);
      work(level + 1);
    }
  }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel
#pragma omp single
  work(0);
  for (int i = 3; i < 9; i++) levels += moved[i];
  printf("%ld\\n", levels);
}
"""


def test_policy_by_levels_sees_each(bobbin: Path, tmp_path: Path) -> None:
    """It defers tasks down to a level only, so no level may be left out."""
    (tmp_path / "level.c").write_text(LEVEL)
    words = ("-O2", "-fopenmp", "level.c", "-o", "level")
    assert run(bobbin, "cc", "--translate", *words, cwd=tmp_path).returncode == 0
    for _ in range(5):
        ran = run(tmp_path / "level", OMP_NUM_THREADS="4", BOBBIN_TASK_POLICY="cutoff=level:3")
        assert (ran.returncode, ran.stdout) == (0, "0\n")
