# SPDX-License-Identifier: Apache-2.0
"""Programs that have functions of their own under names that Bobbin's libraries import."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, run

# The program's own functions are called under these names: see runtime/platform/loader/own_imports.h.
OF_THE_PROGRAM = {"malloc", "calloc", "realloc", "free", "pthread_create", "ompt_start_tool"}
# Indirect functions of the C library, and its variables. All of these names are reserved by ISO C.
RESERVED = {
    "memchr", "memcmp", "memcpy", "memmove", "memset", "strchr", "strcmp", "strlen", "strncmp",
    "strnlen", "strrchr", "stdout", "stderr",
}  # fmt: skip

TRAP = """
extern long __write(int, const char*, unsigned long);
static void trap(const char* name, unsigned long length) {
  __write(2, name, length);
  __write(2, " was called\\n", 12);
  __builtin_trap();
}
#define OWN(NAME) \\
  __attribute__((section("own_functions"))) void NAME(void) { trap(#NAME, sizeof #NAME - 1); }
"""


def imported_functions(*libraries: Path) -> set[str]:
    """What the libraries import, except names that only the implementation may define."""
    names = set()
    for library in libraries:
        for line in run("nm", "-D", "--undefined-only", library).stdout.splitlines():
            name = line.split()[-1].partition("@")[0]
            if not name.startswith("_"):
                names.add(name)
    return names


@pytest.fixture(scope="session")
def instruments(compat: Path) -> list[Path]:
    return [compat.parent / f"libbobbin-{name}.so" for name in ("profile", "span", "trace")]


@pytest.fixture(scope="session")
def own_names(
    library: Path, instruments: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    names = imported_functions(library, *instruments) - OF_THE_PROGRAM - RESERVED
    assert {"read", "open", "mmap", "dlsym", "sysconf", "aligned_alloc"} <= names
    source = tmp_path_factory.mktemp("own") / "functions.c"
    source.write_text(TRAP + "".join(f"OWN({name})\n" for name in sorted(names)))
    return source


def build_with(compiler: str, functions: Path, tmp_path: Path) -> Path:
    own = tmp_path / "functions.o"
    program = tmp_path / "program"
    built = run(compiler, "-O1", "-fno-builtin", "-w", "-c", functions, "-o", own)
    assert built.returncode == 0, built.stderr
    built = run(compiler, "-O2", "-fopenmp", PROGRAMS / "own_names.c", own, "-o", program)
    assert built.returncode == 0, built.stderr
    return program


def check(words: list[str | Path], libraries: int, **variables: str) -> None:
    result = run(*words, **variables)
    assert result.returncode == 0, result.stderr
    expected = f"sum 4958 chain 100\n{libraries} libraries, 0 slots taken\n"
    assert result.stdout.startswith(expected), result.stdout


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
def test_no_function_of_the_program_is_called(
    own_names: Path, compat: Path, provider: str, tmp_path: Path
) -> None:
    program = build_with("gcc", own_names, tmp_path)
    settings = {
        "LD_PRELOAD": str(compat),
        "BOBBIN_PROVIDER": provider,
        "OMP_DISPLAY_ENV": "verbose",
        "OMP_TOOL_VERBOSE_INIT": "stderr",
    }
    check([program], 1, **settings)
    check([program], 1, **settings, OMP_AFFINITY_FORMAT="%H %P %i", OMP_DISPLAY_AFFINITY="true")


def test_nor_in_a_program_of_clangs(
    own_names: Path, bobbin: Path, clang: str, tmp_path: Path
) -> None:
    check([bobbin, "run", build_with(clang, own_names, tmp_path)], 1)


@pytest.mark.parametrize("option", ["--profile", "--trace=out", "--span"])
def test_nor_by_an_instrument(own_names: Path, bobbin: Path, option: str, tmp_path: Path) -> None:
    program = build_with("gcc", own_names, tmp_path)
    option = option.replace("=", f"={tmp_path}/")
    check([bobbin, "run", option, program], 2)


def test_nor_by_hwloc(own_names: Path, bobbin: Path, tmp_path: Path) -> None:
    if not list(Path("/usr/lib").glob("*/libhwloc.so.15")):
        pytest.skip("no hwloc")
    program = build_with("gcc", own_names, tmp_path)
    check([bobbin, "run", program], 2, OMP_PLACES="cores")


ALLOCATOR = """
#include <stddef.h>
static char room[64 << 20];
static size_t used;  // the address after what is taken
static void* take(size_t alignment, size_t size) {
  for (;;) {
    size_t before = __atomic_load_n(&used, __ATOMIC_RELAXED);
    size_t from = before == 0 ? (size_t)room : before;
    size_t begin = (from + 16 + alignment - 1) & ~(alignment - 1);
    if (begin + size > (size_t)(room + sizeof room)) return NULL;
    if (!__atomic_compare_exchange_n(&used, &before, begin + size, 0, 0, 0)) continue;
    ((size_t*)begin)[-1] = size;
    return (void*)begin;
  }
}
void* malloc(size_t size) { return take(16, size); }
void* calloc(size_t count, size_t size) { return take(16, count * size); }
void* aligned_alloc(size_t alignment, size_t size) { return take(alignment, size); }
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = take(alignment, size);
  return *memory == NULL ? 12 : 0;
}
void free(void* memory) {
  if (memory == NULL) return;
  if ((char*)memory < room || (char*)memory >= room + sizeof room) __builtin_trap();
}
void* realloc(void* memory, size_t size) {
  char* copy = take(16, size);
  size_t old = memory != NULL ? ((size_t*)memory)[-1] : 0;
  for (size_t i = 0; copy != NULL && i < old && i < size; i++) copy[i] = ((char*)memory)[i];
  return copy;
}
"""


def test_the_programs_allocator_is_used_as_a_whole(
    library: Path, bobbin: Path, tmp_path: Path
) -> None:
    of_allocators = {"malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign"}
    functions = tmp_path / "functions.c"
    names = imported_functions(library) - OF_THE_PROGRAM - RESERVED - of_allocators
    functions.write_text(TRAP + "".join(f"OWN({name})\n" for name in sorted(names)) + ALLOCATOR)
    check([bobbin, "run", build_with("gcc", functions, tmp_path)], 1)
