# SPDX-License-Identifier: Apache-2.0
"""What the OpenMP regions of a run were, whichever of its processes opened them: read from what a
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
# Names a folder to the library, for a file from each process.
FOLDER = "BOBBIN_LAB_REGIONS"

# struct Record of lab/probe/record.c.
_MOST_THREADS = 1024
_RECORD = struct.Struct(f"{_MOST_THREADS + 1}QQ1024s1024s")

_TITLES = {"libbobbin": "Bobbin", "libgomp": "libgomp", "libiomp5": "libiomp5", "libomp": "libomp"}


@dataclass(frozen=True)
class Process:
    """One that had an OpenMP runtime."""

    regions: Mapping[int, int]  # how many had how many threads; not those inside of others
    hidden: bool  # another library than ours took its calls
    library: str
    num_threads: str  # OMP_NUM_THREADS, as it was there


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
        """Regions may have been opened that were not seen."""
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
        """Of the largest region; 0 if none was seen."""
        return max(self.sizes, default=0)

    @property
    def libraries(self) -> Sequence[str]:
        used = self.in_use or self.processes
        return list(dict.fromkeys(process.library for process in used if process.library))

    @property
    def runtime(self) -> str:
        """Under the name that its users know."""
        names = [Path(library).name for library in self.libraries]
        titles = [next((t for stem, t in _TITLES.items() if n.startswith(stem)), n) for n in names]
        return " and ".join(dict.fromkeys(titles)) or "?"

    @property
    def team(self) -> str:
        """The numbers of threads, for a column."""
        sizes = list(self.sizes)
        if not sizes:
            return "?"
        return ", ".join(map(str, sizes)) if len(sizes) < 4 else f"{sizes[0]} to {sizes[-1]}"

    @property
    def num_threads(self) -> Sequence[str]:
        """What OMP_NUM_THREADS was for those that opened regions."""
        return list(dict.fromkeys(process.num_threads for process in self.in_use))


def must_be_built() -> None:
    if not PROBE.is_file():
        raise MissingError(
            f"{PROBE} is missing: run `cmake --preset release && cmake --build --preset release`"
        )
