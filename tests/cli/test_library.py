# SPDX-License-Identifier: Apache-2.0
"""libbobbin.so.1 and its name library as the dynamic linker sees them."""

from __future__ import annotations

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from conftest import NAMES, PRELOADED, clang_library, run

# Outside of every version node, so that they also satisfy references to libc's versions.
INTERPOSED = {
    "sched_yield",
    "clock_nanosleep",
    "nanosleep",
    "sleep",
    "usleep",
    "pthread_getaffinity_np",
    "pthread_setaffinity_np",
    "dlclose",
    "pthread_getattr_np",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_getcpuclockid",
    "pthread_getname_np",
    "pthread_setname_np",
    "pthread_getschedparam",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_gettid_np",
    "pthread_kill",
    "pthread_sigmask",
    "pthread_sigqueue",
    "__longjmp_chk",
    "_longjmp",
    "longjmp",
    "raise",
    "sched_getaffinity",
    "sched_setaffinity",
    "sigaction",
    "siglongjmp",
    "signal",
    "sigprocmask",
    "sigsuspend",
    "sigtimedwait",
    "sigwait",
    "sigwaitinfo",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setrobust",
    "capset",
    "clock_gettime",
    "getrusage",
    "nice",
    "personality",
    "prctl",
    "ptrace",
    "sched_setparam",
    "sched_setscheduler",
    "setfsgid",
    "setfsuid",
    "setns",
    "setpriority",
    "sigaltstack",
    "syscall",
    "timer_create",
    "unshare",
    "thrd_sleep",
    "thrd_yield",
    "tss_create",
    "tss_delete",
}
SOURCE = Path(__file__).parents[2]
OUT_OF_SCOPE = re.compile(r"acc_|GOACC_|GOMP_PLUGIN_")


def dynamic_tags(path: Path, tag: str) -> list[str]:
    output = run("readelf", "-dW", path).stdout
    return re.findall(rf"\({tag}\).*?\[(.*?)\]", output)


def defined_symbols(path: Path) -> set[tuple[str, str]]:
    """Name and version, written as by nm: @@ marks the default."""
    symbols = set()
    for line in run(
        "nm", "-D", "--defined-only", "--with-symbol-versions", path
    ).stdout.splitlines():
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


def names_not_served() -> list[str]:
    """The patterns in docs/conformance.md."""
    text = (SOURCE / "docs/conformance.md").read_text()
    section = text.split("\n### Names that are not served\n")[1].split("\n#")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [pattern for row in rows for pattern in re.findall(r"`(.+?)`", row)]


@pytest.fixture
def names_of_libomp(clang: str) -> set[str]:
    return {name for name, _ in defined_symbols(clang_library(clang, "libomp.so"))}


def names_of_libiomp5() -> set[str]:
    lines = Path(__file__).with_name("libiomp5_names.txt").read_text().splitlines()
    return {line for line in lines if not line.startswith("#")}


def test_names_of_libomp_and_libiomp5_are_served_or_listed(
    library: Path, names_of_libomp: set[str]
) -> None:
    served = {name for name, _ in defined_symbols(library)}
    missing = (names_of_libomp | names_of_libiomp5()) - served
    patterns = names_not_served()
    unlisted = {n for n in missing if not any(fnmatchcase(n, p) for p in patterns)}
    assert sorted(unlisted) == []
    # Names that are now served must leave the list.
    assert [p for p in patterns if any(fnmatchcase(n, p) for n in served)] == []


def test_names_of_libomp_are_in_its_version_node(library: Path, names_of_libomp: set[str]) -> None:
    served = {
        name for name, version in defined_symbols(library) if version.lstrip("@") == "VERSION"
    }
    others = {name for name, _ in defined_symbols(library)} - served
    assert sorted(names_of_libomp & others) == []


def test_device_identifiers_are_in_both_version_nodes(library: Path) -> None:
    """libomp has these from version 22 on."""
    for name in ("omp_get_device_from_uid", "omp_get_uid_from_device"):
        for spelling in (name, f"{name}_"):
            assert {(spelling, "@VERSION"), (spelling, "@@GOMP_6.0")} <= defined_symbols(library)


def test_names_of_libiomp5_are_found_in_a_process(bobbin: Path) -> None:
    """Found by the loader, for a program that names no version."""
    script = "import ctypes, sys; p = ctypes.CDLL(None); print(*(n for n in sys.argv[1:] if not hasattr(p, n)))"
    wanted = {
        n for n in names_of_libiomp5() if not any(fnmatchcase(n, p) for p in names_not_served())
    }
    result = run(bobbin, "run", sys.executable, "-c", script, *sorted(wanted))
    assert (result.returncode, result.stdout.split()) == (0, [])


def test_nothing_else_is_exported(library: Path) -> None:
    named = re.compile(
        r"(GOMP|omp|ompc|ompx|bobbin|alpi|__kmpc|kmpc|kmp)_\w+$|omp_lib(_kinds)?\._$"
        r"|_You_must_link_with_\w+$|__atomic_(load|store|compare_exchange)$"
    )
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


@pytest.mark.parametrize(
    ("name", "file"), [*zip(NAMES, NAMES, strict=True), *zip(NAMES, PRELOADED, strict=True)]
)
def test_name_library_is_only_a_name(compat: Path, name: str, file: str) -> None:
    path = compat.parent / file
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
    newer = {
        *("OMP_5.1.1", "OMP_5.2", "OMP_6.0", "OMP_6.1"),
        *("GOMP_5.1.1", "GOMP_5.1.2", "GOMP_5.1.3", "GOMP_6.0", "GOMP_6.0.1", "GOMP_6.0.2"),
    }
    assert wanted | newer | {"VERSION"} <= version_nodes(compat.parent / name)
