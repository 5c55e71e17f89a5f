# SPDX-License-Identifier: Apache-2.0
"""A trace as an archive of OTF2, read again by OTF2's own library."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import BOBBIN, ENVIRONMENT, lab

otf2 = pytest.importorskip("otf2", reason="PyPI has it for Python 3.11 on x86-64 only")

SOURCE = """int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task
      for (volatile int k = 0; k < 1000; k++) { }
    }
#pragma omp critical
    { }
  }
}
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trace")
    source, program, trace = (folder / name for name in ("a.c", "a", "trace.json"))
    source.write_text(SOURCE)
    subprocess.run(["gcc", "-O1", "-g", "-fopenmp", source, "-o", program], check=True)
    subprocess.run(
        [BOBBIN, "run", "--trace", trace, program],
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    return trace


def _entered(archive: Any) -> tuple[list[tuple[str, str, int, int]], list[Any]]:
    """Thread, region, begin and end of each, and the regions."""
    found = []
    regions = {}
    open_: dict[str, list[tuple[str, int]]] = {}
    latest: dict[str, int] = {}
    for location, event in archive.events:
        stack = open_.setdefault(location.name, [])
        assert event.time >= latest.get(location.name, 0)
        latest[location.name] = event.time
        regions[event.region.name] = event.region
        if isinstance(event, otf2.events.Enter):
            stack.append((event.region.name, event.time))
        else:
            name, begin = stack.pop()
            assert name == event.region.name
            found.append((location.name, name, begin, event.time))
    assert not any(open_.values())
    return found, list(regions.values())


def test_an_archive_has_what_the_trace_has(trace: Path, tmp_path: Path) -> None:
    result = lab("otf2", trace, "-o", tmp_path / "archive", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    with otf2.reader.open(str(tmp_path / "archive/traces.otf2")) as archive:
        assert archive.timer_resolution == 1_000_000_000
        found, regions = _entered(archive)
    events = json.loads(trace.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    expected = [
        (names[e["tid"]], e["name"], round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000))
        for e in events
        if e["ph"] == "X" and names[e["tid"]].startswith("OpenMP thread")
    ]
    assert Counter(found) == Counter(expected)
    assert f"{len(found)} slices" in result.stdout
    assert len({thread for thread, *_ in found}) == 2
    [task] = [region for region in regions if region.name.startswith("task a.c:")]
    assert task.region_role == otf2.enums.RegionRole.TASK
    assert task.paradigm == otf2.enums.Paradigm.OPENMP
    assert task.source_file == "a.c"
    assert task.name == f"task a.c:{task.begin_line_number} (main)"
    roles = {region.region_role for region in regions}
    assert otf2.enums.RegionRole.PARALLEL in roles
    assert otf2.enums.RegionRole.CRITICAL in roles


def test_what_is_refused(trace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[1, 2]")
    refused = lab("otf2", other, "-o", tmp_path / "x", cwd=tmp_path)
    assert refused.returncode == 125
    assert "is no trace of" in refused.stderr
    again = lab("otf2", trace, "-o", tmp_path, cwd=tmp_path)
    assert again.returncode == 125
    assert "is there already" in again.stderr
    missing = lab("otf2", tmp_path / "none", "-o", tmp_path / "x", cwd=tmp_path)
    assert missing.returncode == 125
    assert "No such file" in missing.stderr
