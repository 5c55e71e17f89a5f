# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc --translate --continuations`: other threads execute the rest of a task."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, build_directory, run

pytestmark = pytest.mark.skipif(
    not (build_directory() / "bin/bobbin-translate").exists(),
    reason="no Clang libraries to build the translator with (scripts/setup test)",
)

RIGHT = "20 right, 0 wrong numbers\n"
TASK = """\
{before}
static void work(int n) {{
  {body}
#pragma omp task{clauses}
  work(n - 1);
}}
int main(void) {{ work(3); }}
"""


def compile_program(
    bobbin: Path, program: Path, *words: str, source: str = "resumable.c"
) -> None:
    options = ("-O2", "-Wall", "-Werror", "-fopenmp", PROGRAMS / source, "-o", program)
    built = run(bobbin, "cc", "--translate", "--continuations", *words, *options)
    assert (built.returncode, built.stderr) == (0, "")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_rest_of_a_task_moves(
    bobbin: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    program = tmp_path / "resumable"
    compile_program(bobbin, program, f"--cc={name}")
    for threads in (2, 4, 16, 3):
        ran = run(program, OMP_NUM_THREADS=str(threads))
        assert (ran.returncode, ran.stdout) == (0, "handed over\n" + RIGHT)
    assert run(program, OMP_NUM_THREADS="1").stdout == RIGHT


def test_where_each_task_has_to_be_seen(bobbin: Path, tmp_path: Path) -> None:
    """With a policy, and while a tool watches, tasks are ordinary ones."""
    program = tmp_path / "resumable"
    compile_program(bobbin, program)
    for policy in ("creation=breadth-first", "creation=continuation", "order=fifo,queue=locked"):
        ran = run(program, OMP_NUM_THREADS="4", BOBBIN_TASK_POLICY=policy)
        assert (ran.returncode, ran.stdout.endswith(RIGHT)) == (0, True), policy
    watched = run(bobbin, "run", "--profile", program, OMP_NUM_THREADS="4")
    assert (watched.returncode, watched.stdout.endswith(RIGHT)) == (0, True)


def test_free_agent_ends_the_last_child(bobbin: Path, tmp_path: Path) -> None:
    program = tmp_path / "agents"
    compile_program(bobbin, program, source="resumable_agents.c")
    reserve = "structured(2),free_agent(2)"
    ran = run(program, OMP_NUM_THREADS="2", OMP_THREADS_RESERVE=reserve)
    assert (ran.returncode, ran.stdout) == (0, "300\n")


def test_rest_does_not_wait_for_what_is_below_it(bobbin: Path, tmp_path: Path) -> None:
    program = tmp_path / "yield"
    compile_program(bobbin, program, source="resumable_yield.c")
    for threads in (2, 4, 9):
        ran = run(program, OMP_NUM_THREADS=str(threads))
        assert (ran.returncode, ran.stdout) == (0, "ended\n")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_names_and_declarations(
    bobbin: Path, compiler: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    name = compiler if compiler == "gcc" else request.getfixturevalue("clang")
    serial = tmp_path / "serial"
    built = run("gcc", PROGRAMS / "resumable_names.c", "-o", serial)
    assert built.returncode == 0, built.stderr
    program = tmp_path / "names"
    compile_program(bobbin, program, f"--cc={name}", source="resumable_names.c")
    expected = run(serial).stdout
    for threads in (2, 4, 9):
        assert run(program, OMP_NUM_THREADS=str(threads)).stdout == expected


def test_posix_threads_execute_ordinary_tasks(bobbin: Path, tmp_path: Path) -> None:
    program = tmp_path / "resumable"
    compile_program(bobbin, program, "--threads=posix")
    assert run(program, OMP_NUM_THREADS="3").stdout.endswith(RIGHT)


@pytest.mark.parametrize(
    ("before", "body", "clauses", "resumable"),
    [
        ("", "if (n == 0) return;", "", True),
        ("#include <stdlib.h>", "free(malloc(n));", "", True),
        ("void other(void);", "other();", "", False),
        ("void other(void);", "other();", " untied", True),
        ("static __thread int own;", "own++;", "", False),
        ("static int own;\\n#pragma omp threadprivate(own)", "own++;", "", False),
        ("char *strsignal(int);", "strsignal(1);", "", False),
        ("static void (*call)(void);", "if (n < 0) call();", "", False),
        ("", "if (n == 0) return;", " depend(out: n)", False),
        ("", "static int calls; calls++;", " untied", False),
        ("", "int pair[n + 1][n + 1]; pair[n][n] = 0; if (pair[n][n]) return;", " untied", False),
        ("", "int many[n + 1]; if (sizeof many < 9) return; (void)many;", " untied", False),
    ],
)
def test_what_may_move(
    bobbin: Path, before: str, body: str, clauses: str, resumable: bool, tmp_path: Path
) -> None:
    source = tmp_path / "work.c"
    source.write_text(TASK.format(before=before.replace("\\n", "\n"), body=body, clauses=clauses))
    result = run(bobbin, "translate", "--continuations", source)
    assert (result.returncode, result.stderr) == (0, "")
    assert ("work_resumable(struct" in result.stdout) == resumable


def test_words(bobbin: Path) -> None:
    result = run(bobbin, "cc", "--continuations", "-c", "a.c")
    assert (result.returncode, "goes with --translate" in result.stderr) == (125, True)
