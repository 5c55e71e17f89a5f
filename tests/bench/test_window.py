# SPDX-License-Identifier: Apache-2.0
"""Constructs entered at an agreed time: the stamps must be in a possible order."""

import pytest
from programs import RUNTIMES, passes

METRICS = {"first_out_last_in_us", "avg_out_last_in_us", "last_out_first_in_us"}


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_window(runtime: str, threads: int) -> None:
    figures = passes(("window", "samples=5", "exchanges=20"), runtime, threads)
    clocks = [words for words in figures if words["metric"] == "clock_offset_ns"]
    assert len(clocks) == 1
    assert clocks[0]["clock"] in {"tsc", "cntvct", "clock_gettime"}
    phases: dict[tuple[str, str], dict[str, float]] = {}
    for words in figures:
        if words["metric"] in METRICS:
            key = (words["construct"], words["phase"])
            phases.setdefault(key, {})[words["metric"]] = float(words["value"])
    assert len({construct for construct, _ in phases}) >= 14
    for values in phases.values():
        assert set(values) == METRICS
        first, average, last = (values[name] for name in sorted(METRICS, key=_order))
        assert first <= average <= last


def _order(metric: str) -> int:
    return ["first", "avg", "last"].index(metric.split("_")[0])
