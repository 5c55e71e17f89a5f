# SPDX-License-Identifier: Apache-2.0
"""Runs one case once, and observes the other load of the machine meanwhile."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from bobbin_lab.experiments.plan import Case
from bobbin_lab.host.noise import CpuClock, Noise, frequency
from bobbin_lab.host.quota import limited
from bobbin_lab.places import PROGRAMS
from bobbin_lab.results.records import Reading
from bobbin_lab.runtimes import Runtime

# The error of a run that timed out.
TIMED_OUT = "timed out"


@dataclass(frozen=True)
class Sample:
    """One run of a case. A run that failed has an error and no readings."""

    readings: tuple[Reading, ...]
    noise: Noise
    error: str | None = None
    skipped: str | None = None  # missing prerequisite, without which the program measured nothing

    @property
    def metrics(self) -> dict[str, float]:
        """The value, for programs that print a metric once."""
        return {reading.metric: reading.value for reading in self.readings}


def _words(line: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


def _number(metric: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{metric} is no number: {text}")
    return value


def parse_readings(output: str) -> list[Reading]:
    """Reads the lines `metric=NAME value=NUMBER unit=UNIT [KEY=VALUE ...]` of a program. Raises
    ValueError where a value is not a number.
    """
    readings = []
    for line in output.splitlines():
        words = _words(line)
        if "metric" in words and "value" in words:
            metric, value, unit = words.pop("metric"), words.pop("value"), words.pop("unit", "")
            readings.append(Reading(metric, _number(metric, value), unit, words))
    return readings


def parse_skipped(output: str) -> str | None:
    """The missing prerequisite, from a line `check=skipped what="..."`."""
    for line in output.splitlines():
        if line.startswith("check=skipped"):
            return line.partition("what=")[2].strip('"') or "something"
    return None


def _mean(copies: Sequence[list[Reading]]) -> list[Reading]:
    """Goes line by line over the outputs of copies that ran at once."""
    return [
        replace(same[0], value=sum(reading.value for reading in same) / len(same))
        for same in zip(*copies, strict=False)
    ]


@dataclass(frozen=True)
class _Ended:
    code: int
    output: str
    cpu: float
    at: float


@contextlib.contextmanager
def _source(case: Case) -> Iterator[int | BinaryIO]:
    """The program's standard input, as Popen takes it."""
    if case.given is None:
        yield subprocess.PIPE if case.stdin else subprocess.DEVNULL
    else:
        with case.given.reopened() as file:
            yield file


def _start(case: Case, env: dict[str, str], output: Path) -> subprocess.Popen[str]:
    with output.open("w") as sink, _source(case) as source:
        process = subprocess.Popen(
            (*case.within, *case.argv),
            env=env,
            cwd=case.cwd,
            stdin=source,
            stdout=sink,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
    if process.stdin is not None:
        process.stdin.write(case.stdin)
        process.stdin.close()
    return process


def _wait(process: subprocess.Popen[str], output: Path) -> _Ended:
    _, status, usage = os.wait4(process.pid, 0)
    at = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    return _Ended(
        process.returncode,
        output.read_text(errors="replace"),
        usage.ru_utime + usage.ru_stime,
        at,
    )


def _kill_all(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most real-time signals have no name
        return f"signal {number}"


def _error_of(case: Case, ended: list[_Ended], timed_out: bool) -> str | None:
    if timed_out:
        return TIMED_OUT
    for one in ended:
        if one.code != 0:
            last = one.output.strip().splitlines()[-1:] or [""]
            how = _signal_name(-one.code) if one.code < 0 else f"exit {one.code}"
            return f"{how}: {last[0]}"
        wrong = case.verify(one.output) if case.verify else None
        if wrong:
            return wrong
    return None


def probe_processors() -> dict[str, float]:
    """The present relation between two processors, as in Noise; the host may have moved them."""
    probe = PROGRAMS / "processors"
    if not probe.exists():
        return {}
    try:
        done = subprocess.run([probe], capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return {}
    found = {reading.metric: reading.value for reading in parse_readings(done.stdout)}
    return {name: found[name] for name in ("transfer_ns", "together") if name in found}


def run_case(case: Case, runtime: Runtime, timeout: float, probe: bool = True) -> Sample:
    """Starts all copies of the case at once and waits for all of them. `probe` first probes the
    processors, which takes a moment.
    """
    if case.quota is None:
        return _run_copies(case, runtime, timeout, probe)
    with limited(case.quota) as group:
        return _run_copies(replace(case, argv=group.enter(case.argv)), runtime, timeout, probe)


def _run_copies(case: Case, runtime: Runtime, timeout: float, probe: bool) -> Sample:
    env = {**runtime.environment(), **case.env}
    if case.threads is not None:
        env["OMP_NUM_THREADS"] = str(case.threads)
    processors = probe_processors() if probe else {}
    timed_out = threading.Event()
    with tempfile.TemporaryDirectory(prefix="bobbin-lab-") as scratch:
        outputs = [Path(scratch) / f"out.{i}" for i in range(case.copies)]
        own = _own_cpu()
        before = CpuClock.now()
        processes: list[subprocess.Popen[str]] = []

        def expire() -> None:
            timed_out.set()
            _kill_all(processes)

        timer = threading.Timer(timeout, expire)
        timer.daemon = True  # otherwise the interpreter may wait for it after an interrupt
        try:
            try:
                processes.extend(_start(case, env, output) for output in outputs)
            except OSError as failure:
                _kill_all(processes)
                return Sample((), Noise(0, 0, 0), f"cannot be started: {failure.strerror}")
            timer.start()
            ended = [_wait(p, output) for p, output in zip(processes, outputs, strict=True)]
        except BaseException:
            _kill_all(processes)
            raise
        finally:
            timer.cancel()
        after = CpuClock.now()
        own = _own_cpu() - own
    cpu = sum(one.cpu for one in ended)
    noise = replace(Noise.between(before, after, cpu + own), mhz=frequency(), **processors)
    error = _error_of(case, ended, timed_out.is_set())
    if error:
        return Sample((), noise, error)
    printed = [one.output for one in ended] if case.reports else []
    skipped = next(filter(None, map(parse_skipped, printed)), None)
    if skipped:
        return Sample((), noise, skipped=skipped)
    try:
        readings = _mean([parse_readings(output) for output in printed])
    except ValueError as wrong:
        return Sample((), noise, str(wrong))
    readings.append(Reading("wall_s", max(one.at for one in ended) - before.wall, "s"))
    readings.append(Reading("cpu_s", cpu, "s"))
    labelled = (replace(r, labels={**r.labels, **case.labels}) for r in readings)
    return Sample(tuple(labelled), noise)
