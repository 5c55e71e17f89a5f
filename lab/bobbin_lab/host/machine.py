# SPDX-License-Identifier: Apache-2.0
"""The machine on which figures were taken: for readers of results, and to tell results apart."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bobbin_lab.host.commit import commit_of
from bobbin_lab.places import LIBRARY


def _first_line(*argv: str) -> str:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except OSError:
        return "?"
    return (done.stdout.splitlines() or ["?"])[0]


def _cpuinfo(field: str) -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith(field):
            return line.split(":", 1)[1].strip()
    return "?"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else "?"


def _governor() -> str:
    path = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return path.read_text().strip() if path.is_file() else "not told"


def describe() -> dict[str, Any]:
    steering = ("OMP_", "GOMP_", "KMP_", "BOBBIN_")
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _cpuinfo("model name"),
        "processors": len(os.sched_getaffinity(0)),
        "virtual": "hypervisor" in _cpuinfo("flags").split(),
        "governor": _governor(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": platform.release(),
        "libc": " ".join(platform.libc_ver()),
        "compiler": _first_line("gcc", "--version"),
        "libbobbin": _digest(LIBRARY / "libbobbin.so.1"),
        "commit": commit_of(LIBRARY),
        "version": os.environ.get("BOBBIN_LAB_VERSION", "source tree"),
        "load": round(os.getloadavg()[0], 2),
        # The user's variables. The runs themselves do not see them.
        "environment": {
            k: v
            for k, v in os.environ.items()
            if k.startswith(steering) and not k.startswith("BOBBIN_LAB_")
        },
    }


def commit_in_words(machine: Mapping[str, Any]) -> str:
    return machine.get("commit") or "no known commit"


def sentence(machine: Mapping[str, Any]) -> str:
    """One line to print below a table."""
    return (
        f"{machine['at'][:10]}, {machine['processors']} processors ({machine['processor']}"
        f"{', virtual' if machine['virtual'] else ''}), Linux {machine['kernel']}, "
        f"{machine['libc']}, {machine['compiler']}, {commit_in_words(machine)}."
    )


def in_words(machine: Mapping[str, Any], libraries: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a reader wants to know of it, line by line: a heading and a text."""
    count = machine["processors"]
    virtual = ", of a virtual machine" if machine["virtual"] else ""
    told = [
        ("Processors", f"{count} of {machine['processor']}{virtual}"),
        ("Memory", f"{machine['memory_gib']} GiB"),
        ("System", f"Linux {machine['kernel']}, {machine['libc']}"),
        ("Compiler of the programs", machine["compiler"]),
        ("Measured", f"{machine['at'][:16].replace('T', ' at ')} UTC"),
        ("Load when it began", f"{machine['load']} (0 is an idle machine)"),
        ("Clock", f"governor {machine['governor']}"),
        ("Bobbin", f"{machine['version']}, libbobbin.so.1 {machine['libbobbin']}"),
        ("Built from", commit_in_words(machine)),
    ]
    told += [(f"Calls on {name} went to", library) for name, library in libraries.items()]
    variables = " ".join(f"{name}={value}" for name, value in machine["environment"].items())
    return [*told, ("Set by the user, without effect on the runs", variables or "nothing")]
