# SPDX-License-Identifier: Apache-2.0
"""`bobbin stacks`, and gdb's commands behind it, tell why programs hang."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import PROGRAMS, TIMEOUT_S, Compile, clean_environment, run

SOURCE = PROGRAMS / "hangs.c"

pytestmark = pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb (scripts/setup test)")

TIME = r"(\d+(?:\.\d)?) (?:s|min|h)"
SINCE = rf" for {TIME}(?: to {TIME})?"

# For each program of hangs.c what the report must say. {NAME} is the line marked so in the source,
# {since} how long the thread or task has waited.
EXPECTED = {
    "barrier": [
        r"threads \d, \d \(numbers 1, 3\): barrier at hangs\.c:{missed}{since}$",
        r"3 of 4 threads of the region at hangs\.c:\d+ wait at a barrier \(hangs\.c:{missed}\)\.",
        r"Missing: thread \d has ended its part of the region\.",
        r"No OpenMP thread can go on by itself\.",
    ],
    "locks": [
        r"\(number 0\): lock at hangs\.c:{second lock}{since}: lock second_lock, held by thread 2",
        r"\(number 1\): lock at hangs\.c:{second lock}{since}: lock first_lock, held by thread 1",
        r"Deadlock: thread 1 waits for lock second_lock, held by thread 2; "
        r"thread 2 waits for lock first_lock, held by thread 1\.",
    ],
    "event": [
        r": taskwait at hangs\.c:{taskwait}{since}$",
        r"waits at hangs\.c:{taskwait} for 1 child of its task: 1 waits for its event",
    ],
    "chain": [
        r"  1 task: waits for its event{since}$",
        r"  3 tasks at hangs\.c:({successor}|{successor task}): wait for their predecessors",
        r"for 4 children of its task: 3 wait for their predecessors, 1 waits for its event",
    ],
    "taskgroup": [
        r": end of taskgroup at hangs\.c:\d+{since}$",
        r"Thread \d waits at hangs\.c:\d+ for 1 task of its taskgroup\.",
    ],
    "nested": [
        r"thread (\d) \(number 1\): in the region at hangs\.c:\d+",
        r"Region at hangs\.c:\d+: 3 threads, level 2, forked by thread 2",
        r"2 of 3 threads of the region .* wait at a barrier \(hangs\.c:{missed}\)\.",
        r"Thread 1 waits for the end of the region .*\. Missing: thread 2 waits at hangs\.c:{missed}",
    ],
    "critical": [
        r": critical at hangs\.c:{critical}{since}: the critical section shop, held by thread \d",
        r"barrier at hangs\.c:{inside}",
    ],
    "after": [
        r"\(number 0\): barrier at hangs\.c:\d+{since}$",
        r"\(number 1\): runs at hangs\.c:{after}$",
    ],
    "queued": [
        r"  2 tasks at hangs\.c:({queued}|{queued task}): wait for a thread",
    ],
    "endless": [
        r"\(number 1\): runs at hangs\.c:{endless}$",
        r"Missing: thread \d runs at hangs\.c:{endless}",
    ],
}


def expected(which: str) -> list[re.Pattern[str]]:
    lines = SOURCE.read_text().splitlines()
    marks = {
        line.split("// line ")[1]: number
        for number, line in enumerate(lines, 1)
        if "// line " in line
    }
    patterns = []
    for text in EXPECTED[which]:
        for name, number in marks.items():
            text = text.replace("{" + name + "}", str(number))
        patterns.append(re.compile(text.replace("{since}", SINCE), re.M))
    return patterns


@dataclass
class Hanging:
    """A started program, and a way to ask what it does."""

    process: subprocess.Popen[bytes]
    bobbin: Path

    def report(self) -> subprocess.CompletedProcess[str]:
        return run(self.bobbin, "stacks", str(self.process.pid))

    def report_with(self, patterns: list[re.Pattern[str]]) -> str:
        """Asks again until the program has got to where it hangs."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            result = self.report()
            if "SYS_PTRACE" in result.stderr or "ptrace_scope" in result.stderr:
                pytest.skip("no debugging here")
            missing = [p.pattern for p in patterns if not p.search(result.stdout)]
            if result.returncode == 0 and not missing:
                return result.stdout
            assert self.process.poll() is None, "it has ended"
            if time.monotonic() > end:
                pytest.fail(f"{missing}\n{result.stdout}{result.stderr}")


@pytest.fixture
def start(bobbin: Path) -> Iterator[Callable[..., Hanging]]:
    started: list[subprocess.Popen[bytes]] = []

    def start_program(program: Path, which: str, tool: Path = bobbin, **variables: str) -> Hanging:
        process = subprocess.Popen(
            [tool, "run", program, which], env=clean_environment() | variables
        )
        started.append(process)
        return Hanging(process, tool)

    yield start_program
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(params=["gcc", "clang"])
def program(request: pytest.FixtureRequest, compile_c: Compile, tmp_path: Path) -> Path:
    if request.param == "gcc":
        return compile_c("hangs.c", "-g", "-fopenmp")
    compiler = request.getfixturevalue("clang")
    output = tmp_path / "hangs"
    result = run(compiler, "-g", "-fopenmp", SOURCE, "-o", output)
    assert result.returncode == 0, result.stderr
    return output


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
@pytest.mark.parametrize("which", EXPECTED)
def test_tells_why_it_hangs(
    start: Callable[..., Hanging], program: Path, which: str, provider: str
) -> None:
    start(program, which, BOBBIN_PROVIDER=provider).report_with(expected(which))


def test_calls_that_are_jumps(start: Callable[..., Hanging], clang: str, tmp_path: Path) -> None:
    """Optimised code leaves by a jump to the barrier, so that no frame of its own is left."""
    output = tmp_path / "hangs"
    assert run(clang, "-O2", "-g", "-fopenmp", SOURCE, "-o", output).returncode == 0
    start(output, "barrier").report_with(
        [
            re.compile(rf"threads \d, \d \(numbers 1, 3\): barrier{SINCE}$", re.M),
            re.compile(r"^3 of 4 threads", re.M),
        ]
    )


def test_the_process_goes_on(start: Callable[..., Hanging], compile_c: Compile) -> None:
    """After the look it is as before: nobody traces it, and it can be looked at again."""
    hanging = start(compile_c("hangs.c", "-g", "-fopenmp"), "barrier")
    patterns = expected("barrier")
    first = hanging.report_with(patterns)
    status = Path(f"/proc/{hanging.process.pid}/status").read_text()
    assert "TracerPid:\t0" in status
    assert "State:\tS" in status
    assert without_times(hanging.report().stdout) == without_times(first)


def without_times(report: str) -> str:
    return re.sub(SINCE, "", report)


def waits(report: str) -> list[float]:
    """How long the threads or tasks of each line have waited, the one that has waited longest."""
    found = re.finditer(SINCE, report)
    return [max(float(time) for time in times.groups() if time) for times in found]


@pytest.mark.parametrize("variables", [{}, {"OMP_WAIT_POLICY": "active"}], ids=["sleeps", "spins"])
@pytest.mark.parametrize("provider", ["fiber", "kernel"])
@pytest.mark.parametrize("which", ["barrier", "locks", "chain"])
def test_tells_since_when(
    start: Callable[..., Hanging],
    compile_c: Compile,
    which: str,
    provider: str,
    variables: dict[str, str],
) -> None:
    before = time.monotonic()
    hanging = start(
        compile_c("hangs.c", "-g", "-fopenmp"), which, BOBBIN_PROVIDER=provider, **variables
    )
    first = waits(hanging.report_with(expected(which)))
    between = time.monotonic()
    time.sleep(2)
    asked = time.monotonic()
    second = waits(hanging.report_with(expected(which)))
    after = time.monotonic()
    assert len(second) == len(first) > 0
    # A wait began after the program. gdb stops the process at some moment of its run. Times are told
    # with one decimal, those from 10 s on with none, and in minutes from 120 s on.
    slack = 0.2 if after - before < 9 else 0.7
    assert after - before < 100, "the machine is too busy"
    assert max(first) <= between - before + slack
    assert max(second) <= after - before + slack
    for was, now in zip(first, second, strict=True):
        assert asked - between - slack <= now - was <= after - before + slack


def test_a_thread_that_runs_does_not_wait(
    start: Callable[..., Hanging], compile_c: Compile
) -> None:
    """Also if it has waited before, as this one has for the barrier."""
    hanging = start(compile_c("hangs.c", "-g", "-fopenmp"), "after")
    hanging.report_with(expected("after"))


@pytest.fixture
def stripped(build: Path, tmp_path: Path) -> Path:
    """The command of an installation without debug information, as packages have it."""
    prefix = tmp_path / "installed"
    for component in ("library", "command"):
        result = run(
            "cmake", "--install", build, "--prefix", prefix, "--strip", "--component", component
        )
        assert result.returncode == 0, result.stdout + result.stderr
    return prefix / "bin/bobbin"


@pytest.mark.parametrize("which", ["barrier", "locks", "event", "nested", "critical"])
def test_needs_no_debug_information_of_the_library(
    start: Callable[..., Hanging], compile_c: Compile, stripped: Path, which: str
) -> None:
    hanging = start(compile_c("hangs.c", "-g", "-fopenmp"), which, stripped)
    hanging.report_with(expected(which))


def test_needs_no_debug_information_of_the_program(
    start: Callable[..., Hanging], compile_c: Compile, stripped: Path
) -> None:
    hanging = start(compile_c("hangs.c", "-s", "-fopenmp"), "barrier", stripped)
    hanging.report_with(
        [re.compile(r"threads \d, \d \(numbers 1, 3\): barrier"), re.compile(r"^3 of 4 ", re.M)]
    )


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_core_file(
    start: Callable[..., Hanging], compile_c: Compile, bobbin: Path, tmp_path: Path, provider: str
) -> None:
    program = compile_c("hangs.c", "-g", "-fopenmp")
    hanging = start(program, "nested", BOBBIN_PROVIDER=provider)
    patterns = expected("nested")
    live = hanging.report_with(patterns)
    made = run("gcore", "-o", tmp_path / "core", str(hanging.process.pid))
    core = tmp_path / f"core.{hanging.process.pid}"
    if not core.exists():
        pytest.fail(made.stdout + made.stderr)
    result = run(bobbin, "stacks", "--core", core, program)
    assert result.returncode == 0, result.stderr
    assert without_times(result.stdout) == without_times(live)
    # The time stands still in a core file.
    assert waits(result.stdout)
    time.sleep(1)
    assert run(bobbin, "stacks", "--core", core, program).stdout == result.stdout


def gdb_commands(*commands: str) -> list[str]:
    return [word for command in commands for word in ("-ex", command)]


def test_gdb_loads_the_script_and_shows_a_suspended_thread(
    start: Callable[..., Hanging], compile_c: Compile, library: Path
) -> None:
    hanging = start(compile_c("hangs.c", "-g", "-fopenmp"), "nested")
    hanging.report_with(expected("nested"))
    result = run(
        *("gdb", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off"),
        *("-iex", f"add-auto-load-safe-path {library.resolve().parent}"),
        *("-iex", f"add-auto-load-safe-path {Path(__file__).parents[2]}"),
        *("-p", str(hanging.process.pid)),
        *gdb_commands("bobbin teams", "bobbin threads", "bobbin tasks", "bobbin backtrace 3"),
        *gdb_commands(
            "bobbin thread 3", "up 20", "print without", "bobbin thread", "bobbin thread 4"
        ),
    )
    said = result.stdout + result.stderr
    assert re.search(
        r"^2  Region at hangs\.c:\d+: 3 threads, level 2, forked by thread 2$", said, re.M
    ), said
    assert re.search(r"^ +3  number 1  barrier at hangs\.c:\d+", said, re.M), said
    assert "No task waits." in said
    assert re.search(
        r"^#\d+ .* in missed_barrier\._omp_fn\.0 \(\) at .*hangs\.c:\d+$", said, re.M
    ), said
    # The frames of the suspended thread are gdb's own, with variables.
    assert "missed_barrier._omp_fn.0" in said.split("No task waits.")[1].split("#0")[-1], said
    assert "thread 4 has ended its part: it has no frames" in said


def test_without_gdb(
    start: Callable[..., Hanging], compile_c: Compile, bobbin: Path, tmp_path: Path
) -> None:
    hanging = start(compile_c("hangs.c", "-fopenmp"), "barrier")
    hanging.report_with(expected("barrier")[2:])
    result = run(bobbin, "stacks", str(hanging.process.pid), PATH=str(tmp_path))
    assert result.returncode == 125
    assert result.stderr == (
        "bobbin stacks: there is no gdb; install it (Debian, Ubuntu: sudo apt install gdb)\n"
    )


def test_gdb_without_python(
    start: Callable[..., Hanging], compile_c: Compile, bobbin: Path, tmp_path: Path
) -> None:
    """As Debian's gdb-minimal: what gdb says is shown."""
    hanging = start(compile_c("hangs.c", "-fopenmp"), "barrier")
    hanging.report_with(expected("barrier")[2:])
    gdb = tmp_path / "gdb"
    gdb.write_text(
        "#!/bin/sh\necho 'Scripting in the \"Python\" language is not supported'\nexit 1\n"
    )
    gdb.chmod(0o755)
    result = run(
        bobbin, "stacks", str(hanging.process.pid), PATH=f"{tmp_path}:{os.environ['PATH']}"
    )
    assert result.returncode == 125
    assert "language is not supported" in result.stderr


def test_no_such_process(bobbin: Path) -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    result = run(bobbin, "stacks", str(process.pid))
    assert (result.returncode, result.stdout) == (127, "")
    assert result.stderr == f"bobbin stacks: {process.pid}: there is no such process\n"


def test_a_process_that_does_not_use_bobbin(bobbin: Path) -> None:
    process = subprocess.Popen(["sleep", "1000"])
    try:
        # Until it has executed `sleep` it is a copy of this process.
        while "sleep" not in Path(f"/proc/{process.pid}/comm").read_text():
            pass
        result = run(bobbin, "stacks", str(process.pid))
        assert result.returncode == 1
        assert "it does not use Bobbin" in result.stderr
    finally:
        process.kill()
        process.wait()


def test_a_process_that_is_traced(start: Callable[..., Hanging], compile_c: Compile) -> None:
    hanging = start(compile_c("hangs.c", "-fopenmp"), "barrier")
    hanging.report_with(expected("barrier")[2:])
    tracer = subprocess.Popen(
        ["gdb", "-q", "-nx", "-p", str(hanging.process.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        status = Path(f"/proc/{hanging.process.pid}/status")
        while "TracerPid:\t0" in status.read_text():
            assert tracer.poll() is None
        result = hanging.report()
        assert result.returncode == 125
        assert f"process {tracer.pid} (gdb) looks at it already" in result.stderr
    finally:
        tracer.kill()
        tracer.wait()
        os.kill(hanging.process.pid, signal.SIGCONT)


@pytest.mark.parametrize("word", ["0", "-3", "x", "3x"])
def test_wrong_words(bobbin: Path, word: str) -> None:
    result = run(bobbin, "stacks", word)
    assert result.returncode == 125
    assert result.stdout == ""
    assert result.stderr
