# SPDX-License-Identifier: Apache-2.0
"""bobbin run --profile: its figures, against what programs of known behaviour do."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAMS, Compile, clang_library, clean_environment, run

Figures = dict[str, Any]
SOURCE = "profiled.c"
TASKS_OF_FIB = 28656


def profiles(
    bobbin: Path, folder: Path, *command: str | Path, status: int = 0, **variables: str
) -> list[Figures]:
    """The figures of each process, the main one first."""
    file = folder / "figures.json"
    result = run(bobbin, "run", "--profile", "--json", file, *command, **variables)
    assert result.returncode == status, result.stderr
    return checked(json.loads(file.read_text())["processes"], result.stderr)


def checked(processes: list[Figures], report: str) -> list[Figures]:
    for process in processes:
        assert f"process {process['process']}," in report
        check_sums(process)
    assert all(len(line) <= 80 for line in report.splitlines()), report
    return processes


def check_sums(process: Figures) -> None:
    """The shares add up: no time is lost or counted twice."""
    for thread in [*process["threads"], process["total"]]:
        assert all(spent >= 0 for spent in thread["seconds"].values())
        assert sum(thread["seconds"].values()) == pytest.approx(thread["thread_seconds"], rel=1e-9)
    for thread in process["threads"]:
        assert thread["thread_seconds"] <= process["seconds"] * 1.01
    initial = process["threads"][0]
    assert initial["type"] == "initial"
    sites = sum(site["seconds"] for site in process["sites"])
    assert sites == pytest.approx(process["total"]["thread_seconds"], rel=1e-9)


def counts(process: Figures) -> dict[str, int]:
    found: dict[str, int] = process["total"]["counts"]
    return found


def visits(process: Figures) -> dict[str, int]:
    found: dict[str, int] = process["total"]["visits"]
    return found


def seconds(process: Figures) -> dict[str, float]:
    found: dict[str, float] = process["total"]["seconds"]
    return found


def sites(process: Figures, what: str) -> list[Figures]:
    return [site for site in process["sites"] if site["what"] == what]


def lines_of(process: Figures, what: str) -> set[int]:
    return {site["line"] for site in sites(process, what) if site.get("line")}


def marked(mark: str) -> int:
    """The number of the line that has this comment."""
    lines = (PROGRAMS / SOURCE).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


def built_by(compiler: str, output: Path, *flags: str) -> Path:
    result = run(compiler, "-O1", "-g", "-fopenmp", PROGRAMS / SOURCE, "-o", output, *flags)
    assert result.returncode == 0, result.stderr
    return output


@pytest.fixture(params=["gcc", "clang"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "gcc":
        return built_by(os.environ.get("CC", "gcc"), tmp_path / "profiled")
    return built_by(request.getfixturevalue("clang"), tmp_path / "profiled")


@pytest.fixture
def gcc_program(compile_c: Compile) -> Path:
    return compile_c(SOURCE, "-fopenmp", "-g")


def test_tasks_are_counted_at_their_line(bobbin: Path, program: Path, tmp_path: Path) -> None:
    process, *others = profiles(bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="2")
    assert others == []
    assert counts(process)["tasks"] == TASKS_OF_FIB
    assert counts(process)["tasks_in_place"] + counts(process)["tasks_deferred"] == TASKS_OF_FIB
    assert counts(process)["tasks_deferred"] >= counts(process)["largest_queue"] > 0
    assert visits(process)["taskwait"] == TASKS_OF_FIB
    assert visits(process)["region"] == 1
    [task] = sites(process, "task")
    assert (task["line"], task["count"]) == (marked("the task"), TASKS_OF_FIB)
    assert task["function"] == "fib"
    assert lines_of(process, "region") == {marked("region of tasks")}
    assert [thread["type"] for thread in process["threads"]] == ["initial", "worker"]
    assert process["runtime"] == "Bobbin"
    assert process["end_known"]


def test_tasks_of_one_thread_are_undeferred(bobbin: Path, program: Path, tmp_path: Path) -> None:
    [process] = profiles(bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="1")
    assert counts(process)["tasks"] == counts(process)["tasks_in_place"] == TASKS_OF_FIB
    assert counts(process)["tasks_elsewhere"] == counts(process)["tasks_stolen"] == 0


def test_uts_t3_counts_as_its_own_trace(bobbin: Path, build: Path, tmp_path: Path) -> None:
    """The program counts the nodes of each thread, and the tasks begun elsewhere, by itself."""
    uts = build / "bench/uts"
    if not uts.exists():
        pytest.skip("no benchmarks")
    file = tmp_path / "figures.json"
    words = ("run", "--profile", "--json", file, uts, "tree=T3", "trace=yes")
    result = run(bobbin, *words, OMP_NUM_THREADS="2")
    assert result.returncode == 0, result.stderr
    [process] = checked(json.loads(file.read_text())["processes"], result.stderr)
    assert counts(process)["tasks"] == 4_112_896
    nodes = [float(n) for n in re.findall(r"metric=nodes value=(\S+)", result.stdout)]
    assert len(nodes) == 2
    for told, thread in zip(nodes, process["threads"], strict=True):
        assert thread["visits"]["task"] == pytest.approx(told, rel=0.001, abs=2)
    [elsewhere] = re.findall(r"metric=tasks_of_others value=(\S+)", result.stdout)
    assert counts(process)["tasks_elsewhere"] == pytest.approx(float(elsewhere), rel=0.001)
    assert counts(process)["tasks_stolen"] >= counts(process)["steals_won"]
    assert counts(process)["steals_tried"] >= counts(process)["steals_won"] > 0
    by_distance = [
        counts(process)[f"steals_in_{group}"]
        for group in ("core", "cache", "node", "package", "machine")
    ]
    # Two processors are equally far apart from each other.
    assert sum(by_distance) <= counts(process)["steals_won"]
    if len(os.sched_getaffinity(0)) <= 2:
        assert sum(by_distance) == 0


# The states of the tree were computed with hashlib's SHA-1, and those below the bound counted.
@pytest.mark.parametrize(("per_cent", "undeferred"), [("0", 0), ("0.01", 15), ("1.5", 2933)])
def test_uts_leaves_tasks_undeferred_by_if(
    bobbin: Path, build: Path, tmp_path: Path, per_cent: str, undeferred: int
) -> None:
    uts = build / "bench/uts"
    if not uts.exists():
        pytest.skip("no benchmarks")
    words = (uts, "tree=S3", "mode=if", f"in_place={per_cent}")
    [process] = profiles(bobbin, tmp_path, *words, OMP_NUM_THREADS="2")
    assert counts(process)["tasks"] == 193_584
    assert counts(process)["tasks_undeferred"] == undeferred


def test_imbalance_of_a_loop(bobbin: Path, program: Path, tmp_path: Path) -> None:
    """With two processors that other work keeps busy, times are not those of the loop alone."""
    [process] = profiles(bobbin, tmp_path, program, "loop", OMP_SCHEDULE="static")
    [of_loop] = sites(process, "loop")
    # gcc makes one construct of the loop and its region.
    assert marked("region of the loop") - 1 <= of_loop["line"] <= marked("the loop")
    assert of_loop["count"] == of_loop["threads"] == 2
    assert seconds(process)["work"] >= 0.079
    assert of_loop["longest_thread_seconds"] >= 0.059
    assert of_loop["imbalance"] == pytest.approx(
        1 - of_loop["seconds"] / 2 / of_loop["longest_thread_seconds"]
    )
    assert 0 < process["imbalance"] < 0.5
    [dynamic] = profiles(bobbin, tmp_path, program, "loop", OMP_SCHEDULE="dynamic")
    assert counts(dynamic)["chunks"] == 4


def test_fight_for_a_critical_section(bobbin: Path, program: Path, tmp_path: Path) -> None:
    [process] = profiles(bobbin, tmp_path, program, "critical")
    assert visits(process)["critical"] == 20
    assert lines_of(process, "critical") == {marked("the fight")}
    assert seconds(process)["work"] >= 0.11
    # Of the 50 ms some may pass before the other thread, on a busy machine, begins to wait.
    assert seconds(process)["critical"] >= 0.005


def test_chain_of_dependent_tasks(bobbin: Path, program: Path, tmp_path: Path) -> None:
    [process] = profiles(bobbin, tmp_path, program, "chain")
    assert counts(process)["tasks"] == counts(process)["tasks_dependent"] == 100
    assert lines_of(process, "task") == {marked("a link")}
    assert lines_of(process, "taskwait") == {marked("the wait")}
    assert seconds(process)["work"] >= 0.049
    deferred = counts(process)["tasks_deferred"]
    assert deferred > 0
    assert visits(process)["depend check"] >= deferred
    assert visits(process)["depend release"] == deferred
    for phase in ("task_creation", "dependence_check", "dependence_release"):
        assert seconds(process)[phase] > 0


def test_ordered_and_locks(bobbin: Path, program: Path, tmp_path: Path) -> None:
    [process] = profiles(bobbin, tmp_path, program, "ordered")
    assert visits(process)["ordered"] == 20
    [process] = profiles(bobbin, tmp_path, program, "locks")
    assert visits(process)["lock"] == 300  # a test of a lock does not wait for it


def test_what_the_runtime_has_used(bobbin: Path, program: Path, tmp_path: Path) -> None:
    [process] = profiles(bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="7")
    usage = process["usage"]
    assert usage["stacks"] >= 6  # the main thread has the program's own
    assert usage["switches"] >= 6
    assert usage["descriptor_bytes"] >= 16384
    [process] = profiles(bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="1")
    assert process["usage"]["helpers"] == 0
    assert process["usage"]["stacks"] <= 1  # that of a search for work


def test_fortran(bobbin: Path, tmp_path: Path) -> None:
    compiler = shutil.which("gfortran")
    if compiler is None:
        pytest.skip("no gfortran (scripts/setup test)")
    program = tmp_path / "fortran"
    built = run(compiler, "-g", "-fopenmp", PROGRAMS / "profiled.f90", "-o", program)
    assert built.returncode == 0, built.stderr
    [process] = profiles(bobbin, tmp_path, program, OMP_NUM_THREADS="2")
    assert counts(process)["chunks"] == 100
    assert visits(process)["loop"] == 2
    assert {site["file"] for site in sites(process, "loop")} == {str(PROGRAMS / "profiled.f90")}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_killed_program_leaves_what_was_known(
    bobbin: Path, program: Path, tmp_path: Path, number: int
) -> None:
    [process] = profiles(bobbin, tmp_path, program, "killed", str(int(number)), status=128 + number)
    assert visits(process)["region"] == 1
    assert seconds(process)["work"] >= 0.099
    # The threads that did not end are accounted for until the process did.
    assert process["threads"][0]["thread_seconds"] == pytest.approx(process["seconds"], rel=0.2)


def test_forked_child_has_a_profile_of_its_own(bobbin: Path, program: Path, tmp_path: Path) -> None:
    parent, child = profiles(
        bobbin, tmp_path, program, "child", status=7, OMP_NUM_THREADS="2", OMP_SCHEDULE="static"
    )
    assert child["parent"] == parent["process"]
    assert counts(parent)["tasks"] == TASKS_OF_FIB
    assert (counts(child)["tasks"], visits(child)["loop"]) == (0, 2)
    assert "loop" not in visits(parent)


def test_program_that_executes_another(bobbin: Path, program: Path, tmp_path: Path) -> None:
    first, second = profiles(
        bobbin, tmp_path, program, "executes", OMP_NUM_THREADS="2", OMP_SCHEDULE="static"
    )
    assert first["process"] == second["process"]
    assert counts(first)["tasks"] == TASKS_OF_FIB
    assert visits(second)["loop"] == 2


def test_signals_reach_the_program(bobbin: Path, gcc_program: Path) -> None:
    with subprocess.Popen(
        [bobbin, "run", "--profile", gcc_program, "patient"],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGUSR1)
        _, report = process.communicate()
    assert process.returncode == 3
    assert "user work in regions" in report


def test_other_runtime_gives_the_same_figures(
    bobbin: Path, build: Path, clang: str, tmp_path: Path
) -> None:
    """Where it tells the events."""
    libomp = clang_library(clang, "libomp.so")
    program = built_by(clang, tmp_path / "profiled")
    folder = tmp_path / "recordings"
    folder.mkdir()
    tool = build / "lib/compat/libbobbin-profile.so"

    def recorded(*words: str) -> Figures:
        variables = {
            "LD_LIBRARY_PATH": str(libomp.parent),
            "OMP_TOOL_LIBRARIES": str(tool),
            "BOBBIN_RECORD": str(folder),
            "OMP_NUM_THREADS": "2",
        }
        result = run(program, *words, **variables)
        assert result.returncode == 0, result.stderr
        file = tmp_path / "figures.json"
        report = run(bobbin, "profile", "--json", file, folder)
        assert report.returncode == 0, report.stderr
        [process] = checked(json.loads(file.read_text())["processes"], report.stdout)
        for recording in folder.iterdir():
            recording.unlink()
        assert process["runtime"].startswith("LLVM")
        return process

    process = recorded("tasks")
    assert counts(process)["tasks"] == TASKS_OF_FIB
    assert visits(process)["taskwait"] == TASKS_OF_FIB
    assert lines_of(process, "task") == {marked("the task")}
    process = recorded("critical")
    assert visits(process)["critical"] == 20
    assert seconds(process)["work"] >= 0.11


def test_program_without_symbols(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    program = compile_c(SOURCE, "-fopenmp", "-s", name="stripped")
    [process] = profiles(bobbin, tmp_path, program, "tasks", OMP_NUM_THREADS="2")
    [task] = sites(process, "task")
    assert task["where"].startswith("stripped+0x")
    assert task["module"] == str(program)


def test_no_program_that_translates_addresses(
    bobbin: Path, gcc_program: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    [process] = profiles(
        bobbin, tmp_path, gcc_program, "tasks", OMP_NUM_THREADS="2", PATH=str(empty)
    )
    [task] = sites(process, "task")
    assert (task["function"], task["line"]) == ("fib", 0)


def test_program_without_openmp(bobbin: Path, tmp_path: Path) -> None:
    result = run(bobbin, "run", "--profile", "sh", "-c", "exit 5")
    assert result.returncode == 5
    assert "nothing was recorded" in result.stderr


def test_nothing_is_left_behind(bobbin: Path, gcc_program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    profiles(bobbin, tmp_path, gcc_program, "tasks", TMPDIR=str(folder))
    assert list(folder.iterdir()) == []


def test_what_cannot_be_done_is_said(bobbin: Path, gcc_program: Path, tmp_path: Path) -> None:
    result = run(bobbin, "run", "--profile", gcc_program, "tasks", TMPDIR="/nowhere")
    assert (result.returncode, result.stdout) == (125, "")
    assert "cannot make a folder" in result.stderr
    result = run(bobbin, "run", "--json", "figures.json", gcc_program, "tasks")
    assert result.returncode == 125
    assert "--json needs --profile" in result.stderr
    result = run(bobbin, "run", "--profile", tmp_path / "missing")
    assert result.returncode == 127
    (tmp_path / "no-program").write_bytes(b"\x7fELF but no program")
    (tmp_path / "no-program").chmod(0o755)
    result = run(bobbin, "run", "--profile", tmp_path / "no-program")
    assert result.returncode == run(bobbin, "run", tmp_path / "no-program").returncode
    result = run(bobbin, "run", "--profile", "--json", tmp_path / "no/folder", gcc_program, "tasks")
    assert "cannot write" in result.stderr


def test_no_place_to_record(build: Path, bobbin: Path, gcc_program: Path, tmp_path: Path) -> None:
    """It is said, and the program runs all the same."""
    tool = str(build / "lib/compat/libbobbin-profile.so")
    missing = str(tmp_path / "missing")
    for variables, complaint in (
        ({}, "BOBBIN_RECORD: names no folder"),
        ({"BOBBIN_RECORD": missing}, "No such file or directory"),
    ):
        result = run(bobbin, "run", gcc_program, "tasks", OMP_TOOL_LIBRARIES=tool, **variables)
        assert result.returncode == 0
        assert complaint in result.stderr


def test_several_processes_in_the_order_in_which_they_began(
    bobbin: Path, gcc_program: Path, tmp_path: Path
) -> None:
    script = f"{gcc_program} tasks; {gcc_program} critical"
    first, second = profiles(bobbin, tmp_path, "sh", "-c", script, OMP_NUM_THREADS="2")
    assert counts(first)["tasks"] == TASKS_OF_FIB
    assert visits(second)["critical"] == 20


def test_dry_run_tells_the_variables(bobbin: Path, gcc_program: Path) -> None:
    result = run(bobbin, "run", "--dry-run", "--profile", gcc_program)
    assert "libbobbin-profile.so" in result.stdout
    assert "BOBBIN_RECORD=FOLDER" in result.stdout


def test_start_up_ends_with_the_first_region(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    program = compile_c("compared.c", "-fopenmp")
    process, *_ = profiles(bobbin, tmp_path, program, "100", "sleep", OMP_NUM_THREADS="2")
    assert 0 < process["start_up_seconds"] < process["seconds"] - 0.3  # it sleeps behind them
    slow = tmp_path / "slow.c"
    slow.write_text(
        "#include <unistd.h>\nint main(void) {\n  usleep(300000);\n  int n = 0;\n"
        "#pragma omp parallel reduction(+ : n)\n  n++;\n  return n == 0;\n}\n"
    )
    built = run(os.environ.get("CC", "gcc"), "-fopenmp", slow, "-o", tmp_path / "slow")
    assert built.returncode == 0, built.stderr
    process, *_ = profiles(bobbin, tmp_path, tmp_path / "slow")
    assert 0.3 <= process["start_up_seconds"] <= process["seconds"]
    report = run(bobbin, "run", "--profile", tmp_path / "slow").stderr
    assert re.search(r"^start-up: the first region began after [3-9]\d\d ms$", report, re.MULTILINE)


def test_of_a_long_name_the_end_is_told(bobbin: Path, tmp_path: Path) -> None:
    """Names that compilers of other languages make begin alike."""
    source = tmp_path / "long.c"
    name = "__pyx_pw_7module_8package_5splitting_find_node_split"
    source.write_text(
        f"int {name}(void) {{\n  int n = 0;\n#pragma omp parallel reduction(+ : n)\n  n++;\n"
        f"  return n;\n}}\nint main(void) {{\n  int n = 0;\n"
        f"  for (int i = 0; i < 1000; i++) n += {name}();\n  return n == 0;\n}}\n"
    )
    program = tmp_path / "long"
    built = run(os.environ.get("CC", "gcc"), "-O1", "-fopenmp", source, "-o", program)
    assert built.returncode == 0, built.stderr
    for word in ("profile", "span"):
        report = run(bobbin, word, program, OMP_NUM_THREADS="2").stderr
        assert "find_node_split (long)\n" in report
        assert "__pyx_pw_7module" not in report
        assert all(len(line) <= 80 for line in report.splitlines()), report
