# SPDX-License-Identifier: Apache-2.0
"""The layer for MPI: tasks that wait for messages, compared with the plain library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
BUILD = Path(os.environ.get("BOBBIN_BUILD", Path(__file__).parents[2] / "build/release"))
MPI = os.environ.get("BOBBIN_MPI", "mpich")
MPICC = Path(os.environ.get("BOBBIN_MPICC") or shutil.which(f"mpicc.{MPI}") or "mpicc")
# After so many seconds a program counts as hanging; other processes may load the machine.
TIMEOUT_S = 600
PROVIDERS = ("fiber", "kernel")
BOBBIN = (str(BUILD / "bin/bobbin"), "run", "--mpi")


def beside_mpicc(tool: str) -> str:
    """The tool of the same MPI library, which has the same suffix on Debian."""
    found = shutil.which(str(MPICC.with_name(MPICC.name.replace("mpicc", tool))))
    if found is None:
        pytest.skip(f"no {tool} of {MPI} (scripts/setup test)")
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


def build(folder: Path, source: str, *flags: str, name: str = "") -> Path:
    program = folder / (name or Path(source).stem)
    if program.exists():
        return program
    compiler = str(MPICC) if source.endswith(".c") else beside_mpicc("mpifort")
    include = ("-I", str(BUILD / "include")) if source.endswith(".c") else ()
    words = [compiler, "-O2", "-fopenmp", *include, str(PROGRAMS / source), "-o", str(program)]
    done = subprocess.run([*words, *flags], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def environment(provider: str, threads: int) -> dict[str, str]:
    # Ranks share processors here, and the tests may run as root.
    own = {
        "OMP_NUM_THREADS": str(threads),
        "BOBBIN_PROVIDER": provider,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    }
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OMP_", "GOMP_", "KMP_", "BOBBIN_", "LD_"))
    }
    return inherited | own


def mpirun(
    ranks: int,
    *words: str | Path,
    provider: str = "fiber",
    threads: int = 2,
    launcher: str = "",
    **settings: str,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [launcher or beside_mpicc("mpirun"), "-n", str(ranks), *(str(word) for word in words)],
        env=environment(provider, threads) | settings,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
        check=False,
    )


def reports(folder: Path, ranks: int) -> list[list[str]]:
    return [(folder / str(rank)).read_text().splitlines() for rank in range(ranks)]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("ranks", [2, 4])
def test_more_tasks_than_threads(built: Path, provider: str, ranks: int) -> None:
    program = build(built, "more_tasks.c")
    for threads in (1, 2, 4):
        done = mpirun(ranks, *BOBBIN, program, provider=provider, threads=threads)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("calls", ["point_to_point", "collectives", "one_sided", "errors"])
def test_calls_do_what_those_of_the_library_do(
    built: Path, tmp_path: Path, calls: str, ranks: int
) -> None:
    program = build(built, f"{calls}.c")
    plain, layer = tmp_path / "plain", tmp_path / "layer"
    plain.mkdir()
    done = mpirun(ranks, program, plain)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = reports(plain, ranks)
    assert all(len(lines) > 20 for lines in expected)
    for provider in PROVIDERS:
        layer.mkdir(exist_ok=True)
        done = mpirun(ranks, *BOBBIN, program, layer, provider=provider)
        assert done.returncode == 0, done.stdout + done.stderr
        assert reports(layer, ranks) == expected


@pytest.mark.parametrize("provider", PROVIDERS)
def test_events_that_are_bound_to_requests(built: Path, provider: str) -> None:
    layer = f"libbobbin-mpi-{MPI}.so"
    flags = (f"-L{BUILD / 'lib/compat'}", f"-l:{layer}")
    for source in ("events.c", "fortran_events.f90"):
        program = build(built, source, *flags)
        for threads in (1, 3):
            done = mpirun(2, *BOBBIN, program, provider=provider, threads=threads)
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("flag", ["-DMODULE", "-DF08", "-DMPIF_H"])
def test_fortran(built: Path, flag: str) -> None:
    program = build(built, "fortran.F90", flag, name="fortran" + flag)
    for provider in PROVIDERS:
        done = mpirun(2, *BOBBIN, program, provider=provider)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("delay", ["0", "500"])
def test_benchmarks_are_right(provider: str, delay: str) -> None:
    bench = BUILD / "bench/mpi" / MPI
    heat, messages, stencil = (bench / name for name in ("heat", "messages", "stencil"))
    runs = [(heat, way, "8", "1000") for way in ("mpi", "loops")]
    runs += [(heat, way, "8", late) for way in ("tasks", "events") for late in ("0", "1000")]
    runs += [
        (stencil, method, way, "8")
        for method in ("jacobi", "cg")
        for way in ("mpi", "loops", "tasks")
    ]
    if delay == "0":
        runs += [
            (messages, *words) for words in (("latency",), ("latency-in-task",), ("rate", "64"))
        ]
    for run in runs:
        done = mpirun(2, *BOBBIN, *run, provider=provider, MPI_DELAY_US=delay)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.endswith("check=ok\n"), done.stdout


def test_four_ranks_share_two_processors() -> None:
    """Each has four threads, and waits in MPI."""
    bench = BUILD / "bench/mpi" / MPI
    for run in (
        ("heat", "tasks", "8"),
        ("stencil", "jacobi", "tasks", "8"),
        ("stencil", "cg", "tasks", "8"),
    ):
        done = mpirun(4, *BOBBIN, bench / run[0], *run[1:], threads=4)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.endswith("check=ok\n"), done.stdout


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("way", "status"), [("exits", 7), ("execs", 7), ("goes-on", 1), ("goes-on-late", 1)]
)
def test_fork_while_tasks_wait(built: Path, provider: str, way: str, status: int) -> None:
    program = build(built, "fork.c")
    for threads in (1, 2, 3):
        done = mpirun(2, *BOBBIN, program, way, provider=provider, threads=threads)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"child exits with {status}" in done.stdout
        told = "fork()" in done.stderr and "only" in done.stderr
        assert told == way.startswith("goes-on"), done.stderr


def marked(source: str, mark: str) -> int:
    """The number of the line that has this comment."""
    lines = (PROGRAMS / source).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {mark}"))


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb (scripts/setup test)")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_stacks_shows_tasks_that_wait_in_mpi(built: Path, provider: str) -> None:
    program = build(built, "blocked.c", "-g")
    calls = [("3 tasks", "wait", "MPI_Recv", "receive"), ("1 task", "waits", "MPI_Wait", "wait")]
    calls += [("1 task", "waits", "MPI_Probe", "probe"), ("1 task", "waits", "taskwait", "taskwait")]
    expected = [
        f"  {count} at blocked.c:{marked('blocked.c', mark)}: {verb} in {call}"
        for count, verb, call, mark in calls
    ]
    command = [beside_mpicc("mpirun"), "-n", "2", *BOBBIN, str(program)]
    with subprocess.Popen(
        command, env=environment(provider, 2), stdout=subprocess.PIPE, text=True
    ) as job:
        assert job.stdout is not None
        number = job.stdout.readline().split()[1]
        end = time.monotonic() + TIMEOUT_S
        try:
            while True:
                done = subprocess.run(
                    [BOBBIN[0], "stacks", number], capture_output=True, text=True, check=False
                )
                if "SYS_PTRACE" in done.stderr or "ptrace_scope" in done.stderr:
                    pytest.skip("no debugging here")
                if all(line in done.stdout for line in expected):
                    break
                assert job.poll() is None, done.stdout + done.stderr
                assert time.monotonic() < end, done.stdout + done.stderr
        finally:
            job.terminate()
            job.wait()


def test_the_layer_loads_where_there_is_no_mpi() -> None:
    """Programs that an MPI program starts are preloaded, too, some with all names bound at once."""
    layer = BUILD / f"lib/compat/libbobbin-mpi-{MPI}.so"
    done = subprocess.run(
        ["/bin/true"],
        env={"LD_PRELOAD": str(layer), "LD_BIND_NOW": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def python_with_mpi() -> tuple[str, Path]:
    """A Python that has mpi4py for this MPI, and the launcher of the MPI that mpi4py loads.

    Debian's mpi4py is Open MPI's. The one of PyPI loads the MPICH of PyPI beside it."""
    if MPI == "openmpi":
        python, launcher = Path("/usr/bin/python3"), beside_mpicc("mpirun")
    else:
        python = Path(sys.executable)
        launcher = str(python.with_name("mpiexec"))
    found = subprocess.run([python, "-c", "import mpi4py"], capture_output=True, check=False)
    if found.returncode != 0 or not Path(launcher).exists():
        pytest.skip(f"no mpi4py for {MPI} (scripts/setup test)")
    return launcher, python


@pytest.mark.parametrize("provider", PROVIDERS)
def test_python_module_that_brings_the_library(tmp_path: Path, provider: str) -> None:
    launcher, python = python_with_mpi()
    words = (BOBBIN[0], "run", f"--mpi={MPI}", python, PROGRAMS / "from_python.py", tmp_path)
    done = mpirun(2, *words, provider=provider, launcher=launcher)
    assert done.returncode == 0, done.stdout + done.stderr
    assert reports(tmp_path, 2) == [["right"]] * 2


def test_layer_for_another_library_says_so() -> None:
    launcher, python = python_with_mpi()
    other = "mpich" if MPI == "openmpi" else "openmpi"
    if not (BUILD / f"lib/compat/libbobbin-mpi-{other}.so").exists():
        pytest.skip(f"no layer for {other}")
    words = (BOBBIN[0], "run", f"--mpi={other}", python, "-c", "from mpi4py import MPI")
    done = mpirun(1, *words, launcher=launcher)
    assert done.returncode != 0
    name = {"mpich": "MPICH", "openmpi": "Open MPI"}[other]
    assert f"the program calls MPI, and {name} is not loaded" in done.stderr, done.stderr


@pytest.mark.parametrize("end", ["abort", "kill"])
def test_a_job_ends_as_without_the_layer(built: Path, end: str) -> None:
    program = build(built, "ends.c")
    plain = mpirun(2, program, end)
    assert plain.returncode != 0
    for provider in PROVIDERS:
        done = mpirun(2, *BOBBIN, program, end, "all-wait", provider=provider)
        assert done.returncode == plain.returncode, done.stdout + done.stderr


def test_a_program_without_mpi_is_refused(tmp_path: Path) -> None:
    done = subprocess.run([*BOBBIN, "/bin/true"], capture_output=True, text=True, check=False)
    assert done.returncode == 125
    assert "needs no MPI library" in done.stderr
    done = subprocess.run(
        [*BOBBIN[:2], f"--mpi={MPI}", "/bin/true"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_doctor_names_it(built: Path) -> None:
    program = build(built, "more_tasks.c")
    done = subprocess.run(
        [BOBBIN[0], "doctor", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "It uses MPI (libmp" in done.stdout
    assert "bobbin run --mpi" in done.stdout
