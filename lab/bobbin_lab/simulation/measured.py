# SPDX-License-Identifier: Apache-2.0
"""The costs of the nearest level, as this machine has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bobbin_lab.experiments.plan import Case
from bobbin_lab.measure.execute import run_case
from bobbin_lab.places import program
from bobbin_lab.runtimes import MissingError, Runtime, usable_runtimes
from bobbin_lab.simulation.costs import Costs
from bobbin_lab.simulation.recording import hand_over_ns, recording_ns

# Other programs only make these figures larger, so the least of some runs counts.
_RUNS = 5
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class _Probe:
    """A benchmark program, the metric that counts, and its factor to ns."""

    words: tuple[str, ...]
    metric: str
    factor: float = 1.0
    threads: int = 1
    env: Mapping[str, str] = field(default_factory=dict)

    def least(self, runtime: Runtime) -> float:
        name, *arguments = self.words
        case = Case(
            name, runtime.name, (program(name), *arguments), threads=self.threads, env=self.env
        )
        found = []
        for _ in range(_RUNS):
            sample = run_case(case, runtime, _PATIENCE_S, probe=False)
            if sample.error or self.metric not in sample.metrics:
                raise MissingError(f"{' '.join(self.words)}: {sample.error or sample.skipped}")
            found.append(sample.metrics[self.metric])
        return self.factor * min(found)


_BRIEF = ("samples=10", "sample_us=500")
_TASK = _Probe(("fib", "n=27"), "task_ns")
_CALL = _Probe(("fib", "n=27", "mode=serial"), "task_ns")
_DEFERRED = _Probe(
    ("overheads", "construct=parallel_tasks", *_BRIEF),
    "least_us",
    1e3,
    threads=2,
    env={"BOBBIN_TASK_POLICY": "creation=breadth-first,cutoff=none"},
)
# All threads on one worker.
_THREADS = 16
_REGION = _Probe(
    ("overheads", "construct=parallel", *_BRIEF),
    "least_us",
    1e3 / _THREADS,
    threads=_THREADS,
    env={"BOBBIN_WORKERS": "1"},
)
_TRANSFER = _Probe(("processors",), "transfer_ns")


def _scaled(costs: Sequence[float], nearest: float) -> tuple[float, ...]:
    """Farther levels in their old proportion to the nearest."""
    return tuple(nearest * cost / costs[0] for cost in costs)


def measured_costs(folder: Path) -> Costs:
    """`folder`: for a recorded graph. What cannot be told apart is divided as by default: a task
    that is deferred and begun later, and a wake-up and a theft when an idle worker takes a task.
    """
    usual = Costs()
    runtime = usable_runtimes(["bobbin"])["bobbin"]
    transfer = _TRANSFER.least(runtime)
    later = max(_DEFERRED.least(runtime), 0.0) / (usual.defer + usual.begin)
    taken = hand_over_ns(folder) / (usual.wake[0] + usual.steal[0])
    return replace(
        usual,
        recording=recording_ns(folder),
        in_place=max(_TASK.least(runtime) - _CALL.least(runtime), 0.0),
        defer=later * usual.defer,
        begin=later * usual.begin,
        probe=transfer * usual.probe / usual.transfer[0],
        fork=_REGION.least(runtime),
        steal=_scaled(usual.steal, taken * usual.steal[0]),
        wake=_scaled(usual.wake, taken * usual.wake[0]),
        transfer=_scaled(usual.transfer, transfer),
    )
