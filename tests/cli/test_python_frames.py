# SPDX-License-Identifier: Apache-2.0
"""Python lines beside regions: in bobbin profile --pid, top and stacks."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROGRAMS, Compile, Figures, Start, attached, run

PATIENCE_S = 60

LIBRARY = """\
import ctypes

lib = ctypes.CDLL({path!r})
lib.busy.argtypes = [ctypes.c_double]
busy = lib.busy
busy(0)
CALL = ctypes.CFUNCTYPE(None)
lib.busy_after.argtypes = [CALL, ctypes.c_double]


class Forest:
    def fit(self):
        busy(
            0.2,
        )  # the call begins two lines above
        return self
"""

# A name whose characters take two bytes each, and one that is no ASCII.
NAMES = """\
import forest


def Fürst():
    forest.Forest().fit()  # line fit


print("ready", flush=True)
while True:
    Fürst()
"""

# Where a table of lines has each of its forms.
FORMS = (
    """\
from forest import busy

T = 0.05


def called(seconds):
    busy(seconds)  # seen called


def decorate(function):
    busy(T)  # seen decorator
    return function


async def awaited():
    busy(T)  # seen coroutine


def generated():
    for seconds in (T, T):
        busy(seconds)  # seen generator
        yield seconds


def far():
    if T < 0:
"""
    + "        # a long gap\n        called(T)\n" * 300
    + """\
    busy(T)  # seen after a long gap


print("ready", flush=True)
while True:
    called(T)
    list(generated())
    [busy(t) for t in (T,)]  # seen comprehension
    (lambda: busy(T))()  # seen lambda
    try:
        raise ValueError
    except ValueError:
        busy(T)  # seen handler
    finally:
        busy(T)  # seen finally

    class Body:
        busy(T)  # seen class

    @decorate
    def decorated():
        pass

    far()
    print(
        "%s"
        % busy(T),  # seen argument
        end="",
    )
    exec("\\n\\nbusy(T)")
    try:
        awaited().send(None)
    except StopIteration:
        pass
"""
)

# Threads of the region call Python, and so are known to it, too.
CALLS = """\
import forest

called = forest.CALL(lambda: None)
print("ready", flush=True)
while True:
    forest.lib.busy_after(called, 0.3)  # line after
"""

# The interpreter's list of interpreters leads nowhere. 3.13 then tells a wrong place of it.
SPOILT = """\
import ctypes
import forest

runtime = ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime")
ctypes.memset(ctypes.addressof(runtime) + 40, 0x55, 8)
print("ready", flush=True)
while True:
    forest.busy(60)
"""

MakeProgram = Callable[[str, str], Path]
Running = Callable[..., subprocess.Popen[str]]


def interpreter(name: str) -> str:
    """The interpreter of this name, of the system or of pyenv."""
    made = Path.home().glob(f".pyenv/versions/*/bin/{name}")
    for path in (shutil.which(name), *made):
        if path is not None and Path(path).exists() and run(path, "-c", "").returncode == 0:
            return str(path)
    pytest.skip(f"no {name}")


VERSIONS = ("/usr/bin/python3", "python3.11", "python3.12", "python3.13")


@pytest.fixture(params=VERSIONS, ids=["system", "3.11", "3.12", "3.13"])
def python(request: pytest.FixtureRequest) -> str:
    found = interpreter(request.param)
    if run(found, "-c", "import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))").returncode:
        pytest.skip(f"{found} is of a version that is not read")
    return found


@pytest.fixture
def program(compile_c: Compile, tmp_path: Path) -> MakeProgram:
    """Writes a program that finds the library as an installed package."""
    flags = ("-g", "-fopenmp", "-shared", "-fPIC")
    library = compile_c("python_regions.c", *flags, name="libregions.so")
    packages = tmp_path / "site-packages"
    packages.mkdir()
    (packages / "forest.py").write_text(LIBRARY.format(path=str(library)))

    def make(text: str, name: str) -> Path:
        path = tmp_path / name
        path.write_text(f"import sys; sys.path.insert(0, {str(packages)!r})\n{text}")
        return path

    return make


@pytest.fixture
def running(bobbin: Path, start: Start) -> Running:
    def start_python(python: str, path: Path, **variables: str) -> subprocess.Popen[str]:
        process = start(bobbin, "run", python, path, **variables)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    return start_python


def line_of(path: Path, mark: str) -> int:
    lines = path.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(mark))


def looked(
    bobbin: Path, process: subprocess.Popen[str], folder: Path, seconds: str = "2"
) -> Figures:
    figures = attached(bobbin, process, folder, seconds)
    assert figures is not None
    return figures


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_time_by_python_line_and_region(
    bobbin: Path, program: MakeProgram, running: Running, tmp_path: Path, python: str, provider: str
) -> None:
    path = program(NAMES, "日本.py")
    process = running(python, path, BOBBIN_PROVIDER=provider)
    first, *others = looked(bobbin, process, tmp_path)["python"]
    library = str(tmp_path / "site-packages/forest.py")
    assert first["frames"] == [
        {"file": str(path), "line": line_of(path, "# line fit"), "function": "Fürst"},
        {"file": library, "line": 13, "function": "Forest.fit"},
    ]
    assert first["region"]["line"] == line_of(PROGRAMS / "python_regions.c", "// line busy")
    assert first["seconds"] > sum(other["seconds"] for other in others)
    assert 0 < first["working_seconds"] <= 2.001 * first["seconds"]


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_threads_that_have_called_python(
    bobbin: Path, program: MakeProgram, running: Running, tmp_path: Path, python: str, provider: str
) -> None:
    path = program(CALLS, "calls.py")
    process = running(python, path, BOBBIN_PROVIDER=provider)
    figures = looked(bobbin, process, tmp_path)
    total = sum(one["seconds"] for one in figures["python"])
    assert total > 0.9 * figures["threads"][0]["thread_seconds"]
    first = figures["python"][0]
    assert first["frames"][-1]["line"] == line_of(path, "# line after")
    assert first["region"]["line"] == line_of(PROGRAMS / "python_regions.c", "// line busy after")


def test_lines_of_all_forms(
    bobbin: Path, program: MakeProgram, running: Running, tmp_path: Path, python: str
) -> None:
    path = program(FORMS, "forms.py")
    process = running(python, path)
    seen: Counter[tuple[str, int]] = Counter()  # samples
    marked = {
        (str(path), number)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if "# seen" in line
    } | {("<string>", 3)}
    end = time.monotonic() + PATIENCE_S
    while not marked <= seen.keys():
        assert time.monotonic() < end, marked - seen.keys()
        for one in looked(bobbin, process, tmp_path)["python"]:
            if "region" in one:
                innermost = one["frames"][-1]
                seen[innermost["file"], innermost["line"]] += one["samples"]
    # A look that takes long may join a line with a region that came or went meanwhile.
    others = sum(samples for place, samples in seen.items() if place not in marked)
    assert others < 0.05 * seen.total(), seen


def test_a_table_in_the_text(
    bobbin: Path, program: MakeProgram, running: Running, tmp_path: Path
) -> None:
    path = program(NAMES, "names.py")
    process = running(interpreter("python3.11"), path)
    result = run(bobbin, "profile", "--pid", str(process.pid), "--seconds", "1")
    head, own, led = result.stdout.split("\n\n")[-1].splitlines()[:3]
    assert head.split() == ["share", "time", "samples", "working", "Python"]
    assert own.endswith(f"names.py:{line_of(path, '# line fit')} (Fürst)")
    region = line_of(PROGRAMS / "python_regions.c", "// line busy")
    assert f"  -> forest.py:13 (Forest.fit) -> region at python_regions.c:{region} (busy)" in led


def test_top_and_stacks(bobbin: Path, program: MakeProgram, running: Running, python: str) -> None:
    path = program(NAMES, "names.py")
    process = running(python, path)
    line = line_of(path, "# line fit")
    end = time.monotonic() + PATIENCE_S
    from_line = f"            from names.py:{line} (Fürst) -> forest.py:13 (Forest.fit)\n"
    while from_line not in (text := run(bobbin, "top", "--once", "--seconds", "0.1").stdout):
        assert time.monotonic() < end, text
    if shutil.which("gdb") is None:
        pytest.skip("no gdb (scripts/setup test)")
    stacks = f"""
Python (LWP {process.pid}), the innermost first:
  forest.py:13 (Forest.fit)
  names.py:{line} (Fürst)
  names.py:{line + 5} (<module>)
"""
    while stacks not in (text := run(bobbin, "stacks", str(process.pid)).stdout):
        assert time.monotonic() < end, text


def test_what_is_inconsistent_tells_no_line(
    bobbin: Path, program: MakeProgram, running: Running, tmp_path: Path, python: str
) -> None:
    process = running(python, program(SPOILT, "spoilt.py"))
    figures = looked(bobbin, process, tmp_path, "0.5")
    assert figures["samples"] > 0
    assert "python" not in figures
