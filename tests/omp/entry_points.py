# SPDX-License-Identifier: Apache-2.0
"""Report which entry points of GCC's OpenMP runtime no conformance program calls.

The list of entry points is the installed libgomp's dynamic symbol table, old versions of a symbol
included; what is called is what the built programs leave undefined.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

# OpenACC, the interface for offload plug-ins, and the registration of offload images are not served
# by Bobbin.
OUT_OF_SCOPE = re.compile(r"GOMP_PLUGIN_|GOMP_offload_|GOACC_|acc_")
ENTRY_POINT = re.compile(r"(GOMP_|omp_)\w+@")


def symbols(path: Path, undefined: bool) -> set[str]:
    """name@VERSION of every OpenMP entry point that the file defines or leaves undefined."""
    which = "--undefined-only" if undefined else "--defined-only"
    listing = subprocess.run(
        ["nm", "--dynamic", which, "--with-symbol-versions", "--format=posix", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = (line.split()[0].replace("@@", "@") for line in listing.splitlines() if line)
    return {n for n in names if ENTRY_POINT.match(n) and not OUT_OF_SCOPE.match(n)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, help="the compiler's libgomp.so.1")
    parser.add_argument("programs", type=Path, help="folder with the built programs")
    options = parser.parse_args()

    wanted = symbols(options.library.resolve(), undefined=False)
    callers: dict[str, list[str]] = {name: [] for name in wanted}
    for program in sorted(options.programs.iterdir()):
        if not program.is_file() or program.suffix:
            continue
        for name in symbols(program, undefined=True) & wanted:
            callers[name].append(program.name)

    missing = sorted(name for name, programs in callers.items() if not programs)
    gomp = sum(name.startswith("GOMP_") for name in wanted)
    print(f"{len(wanted)} entry points: {gomp} GOMP_*, {len(wanted) - gomp} omp_*")
    for name in missing:
        print(f"no program calls {name}")
    print(f"{len(wanted) - len(missing)} called, {len(missing)} not")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
