# SPDX-License-Identifier: Apache-2.0
"""libbobbin.so.1 and its name library as the dynamic linker sees them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import NAMES, run

# Outside every version node, so that they serve references to libc's own versions.
INTERPOSED = {
    "sched_yield",
    "pthread_getaffinity_np",
    "pthread_setaffinity_np",
    "dlclose",
    "pthread_getattr_np",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_getcpuclockid",
    "pthread_getschedparam",
    "pthread_setschedparam",
    "pthread_mutexattr_setprotocol",
}
OUT_OF_SCOPE = re.compile(r"acc_|GOACC_|GOMP_PLUGIN_")


def dynamic_tags(path: Path, tag: str) -> list[str]:
    output = run("readelf", "-dW", path).stdout
    return re.findall(rf"\({tag}\).*?\[(.*?)\]", output)


def defined_symbols(path: Path) -> set[tuple[str, str]]:
    """Name and version, the latter as nm writes it: @@ marks the default."""
    symbols = set()
    for line in run("nm", "-D", "--defined-only", "--with-symbol-versions", path).stdout.splitlines():
        _, kind, text = line.split()
        if kind == "A":
            continue
        name, at, version = text.partition("@")
        symbols.add((name, at + version))
    return symbols


def version_nodes(path: Path) -> set[str]:
    output = run("nm", "-D", "--defined-only", path).stdout
    return {line.split()[2].split("@")[0] for line in output.splitlines() if line.split()[1] == "A"}


def test_needs_nothing_but_libc(library: Path) -> None:
    needed = set(dynamic_tags(library, "NEEDED"))
    assert needed <= {"libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def test_stays_loaded(library: Path) -> None:
    assert "NODELETE" in run("readelf", "-dW", library).stdout


def test_every_host_entry_point_of_libgomp_is_served(library: Path, system_libgomp: Path) -> None:
    wanted = {s for s in defined_symbols(system_libgomp) if not OUT_OF_SCOPE.match(s[0])}
    assert sorted(wanted - defined_symbols(library)) == []


def test_every_host_entry_point_of_libomp_is_served(library: Path) -> None:
    """What its header, its Fortran module and compilers know; not what its parts have in common."""
    clang = shutil.which("clang-19")
    libomp = Path(run(clang or "true", "-print-file-name=libomp.so").stdout.strip() or "missing")
    if not libomp.is_absolute():
        pytest.skip("no libomp of clang-19 (scripts/setup test)")
    # docs/conformance.md, "Programs of LLVM and Intel", has them.
    inner = re.compile(
        r"_+kmp_|ompt_|ompd_|kmp_\w_debug|kmp_diag|kmp_mutex_impl_info|kmp_threadprivate_insert"
        r"|kmp_set_thread_affinity_mask_initial"
        r"|__kmpc_(for_collapsed_init|calc_original_ivs_rectang|process_loop_nest_rectang)"
        r"|__kmpc_(get_(parent_)?taskid|invoke_task_func|task_get_(depnode|successors))"
    )
    served = {(name, version.lstrip("@")) for name, version in defined_symbols(library)}
    wanted = {(name, version.lstrip("@")) for name, version in defined_symbols(libomp)}
    missing = {
        name for name, version in wanted - served if version == "VERSION" and not inner.match(name)
    }
    assert sorted(missing) == []


def test_nothing_else_is_exported(library: Path) -> None:
    named = re.compile(r"(GOMP|omp|ompc|ompx|bobbin|__kmpc|kmpc|kmp)_\w+$")
    strays = {
        name
        for name, version in defined_symbols(library)
        if not (version and named.match(name)) and name not in INTERPOSED
    }
    assert strays == set()


def test_interposed_symbols_have_no_version(library: Path) -> None:
    symbols = dict(defined_symbols(library))
    for name in INTERPOSED & symbols.keys():
        assert symbols[name] == ""


@pytest.mark.parametrize("name", NAMES)
def test_name_library_is_only_a_name(compat: Path, name: str) -> None:
    path = compat.parent / name
    assert dynamic_tags(path, "SONAME") == [name]
    assert dynamic_tags(path, "NEEDED") == ["libbobbin.so.1"]
    assert dynamic_tags(path, "AUXILIARY") == ["libbobbin.so.1"]
    assert dynamic_tags(path, "RUNPATH") == ["$ORIGIN/.."]
    assert defined_symbols(path) == set()


def test_libgomp_has_its_second_name(compat: Path) -> None:
    assert (compat.parent / "libgomp.so.1.0.0").resolve() == compat.resolve()


@pytest.mark.parametrize("name", NAMES)
def test_name_library_has_every_version_node(compat: Path, system_libgomp: Path, name: str) -> None:
    wanted = {v for v in version_nodes(system_libgomp) if re.match(r"G?OMP_\d", v)}
    newer = {"OMP_5.1.1", "OMP_5.2", "GOMP_5.1.1", "GOMP_5.1.2", "GOMP_5.1.3"}
    assert wanted | newer | {"VERSION"} <= version_nodes(compat.parent / name)
