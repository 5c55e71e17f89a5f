# SPDX-License-Identifier: Apache-2.0
"""Runs cases by turns, in an order that differs from round to round."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.compare.noise import CpuClock, Noise, transfer_ns, wait_until_quiet
from bench.compare.plan import Case, Experiment
from bench.compare.runtimes import PROGRAMS, Runtime


@dataclass(frozen=True)
class Sample:
    """One run of a case. A run that failed has an error and no metrics."""

    metrics: dict[str, float]
    noise: Noise
    error: str | None = None


@dataclass
class Outcome:
    """All samples of an experiment, by case."""

    experiment: Experiment
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def values(self, case: str, metric: str) -> list[float]:
        return [s.metrics[metric] for s in self.samples.get(case, []) if metric in s.metrics]

    def error(self, case: str) -> str | None:
        errors = [s.error for s in self.samples.get(case, []) if s.error]
        return errors[0] if errors else None

    def untrusted(self) -> int:
        return sum(not s.noise.trusted() for ss in self.samples.values() for s in ss)

    def count(self) -> int:
        return sum(len(ss) for ss in self.samples.values())


def parse_metrics(output: str) -> dict[str, float]:
    """From the lines `metric=NAME value=NUMBER unit=UNIT` of a program's output."""
    metrics = {}
    for line in output.splitlines():
        words = dict(w.split("=", 1) for w in line.split() if "=" in w)
        if "metric" in words and "value" in words:
            metrics[words["metric"]] = float(words["value"])
    return metrics


@dataclass(frozen=True)
class _Ended:
    code: int
    output: str
    cpu: float
    at: float


def _start(case: Case, env: dict[str, str], output: Path) -> subprocess.Popen[str]:
    with output.open("w") as sink:
        process = subprocess.Popen(
            case.argv,
            env=env,
            cwd=case.cwd,
            stdin=subprocess.PIPE if case.stdin else subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
    if case.stdin and process.stdin is not None:
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
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _error_of(case: Case, ended: list[_Ended], timed_out: bool) -> str | None:
    if timed_out:
        return "timed out"
    for one in ended:
        if one.code != 0:
            last = one.output.strip().splitlines()[-1:] or [""]
            how = signal.Signals(-one.code).name if one.code < 0 else f"exit {one.code}"
            return f"{how}: {last[0]}"
        wrong = case.verify(one.output) if case.verify else None
        if wrong:
            return wrong
    return None


def run_case(case: Case, runtime: Runtime, timeout: float) -> Sample:
    """Starts the case's copies at once and waits for all of them."""
    env = {**runtime.environment(), **case.env}
    if case.threads is not None:
        env["OMP_NUM_THREADS"] = str(case.threads)
    transfer = transfer_ns(PROGRAMS / "transfer")
    timed_out = threading.Event()
    with tempfile.TemporaryDirectory(prefix="bobbin-compare-") as scratch:
        outputs = [Path(scratch) / f"out.{i}" for i in range(case.copies)]
        own = _own_cpu()
        before = CpuClock.now()
        processes = [_start(case, env, output) for output in outputs]

        def expire() -> None:
            timed_out.set()
            _kill_all(processes)

        timer = threading.Timer(timeout, expire)
        timer.start()
        ended = [_wait(p, output) for p, output in zip(processes, outputs, strict=True)]
        timer.cancel()
        after = CpuClock.now()
        own = _own_cpu() - own
    cpu = sum(one.cpu for one in ended)
    noise = Noise.between(before, after, cpu + own)
    noise = Noise(noise.foreign, noise.stolen, noise.foreign_ticks, transfer)
    error = _error_of(case, ended, timed_out.is_set())
    if error:
        return Sample({}, noise, error)
    per_copy = [parse_metrics(one.output) for one in ended]
    metrics = {k: sum(m[k] for m in per_copy) / len(per_copy) for k in per_copy[0]}
    metrics["wall_s"] = max(one.at for one in ended) - before.wall
    metrics["cpu_s"] = cpu
    return Sample(metrics, noise)


@dataclass(frozen=True)
class Settings:
    rounds: int = 5
    retries: int = 2  # of a sample that foreign load disturbed
    quiet_wait: float = 20.0
    seed: int = 1


def run_experiment(
    experiment: Experiment,
    runtimes: dict[str, Runtime],
    settings: Settings,
    tell: Callable[[str, Outcome], None] = lambda _text, _so_far: None,
) -> Outcome:
    """Every round runs each case once, in a new random order; `tell` hears before each run."""
    cases = [case for case in experiment.cases if case.runtime in runtimes]
    outcome = Outcome(experiment, {case.name: [] for case in cases})
    order = random.Random(f"{settings.seed} {experiment.name}")
    rounds = settings.rounds * experiment.repeat
    for turn in range(rounds):
        if settings.retries:
            wait_until_quiet(settings.quiet_wait)
        order.shuffle(cases)
        for case in cases:
            if outcome.error(case.name):
                continue  # a case that fails once is not tried again
            tell(f"{experiment.name}: {case.name}, round {turn + 1} of {rounds}", outcome)
            sample = run_case(case, runtimes[case.runtime], experiment.timeout)
            for _ in range(settings.retries):
                if sample.noise.trusted() or sample.error:
                    break
                wait_until_quiet(settings.quiet_wait)
                sample = run_case(case, runtimes[case.runtime], experiment.timeout)
            outcome.samples[case.name].append(sample)
    return outcome
