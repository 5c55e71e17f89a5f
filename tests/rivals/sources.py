# SPDX-License-Identifier: Apache-2.0
"""The rivals' own tests: Debian's source packages, of which only the tests are unpacked.

apt uses separate folders, so it needs no root, and the machine's settings stay unchanged.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

APT_FOLDERS = ("parts", "lists/partial", "cache/archives/partial")


def source_entries() -> str:
    """The machine's package sources of its own distribution, as entries for source packages."""
    codename = platform.freedesktop_os_release()["VERSION_CODENAME"]
    etc = Path("/etc/apt")
    old = [etc / "sources.list", *sorted(etc.glob("sources.list.d/*.list"))]
    lines = [
        line.replace("deb ", "deb-src ", 1)
        for path in old
        if path.exists()
        for line in path.read_text().splitlines()
        if re.match(rf"deb (\[[^]]*\] )?\S+ {codename}\b", line)
    ]
    if lines:
        return "\n".join(lines) + "\n"
    entries = [
        re.sub(r"^Types:.*", "Types: deb-src", entry, flags=re.MULTILINE)
        for path in sorted(etc.glob("sources.list.d/*.sources"))
        for entry in path.read_text().split("\n\n")
        if re.search(rf"^Suites: {codename}\b", entry, re.MULTILINE)
    ]
    return "\n\n".join(entries) + "\n"


def download(package: str, folder: Path) -> None:
    apt = folder / "apt"
    for name in APT_FOLDERS:
        (apt / name).mkdir(parents=True, exist_ok=True)
    entries = source_entries()
    name = "entries.sources" if "Types:" in entries else "entries.list"
    (apt / "parts" / name).write_text(entries)
    options = {
        "Dir::Etc::SourceList": os.devnull,
        "Dir::Etc::SourceParts": apt / "parts",
        "Dir::State::Lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
    }
    command = [
        "apt-get",
        "-qq",
        *(word for key, value in options.items() for word in ("-o", f"{key}={value}")),
    ]
    print(f"fetching the sources of {package}", flush=True)
    subprocess.run([*command, "update"], check=True)
    subprocess.run([*command, "source", "--download-only", package], cwd=folder, check=True)


def unpack(folder: Path, archive: str, *members: str) -> None:
    (path,) = folder.glob(archive)
    subprocess.run(["tar", "xf", path, "-C", folder, "--wildcards", *members], check=True)
    path.unlink()


def tests_in(folder: Path, package: str, inside: str, unpack_all: Callable[[Path], None]) -> Path:
    """Returns the folder of this package's tests, and fetches them if they are missing."""
    folder = folder / package
    ready = folder / "ready-with-headers"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        download(package, folder)
        unpack_all(folder)
        ready.touch()
    (tests,) = folder.glob(f"*/{inside}")
    return tests


def tests_of_libgomp(folder: Path, version: str) -> Path:
    def unpack_all(folder: Path) -> None:
        # Debian wraps the compiler's archive in another one.
        unpack(folder, "*.orig.tar.*", "*/gcc-*-dfsg.tar.*")
        members = ("*/libgomp/testsuite/*", "*/libgomp/*.h", "*/include/*.h")
        unpack(folder, "*/gcc-*-dfsg.tar.*", *members)

    return tests_in(folder, f"gcc-{version}", "libgomp/testsuite", unpack_all)


def tests_of_libomp(folder: Path, version: str) -> Path:
    def unpack_all(folder: Path) -> None:
        members = ("*/openmp/runtime/test/*", "*/openmp/runtime/src/kmp_platform.h")
        unpack(folder, "*.orig.tar.*", *members)

    return tests_in(folder, f"llvm-toolchain-{version}", "openmp/runtime/test", unpack_all)


def tests_of_mpich(folder: Path) -> Path:
    def unpack_all(folder: Path) -> None:
        unpack(folder, "*.orig.tar.*", "*/test/mpi/*")

    return tests_in(folder, "mpich", "test/mpi", unpack_all)
