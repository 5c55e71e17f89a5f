# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests: the build's folders, a clean environment, a C compiler."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parent / "programs"
# After so many seconds a command counts as hanging; other processes may load the machine.
TIMEOUT_S = 600
# The names under which programs ask for an OpenMP runtime.
NAMES = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")
# The files that `bobbin run` preloads, one for each name.
PRELOADED = ("libgomp.so.1", "bobbin-libomp.so.5", "bobbin-libomp.so", "bobbin-libiomp5.so")

Compile = Callable[..., Path]
Figures = dict[str, Any]
Start = Callable[..., subprocess.Popen[str]]


def build_directory() -> Path:
    return Path(os.environ.get("BOBBIN_BUILD", Path(__file__).parents[2] / "build/release"))


def clean_environment() -> dict[str, str]:
    """The caller's environment without variables that affect an OpenMP runtime or the linker."""
    prefixes = ("OMP_", "GOMP_", "KMP_", "BOBBIN_", "LD_")
    return {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}


def run(
    *words: str | Path, cwd: str | Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words],
        env=clean_environment() | variables,
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
        check=False,
    )


def user_compiler(variable: str, name: str) -> str:
    """The compiler that CMake has found, see cmake/UserCompilers.cmake."""
    found = os.environ.get(variable) or shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} (scripts/setup test)")
    return found


@pytest.fixture(scope="session")
def clang() -> str:
    return user_compiler("BOBBIN_CLANG", "clang-19")


def clang_library(clang: str, name: str) -> Path:
    """The library that this clang would link."""
    path = Path(run(clang, f"-print-file-name={name}").stdout.strip())
    if not path.is_absolute():
        pytest.skip(f"no {name} of {clang} (scripts/setup test)")
    return path


@pytest.fixture(scope="session")
def clangxx() -> str:
    return user_compiler("BOBBIN_CLANGXX", "clang++-19")


@pytest.fixture(scope="session")
def flang() -> str:
    return user_compiler("BOBBIN_FLANG", "flang-new-19")


@pytest.fixture(scope="session")
def build() -> Path:
    return build_directory()


@pytest.fixture(scope="session")
def bobbin(build: Path) -> Path:
    return build / "bin/bobbin"


@pytest.fixture(scope="session")
def library(build: Path) -> Path:
    return build / "lib/libbobbin.so.1"


@pytest.fixture(scope="session")
def compat(build: Path) -> Path:
    return build / "lib/compat/libgomp.so.1"


@pytest.fixture(scope="session")
def preloads(compat: Path) -> str:
    """The value of LD_PRELOAD that `bobbin run` sets."""
    return ":".join(str(compat.parent / name) for name in PRELOADED)


@pytest.fixture(scope="session")
def system_libgomp() -> Path:
    """The libgomp.so.1 that gcc would link."""
    output = run(os.environ.get("CC", "gcc"), "-print-file-name=libgomp.so.1").stdout.strip()
    path = Path(output)
    if path.is_absolute():
        return path.resolve()
    listing = run("/sbin/ldconfig", "-p").stdout if Path("/sbin/ldconfig").exists() else ""
    for line in listing.splitlines():
        if line.strip().startswith("libgomp.so.1 ") and "x86-64" in line:
            return Path(line.split("=>")[1].strip()).resolve()
    raise FileNotFoundError("libgomp.so.1")


@pytest.fixture
def compile_c(tmp_path: Path) -> Compile:
    def compile_program(source: str, *flags: str | Path, name: str | None = None) -> Path:
        output = tmp_path / (name or Path(source).stem)
        compiler = os.environ.get("CC", "gcc")
        result = run(compiler, "-O1", PROGRAMS / source, "-o", output, *flags)
        assert result.returncode == 0, result.stderr
        return output

    return compile_program


@pytest.fixture
def static_libgomp(compile_c: Compile) -> Compile:
    """compile_c with libgomp.a in the program."""

    def compile_program(source: str, *flags: str | Path, name: str | None = None) -> Path:
        archive = run("gcc", "-print-file-name=libgomp.a").stdout.strip()
        if not Path(archive).is_absolute():
            pytest.skip("no libgomp.a")
        static = ("-fopenmp", "-foffload=disable", "-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic")
        program = compile_c(source, *static, *flags, name=name)
        if "libgomp" in run("readelf", "-d", program).stdout:
            pytest.skip("gcc still links libgomp.so")
        return program

    return compile_program


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def start_program(*words: str | Path, **variables: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [str(word) for word in words],
            env=clean_environment() | variables,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start_program
    for process in started:
        process.kill()
        process.wait()


def attached(
    bobbin: Path, process: subprocess.Popen[str], folder: Path, seconds: str = "1"
) -> Figures | None:
    """None: the process has not come to OpenMP yet."""
    file = folder / "figures.json"
    pid = str(process.pid)
    result = run(bobbin, "profile", "--pid", pid, "--seconds", seconds, "--json", file)
    if "SYS_PTRACE" in result.stderr or "ptrace_scope" in result.stderr:
        pytest.skip("no look at processes here")
    if result.returncode == 1:
        assert "does not use Bobbin" in result.stderr or "so far" in result.stderr
        return None
    assert result.returncode == 0, result.stderr
    [figures] = json.loads(file.read_text())["processes"]
    assert f"process {pid}, " in result.stdout
    assert "times from outside" in result.stdout
    return dict(figures)


def shown_in_browser(page: Path, folder: Path, width: int) -> str:
    """What the page consists of once its scripts have run. Its title tells whether it fits."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("no chromium")
    # A window is at least 500 wide, a frame is not.
    outer = folder / "outer.html"
    outer.write_text(f"""<title></title><body><iframe width={width} height=800 src="file://{page}"></iframe>
    <script>document.querySelector("iframe").onload = event => {{
      const inner = event.target.contentDocument.documentElement;
      const cut = [inner, ...inner.querySelectorAll("pre > code")].some(e => e.scrollWidth > e.clientWidth);
      document.title = cut ? "it is cut" : "it fits";
      document.body.append(inner.cloneNode(true));
    }}</script></body>""")
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--disable-web-security",
         "--allow-file-access-from-files", f"--user-data-dir={folder}/browser",
         "--window-size=1400,900", f"file://{outer}"],
        capture_output=True, text=True, timeout=120, check=False,
    ).stdout  # fmt: skip
    if "<title>" not in shown:
        pytest.skip("chromium does not run here")
    return shown


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    """A cache of its own for `bobbin cc`."""
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def counter(compile_c: Compile) -> Path:
    """To be preloaded; see counted_calls."""
    return compile_c(
        "task_calls_counter.c", "-D_GNU_SOURCE", "-shared", "-fPIC", "-ldl", name="counter.so"
    )


@pytest.fixture
def construct_counter(compile_c: Compile) -> Path:
    """The same for the constructs of programs/inlined_constructs.c."""
    return compile_c(
        "construct_calls_counter.c", "-D_GNU_SOURCE", "-shared", "-fPIC", "-ldl", name="counter.so"
    )


def counted_calls(output: str) -> int:
    """What the library of `counter` has said."""
    match = re.search(r"^calls (\d+)$", output, re.MULTILINE)
    assert match, output
    return int(match[1])


# Of C, with a task for one of the two calls.
FIB_FUNCTION = """\
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
"""


def calls_of_fib(program: Path, preload: str | Path, *words: str, **variables: str) -> int:
    """How often programs/fib_tasks.* asks the runtime for a task."""
    alone = {"OMP_NUM_THREADS": "1", "LD_PRELOAD": str(preload)}
    result = run(program, *words, **(alone | variables))
    assert "fib 6765\n" in result.stdout, result.stdout + result.stderr
    return counted_calls(result.stdout)
