# SPDX-License-Identifier: Apache-2.0
"""`bobbin translate` and `bobbin cc --translate`."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from conftest import FIB_FUNCTION, PROGRAMS, build_directory, calls_of_fib, clean_environment, run
from random_openmp import random_program

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

HERE = Path(__file__).parent
OMP = HERE.parent / "omp"
GOLDEN = sorted((HERE / "translate").glob("*.c"))
INCLUDE = f"-I{HERE.parents[1] / 'include'}"
GENERATED_FOR_S = float(os.environ.get("BOBBIN_RANDOM_S", "20"))

FIB = """\
#include <stdio.h>
#include "fib.h"
int main(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(TEST);
  printf("%d\\n", result);
}
"""
LINES = """\
#include <stdio.h>
int main(void) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 6; i++) {
    double w = i;
    total += w;
  }
  puts("behind it");
  printf("%g\\n", total);
}
"""
FIB_TASKS = 21891  # of programs/fib_tasks.c: 10,945 calls make two each, and one makes the first


def translated_programs() -> set[str]:
    text = (OMP / "translated.cmake").read_text()
    return set(re.findall(r"^omp_translated\(c/(\w+)\.c", text, re.MULTILINE))


# Their subject is what native compilers' code tells the runtime, and variables of LLVM's.
NOT_TRANSLATED = {"call_places", "affinity_turns"}


def test_each_program_is_translated() -> None:
    programs = {path.stem for path in (OMP / "c").glob("*.c")}
    assert translated_programs() == programs - NOT_TRANSLATED


# gcc may say twice that the header before the source is left.
def without_first_marker(text: str) -> str:
    return re.sub(r'\A(\s*# 1 ".*"\n)*\s*', "", text)


@pytest.mark.parametrize("source", GOLDEN, ids=lambda path: path.stem)
def test_output_is_as_reviewed(bobbin: Path, source: Path, tmp_path: Path) -> None:
    shutil.copy(source, tmp_path)
    result = run(bobbin, "translate", "--self-contained", source.name, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    text = result.stdout.rpartition('/native_inline.h"')[2].partition(f'# 1 "{source.name}"\n')[2]
    assert without_first_marker(text) == without_first_marker(
        source.with_suffix(".expected").read_text()
    )


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("source", GOLDEN, ids=lambda path: path.stem)
def test_output_has_no_warnings(
    bobbin: Path, source: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    out = tmp_path / "out.c"
    assert run(bobbin, "translate", f"--cc={name}", source, "-o", out).returncode == 0
    words = ("-Wall", "-Werror", "-O2", "-fopenmp-simd", INCLUDE, "-c", out, "-o", tmp_path / "out.o")
    result = run(name, *words)
    assert (result.returncode, result.stderr) == (0, "")
    symbols = run("nm", "-u", tmp_path / "out.o").stdout
    assert "GOMP_" not in symbols
    assert "__kmpc_" not in symbols


@pytest.fixture
def fib(tmp_path: Path) -> Path:
    (tmp_path / "fib.h").write_text(FIB_FUNCTION)
    (tmp_path / "fib.c").write_text(FIB)
    return tmp_path


def test_compile_and_link(bobbin: Path, fib: Path) -> None:
    words = ("-O2", "-Wall", "-Werror", "-fopenmp", "-DTEST=20", "fib.c", "-o", "fib")
    result = run(bobbin, "cc", "--translate", *words, cwd=fib)
    assert (result.returncode, result.stderr) == (0, "")
    assert run(fib / "fib").stdout == "6765\n"
    assert "libgomp" not in run("ldd", fib / "fib").stdout


def test_compile_then_link_with_dependencies(bobbin: Path, fib: Path) -> None:
    (fib / "other.c").write_text("int other(void) { return 0; }\n")
    translate = (bobbin, "cc", "--translate", "-fopenmp")
    first = run(*translate, "-MD", "-DTEST=10", "-c", "fib.c", "-o", "build.o", cwd=fib)
    assert first.returncode == 0
    rule = (fib / "build.d").read_text()
    assert rule.startswith("build.o:")
    assert "fib.h" in rule
    assert run(*translate, "-c", "other.c", "fib.c", "-DTEST=1", cwd=fib).returncode == 0
    assert run(*translate, "build.o", "other.o", "-o", "fib", cwd=fib).returncode == 0
    assert run(fib / "fib").stdout == "55\n"
    assert (fib / "fib.o").exists()


def test_assembly_and_what_is_not_translated(bobbin: Path, fib: Path) -> None:
    words = ("-fopenmp", "-DTEST=1", "-S", "fib.c")
    assert run(bobbin, "cc", "--translate", *words, cwd=fib).returncode == 0
    assert "bobbin_omp_task" in (fib / "fib.s").read_text()
    preprocessed = run(bobbin, "cc", "--translate", "-fopenmp", "-E", "fib.c", cwd=fib)
    assert "#pragma omp task" in preprocessed.stdout
    words = ("-DTEST=12", "fib.c", "-o", "serial")
    assert run(bobbin, "cc", "--translate", *words, cwd=fib).returncode == 0
    assert run(fib / "serial").stdout == "144\n"
    assert "libbobbin" not in run("ldd", fib / "serial").stdout


def test_standard_input(bobbin: Path, fib: Path) -> None:
    words = "cc --translate -fopenmp -DTEST=9 -x c - -o fib".split()
    subprocess.run(
        [bobbin, *words], input=FIB, text=True, cwd=fib, env=clean_environment(), check=True
    )
    assert run(fib / "fib").stdout == "34\n"


INTRINSICS = """
#include <immintrin.h>
double a[64];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i += 2) _mm_storeu_pd(a + i, _mm_add_pd(_mm_set1_pd(1), _mm_setzero_pd()));
  for (int i = 0; i < 64; i++) if (a[i] != 1) return 1;
  return 0;
}
"""


# GCC's header has many functions that Clang, which parses it, does not know.
@pytest.mark.skipif(platform.machine() != "x86_64", reason="a header of x86-64")
def test_intrinsics_of_gcc(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "simd.c").write_text(INTRINSICS)
    words = ("-O2", "-fopenmp", "simd.c", "-o", "simd")
    assert run(bobbin, "cc", "--translate", *words, cwd=tmp_path).stderr == ""
    assert run(tmp_path / "simd").returncode == 0


def test_lines_are_the_users(bobbin: Path, fib: Path) -> None:
    words = ("-g", "-O0", "-fopenmp", "-DTEST=3", "fib.c", "-o", "fib")
    assert run(bobbin, "cc", "--translate", *words, cwd=fib).returncode == 0
    if shutil.which("gdb") is None:
        pytest.skip("no gdb (scripts/setup test)")
    commands = ("-ex", "break fib.h:5", "-ex", "run", "-ex", "frame", "-ex", "info locals")
    result = run("gdb", "-nx", "-batch", *commands, "fib", cwd=fib)
    assert re.search(r"fib_task_4 .*fib\.h:5$", result.stdout, re.MULTILINE), result.stdout
    assert re.search(r"^n = [23]$", result.stdout, re.MULTILINE)


# The generated lines behind it, and those of the region's function, are not at the line.
def test_breakpoint_behind_a_region(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "lines.c").write_text(LINES)
    words = ("-g", "-O0", "-fopenmp", "lines.c", "-o", "lines")
    assert run(bobbin, "cc", "--translate", *words, cwd=tmp_path).returncode == 0
    if shutil.which("gdb") is None:
        pytest.skip("no gdb (scripts/setup test)")
    commands = ("-ex", "break 9", "-ex", "run", "-ex", "info breakpoints", "-ex", "continue")
    result = run("gdb", "-nx", "-batch", *commands, "lines", cwd=tmp_path)
    assert "in main at lines.c:9" in result.stdout
    assert "behind it\n15\n" in result.stdout
    assert "exited normally" in result.stdout
    more = run("gdb", "-nx", "-batch", "-ex", "break 7", *commands[2:4], "-ex", "print total", "lines",
               cwd=tmp_path)  # fmt: skip
    assert re.search(r"^\$1 = \d", more.stdout, re.MULTILINE), more.stdout


# Of shadowing and of extensions of C only the user's code is told.
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("language", ["-std=gnu17", "-std=c99", "-std=c89"])
def test_no_warnings_of_generated_lines(
    bobbin: Path, language: str, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    words = ("-Wall", "-Wextra", "-Wshadow", "-pedantic-errors", "-Werror", language)
    source = PROGRAMS / "unwarned.c"
    product = ("-O2", "-fopenmp", "-c", source, "-o", tmp_path / "out.o")
    result = run(bobbin, "cc", f"--cc={name}", "--translate", *words, *product)
    assert (result.returncode, result.stderr) == (0, "")
    told = run(bobbin, "cc", f"--cc={name}", "--translate", "-DSHADOWS", *words, *product)
    assert "shadows a" in told.stderr


def test_line_markers_can_be_left_out(bobbin: Path, fib: Path) -> None:
    words = ("--no-line-markers", "fib.c", "-o", "out.c", "--", "-DTEST=9")
    assert run(bobbin, "translate", *words, cwd=fib).returncode == 0
    assert not re.search(r"^# \d", (fib / "out.c").read_text(), re.MULTILINE)
    flags = run(bobbin, "--link-flags").stdout.split()
    assert run("gcc", "out.c", *flags, "-o", "fib", cwd=fib).returncode == 0
    assert run(fib / "fib").stdout == "34\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_tasks_are_inlined(
    bobbin: Path, counter: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    program = tmp_path / "fib"
    words = ("-O2", "-fopenmp", PROGRAMS / "fib_tasks.c", "-o", program)
    result = run(bobbin, "cc", f"--cc={name}", "--translate", *words)
    assert (result.returncode, result.stderr) == (0, "")
    # The first task asks the runtime for a permit.
    assert calls_of_fib(program, counter) <= 1
    assert calls_of_fib(program, counter, "final") <= 1
    # Whoever wants to see each task does.
    policy = {"OMP_NUM_THREADS": "2", "BOBBIN_TASK_POLICY": "creation=breadth-first"}
    tool = {"OMP_TOOL_LIBRARIES": str(build_directory() / "lib/libasserting_tool.so")}
    for variables in (policy, tool):
        assert calls_of_fib(program, counter, **variables) == FIB_TASKS


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_variants_are_chosen(
    bobbin: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    words = ("-Wall", "-Werror", "-fopenmp", PROGRAMS / "variants.c", "-o", tmp_path / "variants")
    built = run(bobbin, "cc", f"--cc={name}", "--translate", *words)
    assert (built.returncode, built.stderr) == (0, "")
    # Two threads and then three, after one with `nothing`.
    assert run(tmp_path / "variants").stdout == (
        "place 1 10, condition 5, block 7 1\n"
        "dispatch 6 2 2 6, device 1, hidden 5\n"
        f"threads {1 + 2 * 2 + 3 * 3}, rounds 10, best 3\n"
    )


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("program", ["allocated", "used_allocators", "interop"])
def test_program_checks_itself(
    bobbin: Path, program: str, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    words = ("-O2", "-Wall", "-Werror", "-fopenmp", PROGRAMS / f"{program}.c", "-o")
    built = run(bobbin, "cc", f"--cc={name}", "--translate", *words, tmp_path / program)
    assert (built.returncode, built.stderr) == (0, "")
    ran = run(tmp_path / program)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "passed\n", "")


# The compound directives of OpenMP 5.2 with loops; `teams` may begin each that begins with distribute or
# loop, and `target` what begins with teams.
LOOPS = (
    "for simd", "taskloop simd", "parallel for", "parallel for simd", "parallel loop", "masked taskloop",
    "masked taskloop simd", "master taskloop", "master taskloop simd", "parallel masked taskloop",
    "parallel masked taskloop simd", "parallel master taskloop", "parallel master taskloop simd",
    "teams distribute", "teams distribute simd", "teams distribute parallel for",
    "teams distribute parallel for simd", "teams loop", "target parallel for",
    "target parallel for simd", "target parallel loop", "target simd", "target teams distribute",
    "target teams distribute simd", "target teams distribute parallel for",
    "target teams distribute parallel for simd", "target teams loop",
)  # fmt: skip


def test_each_compound_directive_is_translated(bobbin: Path, tmp_path: Path) -> None:
    loops = "".join(
        f"#pragma omp {name}\n  for (int i = 0; i < 1000; i++) a[i] += i;\n" for name in LOOPS
    )
    source = tmp_path / "loops.c"
    source.write_text(
        f"""\
#include <stdio.h>
static int a[1000];
int main(void) {{
{loops}
#pragma omp target parallel
#pragma omp atomic
  a[0] += 0;
#pragma omp target teams
  a[0] += 0;
  long sum = 0;
  for (int i = 0; i < 1000; i++) sum += a[i];
  printf("%ld\\n", sum);
}}
"""
    )
    words = ("-O1", "-Wall", "-Werror", "-fopenmp", source, "-o", tmp_path / "loops")
    built = run(bobbin, "cc", "--translate", *words)
    assert (built.returncode, built.stderr) == (0, "")
    result = run(tmp_path / "loops", OMP_NUM_THREADS="3")
    assert result.stdout == f"{len(LOOPS) * 499500}\n"


SIMD = """\
void saxpy(int n, float a, const float* x, float* y) {
#pragma omp DIRECTIVE
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "directive",
    ["simd", "parallel for simd schedule(dynamic, 64)", "taskloop simd shared(y)", "teams loop"],
)
def test_loops_are_vectorized(
    bobbin: Path, compiler: str, directive: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source = tmp_path / "saxpy.c"
    source.write_text(SIMD.replace("DIRECTIVE", directive))
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    # Without the directive neither compiler would do it at this level.
    remarks = ("-O2", "-fopt-info-vec") if compiler == "gcc" else ("-O1", "-Rpass=loop-vectorize")
    words = (*remarks, "-fopenmp", "-c", source, "-o", tmp_path / "saxpy.o")
    result = run(bobbin, "cc", f"--cc={name}", "--translate", *words)
    assert result.returncode == 0
    assert re.search("loop vectorized|vectorized loop", result.stderr), result.stderr


INTEROP = "typedef void *omp_interop_t; omp_interop_t y;"

BAD = {
    "unfinished clause": ("#pragma omp parallel num_threads(", "no bracket closes this '('"),
    "unfinished list": ("#pragma omp parallel shared()", "expected a list of variables"),
    "no directive": ("#pragma omp", "expected an OpenMP directive"),
    "unknown directive": ("#pragma omp parallell", "unknown OpenMP directive 'parallell'; did you mean 'parallel'?"),
    "similar word": ("#pragma omp parallel secions", "unknown clause 'secions' in '#pragma omp parallel'; did you mean 'sections'?"),
    "similar clause": ("#pragma omp parallel privat(x)", "did you mean 'private'?"),
    "misplaced clause": ("#pragma omp parallel for copyprivate(x)", "'copyprivate' does not belong on 'parallel for'"),
    "unknown clause": ("#pragma omp parallel sharing(x)", "unknown clause 'sharing'"),
    "wrong clause": ("#pragma omp single reduction(+: x)", "'reduction' does not belong on 'single'"),
    "no word": ("#pragma omp parallel 12", "expected the name of a clause"),
    "undeclared": ("#pragma omp parallel shared(y)", "use of undeclared identifier 'y'"),
    "not a loop": ("#pragma omp for", "must be a for loop"),
    "orphaned loop": ("#pragma omp loop", "bind"),
    "simd of a while": ("#pragma omp simd", "must be a for loop"),
    "named register": (
        'register int y __asm__("r12") = 1;\n#pragma omp parallel shared(y)\n  y++;',
        "cannot be in a register that it names",
    ),
    "nothing to choose": ("#pragma omp metadirective when(parallel)", "expected ':' in 'when'"),
    "unknown selectors": ("#pragma omp metadirective when(host={}: )", "unknown set of selectors"),
    "unknown trait": ("#pragma omp metadirective when(user={x(1)}: )", "unknown trait selector 'x'"),
    "no score": ("#pragma omp metadirective when(user={condition(score: 1)}: )", "expected 'score(number)'"),
    "not begun": ("#pragma omp end metadirective", "without its beginning"),
    "endless": ("#pragma omp begin metadirective when(user={condition(x)}: )", "omp end metadirective"),
    "unknown attribute": ("[[omp::decl(parallel)]];", "attribute 'omp::decl' is not supported"),
    "no base": ("#pragma omp declare variant(f) match(construct={parallel})", "unexpected OpenMP directive"),
    "newer": ("#pragma omp allocators", "'#pragma omp allocators' (OpenMP 5.2)"),
    "iteration alone": ("#pragma omp task_iteration depend(in: x)", "the body of a taskloop's innermost"),
    "iteration late": (
        "#pragma omp taskloop\nfor (int i = 0; i < 2; i++) { x++; [[omp::directive(task_iteration)]]; }",
        "the body of a taskloop's innermost",
    ),
    "no task": ("#pragma omp taskgraph\n  #pragma omp single", "'single' makes no task"),
    "waiting graph": ("#pragma omp taskgraph\n#pragma omp taskwait", "'taskwait' without 'nowait'"),
    "waiting loop": (
        "#pragma omp taskgraph\n#pragma omp taskloop reduction(+ : x)\nfor (int i = 0; i < 2; i++) x++;",
        "'in_reduction' of a taskgroup around the region is possible",
    ),
    "lost section": (
        "#pragma omp taskgraph\n{ int *p = &x; [[omp::directive(task in_reduction(+ : p[0:1]))]] p[0]++; }",
        "'p' is declared in the taskgraph region",
    ),
    "no threadset": ("#pragma omp task threadset(all)", "expected 'omp_pool' or 'omp_team'"),
    "no policy": ("#pragma omp parallel ompx_task_schedule(1)", "ompx_task_schedule(policy: text)"),
    "unknown hint": ("#pragma omp taskgroup ompx_task_schedule(hint: fast)", "unknown hint 'fast'"),
    "not strict": ("#pragma omp parallel num_threads(loose: 2)", "expected 'strict'"),
    "no order": ("#pragma omp task transparent", "without 'depend' or 'if'"),
    "no such part": (
        "#pragma omp parallel for proc_bind(for: close)\n  for (int i = 0; i < 9; i++)",
        "'proc_bind' does not belong on 'for'",
    ),
    "empty nowait": ("#pragma omp single nowait()", "expected expression"),
    "not saved": ("#pragma omp task firstprivate(kept: x)", "expected 'saved'"),
    "no loops": ("#pragma omp tile sizes(2, 2)", "for loop"),
    "two inductions": ("#pragma omp for induction(step(1), +, * : x)", "'*' is a second operator"),
    "no step": ("#pragma omp simd induction(+ : x)", "'induction' needs an operator and step(expression)"),
    "no collector": (
        "#pragma omp declare_induction(next : int) inductor(omp_var += omp_step)",
        "'declare induction' needs 'inductor' and 'collector'",
    ),
    "no types": ("#pragma omp declare induction(next) inductor(1)", "expected 'name : types'"),
    "no pair": ("#pragma omp declare induction(next : (int)) inductor(1)", "expected a type or '(type, type)'"),
    "no such induction": (
        "#pragma omp for induction(step(1), next : x)\n  for (int i = 0; i < 9; i++)",
        "no induction 'next' for the type of 'x'",
    ),
    "induction of teams": (
        "#pragma omp teams distribute induction(step(1), + : x)\n  for (int i = 0; i < 9; i++)",
        "private to the team",
    ),
    "shared induction": (
        "#pragma omp teams\n#pragma omp distribute induction(step(1), + : x)\n  for (int i = 0; i < 9; i++)",
        "shared by the teams",
    ),
    "cancelled scan": (
        "#pragma omp parallel for reduction(inscan, +: x)\n  for (int i = 0; i < 9; i++) {\n"
        "#pragma omp cancel for\n  x++;\n#pragma omp scan inclusive(x)\n  }",
        "cancel",
    ),
    "linear scan": (
        "int y = 0;\n#pragma omp parallel for reduction(inscan, +: x) linear(y)\n  for (int i = 0; i < 9; i++) {\n"
        "  x++;\n#pragma omp scan inclusive(x)\n  y++; }",
        "permits only the loops' variables in 'linear'",
    ),
    "dependent loops": (
        "#pragma omp for induction(step(1), + : x) collapse(2)\n"
        "  for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++)",
        "OpenMP does not permit 'induction' where the bounds",
    ),
    "conditional tasks": ("#pragma omp taskloop lastprivate(conditional: x)", "does not permit 'lastprivate(cond"),
    "conditional teams": ("#pragma omp distribute lastprivate(conditional: x)", "does not permit 'lastprivate(cond"),
    "dependent tiles": (
        "#pragma omp interchange\n  for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++)",
        "OpenMP does not permit 'interchange' of loops whose bounds depend on each other",
    ),
    "no unrolled loop": (
        "#pragma omp reverse\n#pragma omp unroll\n  for (int i = 0; i < 9; i++)",
        "OpenMP permits no directive on a loop of 'unroll' without 'partial'",
    ),
    "a split loop": (
        "#pragma omp reverse\n#pragma omp split counts(1, omp_fill)\n  for (int i = 0; i < 9; i++)",
        "'split' generates a sequence of loops, on which OpenMP permits only 'fuse'",
    ),
    "scan alone": ("#pragma omp scan inclusive(x)", "scan"),
    "not doacross": ("#pragma omp ordered doacross(source:)", "ordered"),
    "not a block of loops": ("#pragma omp fuse", "expected a block of canonical loops"),
    "no fill": ("#pragma omp split counts(1, 2)", "'counts' needs 'omp_fill' once"),
    "no severity": ("#pragma omp error at(execution) severity(bad)", "expected 'fatal' or 'warning'"),
    "no assumption": ("#pragma omp assume nowait", "clause 'nowait'"),
    "static in a pool": (
        "typedef int omp_allocator_handle_t; static int y;\n#pragma omp allocate(y) allocator(x)",
        "omp_allocator_handle_t",
    ),
    "another block": ("int y; {\n#pragma omp allocate(y)\n  y = 1; }", "must appear in the scope of the 'y' variable declaration"),
    "a parameter": ("#pragma omp allocate(x)", "'x' in 'allocate' is not declared in this block"),
    "into a scope": (
        "if (x) goto in; {\nint y;\n#pragma omp allocate(y)\nin: y = 1; }",
        "enters the scope of 'y'",
    ),
    "past a declaration": (
        "switch (x) {\nint y;\n#pragma omp allocate(y)\ncase 1: y = 1; }",
        "enters the scope of 'y'",
    ),
    "address of a label": (
        "void *at = &&in; goto *at; {\nint y;\n#pragma omp allocate(y)\nin: y = 1; }",
        "enters the scope of 'y'",
    ),
    "own alignment": (
        "_Alignas(64) int y;\n#pragma omp allocate(y)",
        "is declared with '_Alignas'",
    ),
    "type beside": (
        "struct { int a; } y = {1}, z;\n#pragma omp allocate(y)",
        "'y' in 'allocate' needs a declaration of its own",
    ),
    "not private": ("#pragma omp parallel allocate(x)", "not found in any private clause"),
    "two alignments": (
        "#pragma omp parallel private(x) allocate(align(8), align(16): x)",
        "expected one allocator and one 'align'",
    ),
    "allocated by tasks": (
        "#pragma omp taskgroup task_reduction(+: x)\n#pragma omp task in_reduction(+: x) allocate(x)",
        "'allocate' of 'x', which is in 'in_reduction', is not supported",
    ),
    "no allocator": ("#pragma omp target uses_allocators()", "expected a list of allocators"),
    "no traits": (
        "#pragma omp target uses_allocators(sync(x): x)",
        "expected 'traits(array)' or 'memspace(handle)' before ':'",
    ),
    "no action": (f"{INTEROP}\n#pragma omp interop nowait", "expected 'init', 'use' or 'destroy'"),
    "no interop type": (
        f'{INTEROP}\n#pragma omp interop init(prefer_type({{fr("cuda")}}): y)',
        "'init' needs 'target' or 'targetsync'",
    ),
    "no targetsync": (
        f"{INTEROP}\n#pragma omp interop init(target: y) depend(in: x)",
        "targetsync",
    ),
    "two objects": (f"{INTEROP}\n#pragma omp interop use(y, y)", "expected ')'"),
    "no requirement": (
        "#pragma omp target device(ancestor: 1)",
        "'ancestor' needs '#pragma omp requires reverse_offload'",
    ),
    "apply": ("#pragma omp reverse apply(nothing)", "clause 'apply' (OpenMP 6.0)"),
    "deep": (f"#pragma omp parallel if({'(' * 20_000}x{')' * 20_000})", "bracket nesting level"),
    "Clang's crash": (
        "#pragma omp teams distribute parallel for lastprivate(x) schedule(guided, f)\n"
        "for (int i = 0; i < 9; i++) x = i;\n"
        "#pragma omp teams distribute parallel for schedule(static, 3)\n"
        "for (int i = 0; i < 9; i++) x = i;\n",
        "expression must have integral",
    ),
    "never closed": ("#pragma omp parallel shared(" + "x[(1:" * 100_000, "no bracket closes"),
    "long": ("#pragma omp parallel shared(" + "x, " * 100_000 + ")", "expected expression"),
}  # fmt: skip


APPENDED = """\
typedef void* omp_interop_t;
void f_variant(int x, omp_interop_t y);
#pragma omp declare variant(f_variant) match(construct={dispatch}MATCH) append_args(APPENDED)
void f(int x);
void g(omp_interop_t y) {
#pragma omp dispatch CLAUSE
  f(1);
}
"""


@pytest.mark.parametrize(
    ("match", "appended", "clause", "message"),
    [
        ("", "interop(target)", "interop(y, y)", "6:.*'interop' has more objects than"),
        ("", "interlop(target)", "", "3:.*interop"),
        (
            ", user={condition(sizeof(int) > 1)}",
            "interop(target)",
            "",
            "3:.*not supported together",
        ),
    ],
)
def test_bad_arguments_appended(
    bobbin: Path, match: str, appended: str, clause: str, message: str, tmp_path: Path
) -> None:
    text = APPENDED.replace("MATCH", match).replace("APPENDED", appended).replace("CLAUSE", clause)
    (tmp_path / "bad.c").write_text(text)
    result = run(bobbin, "translate", "bad.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert re.match(f"bad.c:{message}", result.stderr), result.stderr


def test_error_at_compilation(bobbin: Path, tmp_path: Path) -> None:
    source = tmp_path / "error.c"
    words = ("-fopenmp", "-c", "error.c")
    source.write_text('#pragma omp error severity(warning) message("too " "old")\nint x;\n')
    result = run(bobbin, "cc", "--translate", *words, cwd=tmp_path)
    assert result.returncode == 0
    assert re.match(r"error.c:1:\d+: warning: too ", result.stderr), result.stderr
    source.write_text('void f(void) {\n#pragma omp error message("too old")\n}\n')
    result = run(bobbin, "cc", "--translate", *words, cwd=tmp_path)
    assert result.returncode == 1
    assert re.match(r"error.c:2:\d+: error: too old\n", result.stderr), result.stderr


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(bobbin: Path, kind: str, tmp_path: Path) -> None:
    line, message = BAD[kind]
    source = tmp_path / "bad.c"
    source.write_text(f"void f(int x) {{\n  {line}\n  {{ x++; }}\n}}\n")
    result = run(bobbin, "translate", "bad.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    first = result.stderr.splitlines()[0]
    assert re.match(r"bad.c:[2-5]:\d+: error: ", first), result.stderr[:500]
    assert message in first
    assert not (tmp_path / "out.c").exists()


def test_binary_input(bobbin: Path, tmp_path: Path) -> None:
    source = tmp_path / "bad.c"
    source.write_bytes(b"#pragma omp parallel\n" + bytes(range(256)) * 100)
    result = run(bobbin, "translate", "bad.c", "-o", "out.c", cwd=tmp_path)
    assert result.returncode == 1
    assert "error" in result.stderr or "control character" in result.stderr


def test_words_of_the_command(bobbin: Path, tmp_path: Path) -> None:
    assert run(bobbin, "translate", "--help").returncode == 0
    for words, message in {
        ("-o",): "-o lacks a value",
        (): "which file?",
        ("a.c", "b.c"): "one file at a time: a.c, b.c",
        ("--nonsense", "a.c"): "there is no option --nonsense",
        ("a.c", "--cc=no-such-compiler"): "cannot start no-such-compiler",
    }.items():
        result = run(bobbin, "translate", *words, cwd=tmp_path)
        assert result.returncode != 0
        assert message in result.stderr


def test_random_programs(bobbin: Path, tmp_path: Path) -> None:
    """Serial, by gcc, and translated on either threads: the results are the same."""
    begin = time.monotonic()
    seed = int(os.environ.get("BOBBIN_RANDOM_SEED", "1"))
    while time.monotonic() - begin < GENERATED_FOR_S:
        source = tmp_path / "random.c"
        source.write_text(random_program(seed))
        translated = source.with_suffix(".o")
        options = ("-O1", "-Wall", "-Werror", "-fopenmp", "-c", source, "-o", translated)
        built = run(bobbin, "cc", "--translate", *options)
        assert built.returncode == 0, f"seed {seed}: {built.stderr}"
        results = {}
        for name, command in {
            "serial": ("gcc", "-O1", source),
            "gcc": (bobbin, "cc", "--any-runtime", "-O1", "-fopenmp", source),
            "translated": (bobbin, "cc", "--translate", "-fopenmp", translated),
            "posix": (bobbin, "cc", "--translate", "--threads=posix", "-fopenmp", translated),
        }.items():
            program = tmp_path / name
            built = run(*command, "-o", program)
            assert built.returncode == 0, f"seed {seed}: {built.stderr}"
            ran = run(program, OMP_NUM_THREADS=str(1 + seed % 5))
            assert ran.returncode == 0, f"seed {seed}, {name}: {ran.stderr}"
            results[name] = ran.stdout
        # GCC 12 counts the iterations of some dependent loops with != wrongly.
        if "j != i" in source.read_text():
            del results["gcc"]
        assert len(set(results.values())) == 1, f"seed {seed}: {results}"
        seed += 1
