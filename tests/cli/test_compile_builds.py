# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc`, `bobbin c++` and `bobbin fc` as the compilers of make, CMake, Meson and others."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import PROGRAMS, calls_of_fib, clang_library, run

C, FORTRAN = PROGRAMS / "fib_tasks.c", PROGRAMS / "fib_tasks.f90"
COMPILERS = {
    "gcc": ("cc", C),
    "g++": ("c++", C),
    "gfortran": ("fc", FORTRAN),
    "clang": ("cc", C),
    "clangxx": ("c++", C),
    "flang": ("fc", FORTRAN),
}


@dataclass
class Tool:
    """A compiler by way of Bobbin, a source for it, and the folder where it works."""

    words: tuple[str, ...]
    bare: str
    source: Path
    folder: Path
    cache: dict[str, str]

    def __call__(self, *words: str | Path, says: str = "") -> Path:
        """Makes x, or another file after -o, and says no more than it should."""
        output = Path(words[words.index("-o") + 1] if "-o" in words else "x")
        own = () if "-o" in words else ("-o", output)
        result = run(*self.words, *words, *own, cwd=self.folder, **self.cache)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", says)
        return self.folder / output


@pytest.fixture(scope="module")
def warm_cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def tool_of(name: str, request: pytest.FixtureRequest) -> Tool:
    command, source = COMPILERS[name]
    bare = name if name.startswith("g") else request.getfixturevalue(name)
    if shutil.which(bare) is None:
        pytest.skip(f"no {bare} (scripts/setup test)")
    folder = request.getfixturevalue("tmp_path")
    here = folder / ("fib.cpp" if command == "c++" else source.name)
    here.write_text(source.read_text())
    words = (str(request.getfixturevalue("bobbin")), command, f"--cc={bare}")
    return Tool(words, bare, here, folder, request.getfixturevalue("warm_cache"))


@pytest.fixture(params=COMPILERS)
def tool(request: pytest.FixtureRequest) -> Tool:
    return tool_of(request.param, request)


@pytest.fixture(params=["gcc", "clang"])
def c_tool(request: pytest.FixtureRequest) -> Tool:
    return tool_of(request.param, request)


@pytest.mark.parametrize(
    "flags", ["-O0 -g", "-O1 -fPIE", "-O3 -fno-plt -march=x86-64-v2", "-Os -g3"]
)
def test_compile_then_link(tool: Tool, counter: Path, flags: str) -> None:
    if "march" in flags and os.uname().machine != "x86_64":
        pytest.skip("an option for x86-64")
    if "flang" in tool.bare:
        flags = flags.replace(" -fno-plt", "").replace("-Os -g3", "-O2 -g")
    tool("-fopenmp", *flags.split(), "-c", tool.source, "-o", "x.o")
    assert calls_of_fib(tool("-fopenmp", *flags.split(), "x.o"), counter) <= 1
    assert calls_of_fib(tool("-fopenmp", "x.o"), counter) <= 1


def test_a_runtime_linked_by_name(
    tool: Tool, counter: Path, request: pytest.FixtureRequest
) -> None:
    tool("-fopenmp", "-O1", "-c", tool.source, "-o", "x.o")
    by_gnu = tool.bare.startswith("g")
    library = "-lgomp" if by_gnu else clang_library(request.getfixturevalue("clang"), "libomp.so")
    assert calls_of_fib(tool("x.o", library), counter) <= 1


def test_an_archive(tool: Tool, counter: Path) -> None:
    tool("-fopenmp", "-O1", "-c", tool.source, "-o", "x.o")
    assert run("ar", "rcs", "libx.a", "x.o", cwd=tool.folder).returncode == 0
    assert calls_of_fib(tool("-fopenmp", "-Wl,-u,main", "-L.", "-lx"), counter) <= 1


def test_a_shared_library(c_tool: Tool, counter: Path) -> None:
    strict = ("-Wall", "-Wextra", "-Werror", "-Wl,--fatal-warnings", "-Wl,--no-undefined")
    library = c_tool(
        "-fopenmp",
        "-O2",
        "-fPIC",
        "-shared",
        *strict,
        "-Dmain=fib_main",
        c_tool.source,
        "-o",
        "libfib.so",
    )
    user = c_tool.folder / "user.c"
    user.write_text(
        "int fib_main(int, char**);\nint main(int n, char** words) { return fib_main(n, words); }\n"
    )
    program = c_tool(user, "-L.", "-lfib", f"-Wl,-rpath,{library.parent}")
    assert calls_of_fib(program, counter) <= 1


def test_assembly_and_merged_objects(c_tool: Tool, counter: Path) -> None:
    c_tool("-fopenmp", "-O1", "-S", c_tool.source, "-o", "x.s")
    assert "gnu.lto" not in (c_tool.folder / "x.s").read_text()
    c_tool("-c", "x.s", "-o", "x.o")
    assert run(c_tool("-fopenmp", "x.o")).stdout == "fib 6765\n"
    c_tool("-fopenmp", "-O1", "-c", c_tool.source, "-o", "x.o")
    c_tool("-fopenmp", "-r", "-nostdlib", "x.o", "-o", "y.o")
    assert calls_of_fib(c_tool("-fopenmp", "y.o"), counter) <= 1


def test_dependencies_and_standard_input(c_tool: Tool, counter: Path) -> None:
    c_tool("-fopenmp", "-O1", "-MD", "-MF", "x.d", "-MT", "it", "-c", c_tool.source, "-o", "x.o")
    assert (c_tool.folder / "x.d").read_text().split()[:3] == ["it:", "\\", str(c_tool.source)]
    c_tool("-fopenmp", "-MMD", "-c", c_tool.source, "-o", "z.o")
    assert (c_tool.folder / "z.d").exists()
    assert "fib_tasks.c" in run(*c_tool.words, "-fopenmp", "-MM", c_tool.source).stdout
    words = " ".join(c_tool.words)
    run(
        "sh",
        "-c",
        f"{words} -fopenmp -x c - -o x <{c_tool.source}",
        cwd=c_tool.folder,
        **c_tool.cache,
    )
    assert calls_of_fib(c_tool.folder / "x", counter) <= 1
    said = run("sh", "-c", f"echo __OPENMP | {words} -fopenmp -E -", **c_tool.cache)
    assert said.stdout.endswith("__OPENMP\n")


def test_a_precompiled_header_and_assembly(c_tool: Tool, counter: Path) -> None:
    strict = ("-fopenmp", "-O2", "-Wall", "-Werror", "-Winvalid-pch")
    (c_tool.folder / "all.h").write_text("#include <stdio.h>\n")
    by_gcc = c_tool.bare == "gcc"
    header = "all.h.gch" if by_gcc else "all.h.pch"
    c_tool(*strict, "all.h", "-o", header)
    (c_tool.folder / "none.s").write_text('.section .note.GNU-stack,"",%progbits\n')
    c_tool("-fopenmp", "-Wall", "-Werror", "-c", "none.s", "-o", "none.o")
    (c_tool.folder / "all.h").write_text("#error not precompiled\n")
    uses = (
        ("-include", "all.h")
        if by_gcc
        else ("-include-pch", header, "-Xclang", "-fno-validate-pch")
    )
    assert calls_of_fib(c_tool(*strict, *uses, c_tool.source, "none.o"), counter) <= 1


def test_static_programs(c_tool: Tool) -> None:
    source = c_tool.folder / "static.c"
    source.write_text("int main(void) {\n#pragma omp parallel\n  ;\n  return 0;\n}\n")
    for static in ("-static", "-static-pie"):
        if (
            run(c_tool.bare, "-fopenmp", static, source, "-o", c_tool.folder / "bare").returncode
            != 0
        ):
            pytest.skip("no static libraries")
        result = run(
            *c_tool.words, "-fopenmp", static, source, "-o", "x", cwd=c_tool.folder, **c_tool.cache
        )
        assert f"with {static}\n" in result.stderr
        assert run(c_tool.folder / "x").returncode == 0


def test_gccs_own_lto(request: pytest.FixtureRequest, counter: Path) -> None:
    gcc = tool_of("gcc", request)
    for flags in ("-flto", "-flto=2", "-flto=auto -fno-fat-lto-objects"):
        gcc("-fopenmp", "-O2", *flags.split(), "-c", gcc.source, "-o", "x.o")
        assert calls_of_fib(gcc("-fopenmp", "-O2", *flags.split(), "x.o"), counter) <= 1
    says = "bobbin cc: tasks are not inlined by gcc: with -fno-lto\n"
    gcc("-fopenmp", "-fno-lto", "-c", gcc.source, "-o", "x.o", says=says)
    # Not inlined, but told at once by the functions in the program.
    assert calls_of_fib(gcc("-fopenmp", "x.o"), counter) <= 1
    gcc("-fopenmp", "-c", gcc.source, "-o", "x.o")
    assert calls_of_fib(gcc("-fopenmp", "-fno-lto", "x.o", says=says), counter) > 1


@pytest.mark.parametrize("flags", ["-flto", "-flto=thin"])
def test_llvms_own_lto(request: pytest.FixtureRequest, counter: Path, flags: str) -> None:
    clang = tool_of("clang", request)
    probe = clang.folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    lto = (flags, "-fuse-ld=lld")
    if run(clang.bare, *lto, probe, "-o", clang.folder / "probe").returncode != 0:
        pytest.skip("no lld of this LLVM")
    clang("-fopenmp", "-O2", flags, "-c", clang.source, "-o", "x.o")
    assert calls_of_fib(clang("-fopenmp", "-O2", *lto, "x.o"), counter) <= 1


def test_another_link_needs_no_lto_of_gcc(request: pytest.FixtureRequest) -> None:
    gcc = tool_of("gcc", request)
    gcc("-fopenmp", "-O2", "-c", gcc.source, "-o", "x.o")
    for flags in ((), ("-fno-lto",), ("-fno-use-linker-plugin",)):
        assert run("gcc", *flags, "-fopenmp", "x.o", "-o", "y", cwd=gcc.folder).returncode == 0
        assert run(gcc.folder / "y").stdout == "fib 6765\n"


def test_printed_flags_compile_and_link_apart(c_tool: Tool, bobbin: Path, counter: Path) -> None:
    flags = f"-Wall -Werror -fopenmp $({bobbin} cc --print-flags {c_tool.bare})"
    build = f"{c_tool.bare} -c {flags} {c_tool.source} -o x.o && {c_tool.bare} {flags} x.o -o x"
    result = run("sh", "-c", build, cwd=c_tool.folder, **c_tool.cache)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert calls_of_fib(c_tool.folder / "x", counter) <= 1


# Builds by others ---------------------------------------------------------------------------------


def build_with(tool: Tool, *words: str | Path, **variables: str) -> str:
    path = f"{Path(tool.words[0]).parent}:{os.environ['PATH']}"
    result = run(*words, cwd=tool.folder, PATH=path, **(tool.cache | variables))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "not inlined" not in result.stdout + result.stderr
    return result.stdout + result.stderr


def command_of(tool: Tool) -> str:
    return " ".join(("bobbin", *tool.words[1:]))


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"no {program}")


def test_make(c_tool: Tool, counter: Path) -> None:
    flags = ("CFLAGS=-O2 -fopenmp", "LDFLAGS=-Wl,--as-needed")
    build_with(c_tool, "make", f"CC={command_of(c_tool)}", *flags, "fib_tasks")
    assert calls_of_fib(c_tool.folder / "fib_tasks", counter) <= 1


def test_what_a_configure_script_tries(c_tool: Tool) -> None:
    cc = command_of(c_tool)
    script = c_tool.folder / "configure"
    script.write_text(
        f"""set -e
{cc} --version >/dev/null
{cc} -v >/dev/null 2>&1
! {cc} -V >/dev/null 2>&1
echo 'int main(void) {{ return 0; }}' >conftest.c
{cc} conftest.c && ./a.out
{cc} -o conftest conftest.c && ./conftest
{cc} -c conftest.c && test -f conftest.o
echo '#include <limits.h>' | {cc} -E - | grep -q limits.h
{cc} -E conftest.c | grep -q main
! {cc} -o conftest no-such-file.c 2>/dev/null
printf '#ifndef _OPENMP\\nno OpenMP\\n#endif\\n#include <omp.h>\\nint main(void) {{ return omp_get_num_threads() - 1; }}\\n' >conftest.c
! {cc} conftest.c 2>/dev/null
{cc} -fopenmp conftest.c && ./a.out
"""
    )
    build_with(c_tool, "sh", script)


PROJECT = """cmake_minimum_required(VERSION 3.20)
project(fib C CXX)
find_package(OpenMP REQUIRED)
add_library(part STATIC fib.c)
target_link_libraries(part PUBLIC OpenMP::OpenMP_C)
add_executable(by_archive none.c)
target_link_libraries(by_archive part)
add_executable(by_cxx fib.cpp)
target_link_libraries(by_cxx OpenMP::OpenMP_CXX)
"""


@pytest.mark.parametrize("by", ["CC", "ARG1"])
@pytest.mark.parametrize("family", [("gcc", "g++"), ("clang", "clangxx")], ids=["gcc", "clang"])
def test_cmake(
    request: pytest.FixtureRequest, counter: Path, family: tuple[str, str], by: str
) -> None:
    needs("cmake")
    c, cxx = (tool_of(name, request) for name in family)
    (c.folder / "CMakeLists.txt").write_text(PROJECT)
    (c.folder / "fib.c").write_text(C.read_text())
    (c.folder / "none.c").write_text("")
    variables, words = {}, []
    if by == "CC":
        variables = {"CC": command_of(c), "CXX": command_of(cxx)}
    else:
        for language, tool in (("C", c), ("CXX", cxx)):
            words.append(f"-DCMAKE_{language}_COMPILER={tool.words[0]}")
            words.append(f"-DCMAKE_{language}_COMPILER_ARG1={' '.join(tool.words[1:])}")
    build_with(c, "cmake", "-S", ".", "-B", "b", "-DCMAKE_BUILD_TYPE=Release", *words, **variables)
    build_with(c, "cmake", "--build", "b")
    for program in ("by_archive", "by_cxx"):
        assert calls_of_fib(c.folder / "b" / program, counter) <= 1


def test_meson(c_tool: Tool, counter: Path) -> None:
    needs("meson")
    needs("ninja")
    words = ", ".join(f"'{word}'" for word in c_tool.words)
    (c_tool.folder / "native.ini").write_text(f"[binaries]\nc = [{words}]\n")
    (c_tool.folder / "meson.build").write_text(
        "project('fib', 'c', default_options: ['buildtype=release', 'werror=true'])\n"
        "openmp = dependency('openmp')\n"
        "part = static_library('part', 'fib_tasks.c', dependencies: openmp)\n"
        "executable('fib', 'none.c', link_with: part, dependencies: openmp)\n"
        "shared_library('shared', 'fib_tasks.c', dependencies: openmp)\n"
    )
    (c_tool.folder / "none.c").write_text("")
    build_with(c_tool, "meson", "setup", "b", "--native-file", "native.ini")
    build_with(c_tool, "meson", "compile", "-C", "b")
    assert calls_of_fib(c_tool.folder / "b/fib", counter) <= 1


def test_ccache(c_tool: Tool, counter: Path) -> None:
    """A compiler that is a link to ccache gets what is added, so that it is part of the key."""
    needs("ccache")
    stored = {"CCACHE_DIR": str(c_tool.folder / "ccache")} | c_tool.cache
    masked = c_tool.folder / "masked" / Path(c_tool.bare).name
    masked.parent.mkdir()
    masked.symlink_to(str(shutil.which("ccache")))
    command = (*c_tool.words[:-1], f"--cc={masked}", "-fopenmp")
    hits = []
    for _ in range(2):
        built = run(*command, "-c", c_tool.source, "-o", "x.o", cwd=c_tool.folder, **stored)
        assert (built.returncode, built.stderr) == (0, "")
        said = run("ccache", "--print-stats", **stored).stdout.splitlines()
        hits.append(sum(int(line.split()[1]) for line in said if "_cache_hit" in line))
    assert hits[1] > hits[0]
    # Without Bobbin, another object.
    plain = run(
        masked, "-fopenmp", "-c", c_tool.source, "-o", "plain.o", cwd=c_tool.folder, **stored
    )
    assert plain.returncode == 0
    assert (c_tool.folder / "plain.o").read_bytes() != (c_tool.folder / "x.o").read_bytes()
    assert run(*command, "x.o", "-o", "x", cwd=c_tool.folder, **stored).stderr == ""
    assert calls_of_fib(c_tool.folder / "x", counter) <= 1
