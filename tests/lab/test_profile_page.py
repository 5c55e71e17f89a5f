# SPDX-License-Identifier: Apache-2.0
"""A profile as a page."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import BOBBIN, ENVIRONMENT, lab

from bobbin_lab.profile_page.kinds import KINDS

SOURCE = """#include <unistd.h>
int main(void) {
  usleep(20000);
#pragma omp parallel for
  for (int i = 0; i < 4; i++) usleep(i < 2 ? 50000 : 1000);
#pragma omp parallel
#pragma omp critical
  usleep(10000);
}
"""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profile")
    source, program, figures = (folder / name for name in ("a.c", "a&b", "figures.json"))
    source.write_text(SOURCE)
    subprocess.run(["gcc", "-O1", "-g", "-fopenmp", source, "-o", program], check=True)
    subprocess.run(
        [BOBBIN, "run", "--profile", "--json", figures, "-n", "2", program],
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    return figures


def page_of(folder: Path, *files: Path) -> str:
    done = lab("report", *files, "-o", "page.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    return (folder / "page.html").read_text()


def process_of(figures: Path) -> dict[str, Any]:
    process: dict[str, Any]
    (process,) = json.loads(figures.read_text())["processes"]
    return process


def test_the_page_shows_threads_and_lines(figures: Path, tmp_path: Path) -> None:
    page = page_of(tmp_path, figures)
    assert "a&amp;b" in page
    threads, lines = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    for name in ("T0", "T1"):
        assert f">{name}<" in threads
    assert "work in regions" in threads
    assert "waits for locks" in lines
    assert len(re.findall(r">a\.c:\d+ \(main", lines)) >= 3


def test_each_thread_has_a_bar_as_long_as_its_time(figures: Path, tmp_path: Path) -> None:
    """Bars are paths with two corners at each end: the width of those of a colour is its time."""
    threads = re.findall(r"<svg.*?</svg>", page_of(tmp_path, figures), re.DOTALL)[0]
    total = process_of(figures)["total"]
    drawn = {}
    for kind in KINDS:
        bars = re.findall(
            rf'<path d="M ([\d.]+) [\d.]+ \nL ([\d.]+) [^"]*" [^>]*style="fill: {kind.colour}',
            threads,
        )
        # The last one is in the legend.
        drawn[kind.title] = sum(abs(float(b) - float(a)) for a, b in bars[:-1])
    spent = {kind.title: kind.spent(total["seconds"]) for kind in KINDS}
    scale = drawn["work in regions"] / spent["work in regions"]
    for title, seconds in spent.items():
        assert drawn[title] == pytest.approx(scale * seconds, rel=0.02, abs=1), title


def test_the_tables_have_everything(figures: Path, tmp_path: Path) -> None:
    page = page_of(tmp_path, figures)
    process = process_of(figures)
    lines = page[page.index('id="lines-1"') : page.index('id="counts-1"')]
    assert lines.count("<tr>") - 1 == sum(site["seconds"] > 0 for site in process["sites"])
    counts = page[page.index('id="counts-1"') :]
    assert "<td>critical</td><td>2</td>" in counts
    assert "<td>region</td><td>2</td>" in counts


def test_every_activity_has_one_kind(figures: Path) -> None:
    process = process_of(figures)
    named = [activity for kind in KINDS for activity in kind.activities]
    assert sorted(named) == sorted(process["total"]["seconds"])
    parts = sum(kind.spent(process["total"]["seconds"]) for kind in KINDS)
    assert parts == pytest.approx(process["total"]["thread_seconds"])


def test_profiles_and_results_are_not_mixed(figures: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text("")
    done = lab("report", figures, results, cwd=tmp_path)
    assert done.returncode == 125
    assert "make pages of their own" in done.stderr


def test_a_damaged_profile_is_told(figures: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.json"
    for text in (
        figures.read_text()[:500],
        '{"profile":1}',
        '{"profile":1,"processes":5}',
        '{"profile":1,"processes":[5]}',
        '{"profile":1,"processes":[{"threads":[{}]}]}',
        figures.read_text().replace('"threads":', '"strands":'),
    ):
        damaged.write_text(text)
        done = lab("report", damaged, cwd=tmp_path)
        assert done.returncode == 125, done.stderr
        assert "no whole profile" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"displayTimeUnit":"ns","traceEvents":[]}', "is a trace, not results"),
        ('{\n "span": 1,\n "processes": []}', "is of `bobbin run --span`"),
        ('{\n "command": [],\n "sides": []}', "is of `bobbin compare`"),
    ],
)
def test_other_files_of_bobbin_are_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    done = lab("report", file, "-o", tmp_path / "page.html", cwd=tmp_path)
    assert done.returncode == 125
    assert said in done.stderr
