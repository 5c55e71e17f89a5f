# SPDX-License-Identifier: Apache-2.0
"""MPICH's tests of point-to-point and collective operations, on the layer for MPI.

Each program is built as it is, and once more so that its main function is called in a task. The first
runs on the plain library and, with the layer, outside of tasks; the second runs with the layer.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outcome import PROVIDERS, Outcome, Plan, plain_environment

FOLDERS = ("pt2pt", "coll")
MPICC = shutil.which("mpicc.mpich") or "mpicc"
MPIEXEC = shutil.which("mpiexec.mpich") or "mpiexec"
FLAGS = ("-O1", "-w", "-Iinclude", "-Idtpools/include")


@dataclass(frozen=True)
class Test:
    folder: str
    name: str
    ranks: str
    arguments: tuple[str, ...]
    set_aside: str | None

    @property
    def title(self) -> str:
        return " ".join((f"{self.folder}/{self.name}", self.ranks, *self.arguments))


def read_list(tests: Path, folder: str) -> Iterator[Test]:
    """The lines of the suite's list. Those that differ only in MPICH's settings count once."""
    for line in dict.fromkeys(
        re.sub(r" (env|timeLimit)=\S+", "", line)
        for line in (tests / folder / "testlist.in").read_text().splitlines()
        if re.match(r"\w+ \d+", line)
    ):
        name, ranks, *words = line.split()
        reason = None
        if any(word.startswith("xfail=") for word in words):
            reason = "MPICH fails it"
        elif any(word.startswith("mem=") for word in words):
            reason = "needs gigabytes"
        arguments = tuple(word[4:] for word in words if word.startswith("arg="))
        yield Test(folder, name, ranks, arguments, reason)


def words_of(makefile: str, variable: str) -> list[str]:
    found = re.search(rf"^{variable} *= *(.*)$", makefile, re.MULTILINE)
    return found.group(1).split() if found else []


def prepare(plan: Plan) -> None:
    """Configures the suite and builds what all tests share."""
    library = plan.built / "libshared.a"
    if library.exists():
        return
    plan.built.mkdir(parents=True, exist_ok=True)
    settings = ("--disable-fortran", "--disable-cxx", "--disable-spawn", f"MPICC={MPICC}")
    subprocess.run(
        ["./configure", "-q", *settings], cwd=plan.tests, check=True, stdout=subprocess.DEVNULL
    )
    shared = [f"util/{name}.c" for name in ("mtest", "mtest_common", "mtest_single", "dtypes")]
    shared += [str(path.relative_to(plan.tests)) for path in plan.tests.glob("dtpools/src/*.c")]
    objects = []
    for source in shared:
        objects.append(plan.built / f"{Path(source).stem}.o")
        subprocess.run([MPICC, *FLAGS, "-c", source, "-o", objects[-1]], cwd=plan.tests, check=True)
    subprocess.run(["ar", "rcs", library, *objects], check=True)


def build(plan: Plan, test: Test, in_task: bool) -> Path:
    program = plan.built / f"{test.folder}-{test.name}{'-in-task' if in_task else ''}"
    if program.exists():
        return program
    makefile = (plan.tests / test.folder / "Makefile.am").read_text()
    sources = words_of(makefile, f"{test.name}_SOURCES") or [f"{test.name}.c"]
    flags = [w for w in words_of(makefile, f"{test.name}_CPPFLAGS") if w.startswith("-D")]
    own: list[str | Path] = []
    if in_task:
        wrapper = Path(__file__).with_name("in_task.c")
        call = plan.built / "in_task.o"
        if not call.exists():
            subprocess.run(["gcc", "-O1", "-fopenmp", "-c", wrapper, "-o", call], check=True)
        flags.append("-Dmain=main_of_test")
        libraries = plan.library.parents[1]
        own = [call, "-fopenmp", f"-L{libraries}", "-lbobbin", f"-Wl,-rpath,{libraries}"]
    subprocess.run(
        [
            *(MPICC, *FLAGS, *flags, *(f"{test.folder}/{source}" for source in sources)),
            *(*own, plan.built / "libshared.a", "-lm", "-o", program),
        ],
        cwd=plan.tests,
        capture_output=True,
    )
    return program


def passes(plan: Plan, test: Test, program: Path, provider: str | None) -> bool:
    environment = {"OMP_NUM_THREADS": "2"} | plain_environment(plan)
    layer: list[str | Path] = []
    if provider is not None:
        environment["BOBBIN_PROVIDER"] = provider
        layer = [plan.library.parents[2] / "bin/bobbin", "run", "--mpi"]
    words = [MPIEXEC, "-n", test.ranks, *layer, program, *test.arguments]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as job:
        try:
            output, _ = job.communicate(timeout=plan.seconds)
        except subprocess.TimeoutExpired:
            job.terminate()  # mpiexec then ends the ranks
            job.communicate()
            return False
    return job.returncode == 0 and "No Errors" in output


def try_one(plan: Plan, test: Test) -> Outcome:
    if test.set_aside is not None:
        return Outcome(test.title, test.set_aside)
    plain, in_task = build(plan, test, False), build(plan, test, True)
    if not plain.exists() or not in_task.exists():
        return Outcome(test.title, "is not built")
    if not passes(plan, test, plain, None):
        return Outcome(test.title, "does not pass on MPICH")
    passed = {
        provider: all(passes(plan, test, program, provider) for program in (plain, in_task))
        for provider in PROVIDERS
    }
    return Outcome(test.title, None, passed)


def run(plan: Plan) -> Iterator[Outcome]:
    prepare(plan)
    for folder in FOLDERS:
        for test in read_list(plan.tests, folder):
            if re.search(plan.pattern, test.title):
                yield try_one(plan, test)
