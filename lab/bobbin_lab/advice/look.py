# SPDX-License-Identifier: Apache-2.0
"""The OpenMP regions of a run, in all of its processes. They are read from the files that a
preloaded library (lab/probe) has written.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bobbin_lab.places import PROGRAMS
from bobbin_lab.runtimes import MissingError

PROBE = PROGRAMS / "regions.so"
# Names the folder in which the library writes a file for each process.
FOLDER = "BOBBIN_LAB_REGIONS"

# struct Record of lab/probe/record.c.
_MOST_THREADS = 1024
_RECORD = struct.Struct(f"{_MOST_THREADS + 1}QQ1024s1024s")

_TITLES = {"libbobbin": "Bobbin", "libgomp": "libgomp", "libiomp5": "libiomp5", "libomp": "libomp"}


@dataclass(frozen=True)
class Process:
    """A process that had an OpenMP runtime."""

    regions: Mapping[int, int]  # outermost regions by number of threads
    hidden: bool  # another library took the runtime's calls first
    library: str
    num_threads: str  # OMP_NUM_THREADS as the process had it


def _text(field_of_record: bytes) -> str:
    return field_of_record.split(b"\0")[0].decode(errors="replace")


def parse(record: bytes) -> Process:
    *counts, hidden, library, num_threads = _RECORD.unpack(record)
    regions = {threads: count for threads, count in enumerate(counts) if count}
    return Process(regions, bool(hidden), _text(library), _text(num_threads))


@dataclass(frozen=True)
class Look:
    processes: Sequence[Process] = ()

    @staticmethod
    def into(folder: Path) -> Look:
        records = (file.read_bytes() for file in sorted(folder.iterdir()))
        return Look([parse(record) for record in records if len(record) == _RECORD.size])

    @property
    def in_use(self) -> Sequence[Process]:
        """The processes that opened regions."""
        return [process for process in self.processes if process.regions]

    @property
    def hidden(self) -> bool:
        """Returns whether regions may have been opened without being seen."""
        return not self.in_use and any(process.hidden for process in self.processes)

    @property
    def sizes(self) -> Mapping[int, int]:
        total: Counter[int] = Counter()
        for process in self.in_use:
            total.update(process.regions)
        return dict(sorted(total.items()))

    @property
    def regions(self) -> int:
        return sum(self.sizes.values())

    @property
    def threads(self) -> int:
        """The number of threads of the largest region; 0 if none was seen."""
        return max(self.sizes, default=0)

    @property
    def libraries(self) -> Sequence[str]:
        used = self.in_use or self.processes
        return list(dict.fromkeys(process.library for process in used if process.library))

    @property
    def runtime(self) -> str:
        """The library's usual name."""
        names = [Path(library).name for library in self.libraries]
        titles = [next((t for stem, t in _TITLES.items() if n.startswith(stem)), n) for n in names]
        return " and ".join(dict.fromkeys(titles)) or "?"

    @property
    def team(self) -> str:
        """The numbers of threads, for a column of the table."""
        sizes = list(self.sizes)
        if not sizes:
            return "?"
        return ", ".join(map(str, sizes)) if len(sizes) < 4 else f"{sizes[0]} to {sizes[-1]}"

    @property
    def num_threads(self) -> Sequence[str]:
        """The values of OMP_NUM_THREADS in the processes that opened regions."""
        return list(dict.fromkeys(process.num_threads for process in self.in_use))


def must_be_built() -> None:
    if not PROBE.is_file():
        raise MissingError(
            f"{PROBE} is missing: run `cmake --preset release && cmake --build --preset release`"
        )
