# SPDX-License-Identifier: Apache-2.0
"""Run one OpenMP program at several numbers of threads on one runtime.

Every run is a process of its own with a clean OpenMP environment. A run that is late gets SIGTERM
first, so that the program can say in which case it hangs, and is killed a little later.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# Any of these in the caller's environment would change the test.
FOREIGN_PREFIXES = ("OMP_", "GOMP_", "KMP_", "BOBBIN_", "LD_PRELOAD")
GRACE_S = 30.0
SHOWN_LINES = 30


@dataclass(frozen=True)
class Outcome:
    status: int | None  # None: it took too long
    output: str
    seconds: float

    @property
    def passed(self) -> bool:
        return self.status == 0

    def describe(self) -> str:
        if self.status is None:
            return f"late after {self.seconds:.0f} s"
        if self.status < 0:
            return f"killed by {signal.Signals(-self.status).name}"
        return f"exit status {self.status}"


def clean_environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN_PREFIXES)}


def runtime_environment(preload: str, provider: str) -> dict[str, str]:
    """The variables that select the runtime: none for the compiler's own."""
    if not preload:
        return {}
    return {"LD_PRELOAD": preload, "BOBBIN_PROVIDER": provider}


def foreign_runtimes(program: Path, preload: str) -> list[str]:
    """OpenMP libraries that ld.so would load beside the preloaded ones: then the test proves
    nothing.
    """
    environment = clean_environment() | {"LD_PRELOAD": preload, "LD_TRACE_LOADED_OBJECTS": "1"}
    # Not with a preloaded sanitizer runtime, which does more than trace.
    listing = subprocess.run(
        [program], env=environment, capture_output=True, text=True, check=False
    )
    paths = re.findall(r"(/\S+)", listing.stdout)
    return [
        path for path in paths
        if re.match(r"lib(g|i)?omp5?\.so", Path(path).name) and path not in preload.split(":")
    ]  # fmt: skip


def run(command: list[str], settings: dict[str, str], patience: float) -> Outcome:
    environment = clean_environment() | settings
    begin = time.monotonic()
    # It is a file, not a pipe: a program that leaves a process behind must not block the reader.
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        status: int | None
        try:
            status = process.wait(patience)
        except subprocess.TimeoutExpired:
            status = None
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        log.seek(0)
        output = log.read().decode(errors="replace")
    return Outcome(status, output, time.monotonic() - begin)


def report(outcome: Outcome, what: str, settings: dict[str, str], command: list[str]) -> None:
    print(f"FAILED {what}: {outcome.describe()}")
    assignments = " ".join(f"{k}={shlex.quote(v)}" for k, v in settings.items())
    print(f"  again: {assignments} {shlex.join(command)}")
    lines = outcome.output.splitlines()
    for line in lines[:SHOWN_LINES]:
        print(f"  | {line}")
    if len(lines) > SHOWN_LINES:
        print(f"  | ... {len(lines) - SHOWN_LINES} more lines")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--preload", default="", help="LD_PRELOAD; empty: the compiler's runtime")
    parser.add_argument("--provider", default="fiber", choices=("fiber", "kernel"))
    parser.add_argument("--threads", default="1,2,3,8", help="values of OMP_NUM_THREADS")
    parser.add_argument(
        "--patience", type=float, default=600.0, help="seconds after which a run counts as hanging"
    )
    parser.add_argument(
        "--gap", action="append", default=[], metavar="CASE: WHY", help="a case not to run"
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()

    extra = dict(item.split("=", 1) for item in options.set)
    command = [str(options.program)]
    for gap in options.gap:
        print(f"not run: {gap}")
    extra["CHECK_SKIP"] = ",".join(gap.split(":")[0] for gap in options.gap)
    failures = 0
    if options.preload:
        for path in foreign_runtimes(options.program, options.preload):
            failures += 1
            print(f"FAILED: {path} is loaded as well")
    for threads in options.threads.split(","):
        settings = runtime_environment(options.preload, options.provider)
        settings |= {"OMP_NUM_THREADS": threads} | extra
        outcome = run(command, settings, options.patience)
        if outcome.passed:
            print(f"passed at {threads} threads in {outcome.seconds:.2f} s")
        else:
            failures += 1
            report(outcome, f"at {threads} threads", settings, command)
            if outcome.status is None:
                break  # the caller of the test cannot be expected to wait longer
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
