# SPDX-License-Identifier: Apache-2.0
"""The papers' figures: what is declared, how points are read, and what may be published."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import lab
from results import CALM, MACHINE

from bobbin_lab.experiments import catalogue
from bobbin_lab.host.noise import Noise
from bobbin_lab.papers import PAPERS, page
from bobbin_lab.papers.declared import (
    Bars,
    Curves,
    Entry,
    Figure,
    HeatMap,
    Models,
    Paper,
    Quantity,
    Words,
    plain,
    speedup,
)
from bobbin_lab.papers.findings import Finding, Numbers, paragraph
from bobbin_lab.papers.grids import grid_of
from bobbin_lab.papers.points import Point, points_of
from bobbin_lab.papers.result import result_of
from bobbin_lab.papers.work import benchmark_of, name_of
from bobbin_lab.results.records import Reading, Results, Run, Session

DOCUMENT = Path(__file__).parents[2] / "docs" / "results" / "papers.md"
NOISY = Noise(0.5, 0.0, 100.0)

FIGURES = [
    pytest.param(paper, figure, id=f"{paper.name} {figure.number}")
    for paper in PAPERS.values()
    for figure in paper.figures
]


@pytest.mark.parametrize(("paper", "figure"), FIGURES)
@pytest.mark.parametrize("quick", [True, False], ids=["quick", "own sizes"])
def test_a_figure_is_declared_soundly(paper: Paper, figure: Figure, quick: bool) -> None:
    assert len(figure.found) > 10
    if isinstance(figure.shown, Words):
        rows = figure.shown.rows()
        assert rows
        assert {len(row) for row in rows} == {len(figure.shown.headings)}
        return
    assert figure.entries
    assert figure.threads_at(quick)
    for entry in figure.entries:
        benchmark = benchmark_of(entry, quick)  # refuses arguments that are not known
        assert benchmark.metrics.keys() & set(figure.quantity.metrics)
        if isinstance(figure.shown, Curves) and figure.shown.x != "threads":
            assert len(benchmark.over[figure.shown.x]) > 2


def test_numbers_and_marks_are_unique() -> None:
    marks = [p.mark(f) for p in PAPERS.values() for f in p.figures]
    assert len(marks) == len(set(marks))


# An invented figure of fib at two sizes.

ENTRY = Entry("fib", "fib", "n=10,20")


def figure_of(**changed: Any) -> Figure:
    usual = Figure(
        "1", "invented", Curves(x="n"), "x" * 30, (ENTRY,), plain("time_ms", "ms"),
        ("gomp", "bobbin"), threads=(1, 2), quick_threads=(1, 2),
    )  # fmt: skip
    return dataclasses.replace(usual, **changed)


def run_of(runtime: str, threads: int, n: str, ms: float, turn: int, noise: Noise = CALM) -> Run:
    return Run(
        experiment=name_of(ENTRY, True),
        case=f"{runtime}, {threads}, {n}",
        runtime="gomp" if runtime == "serial" else runtime,
        threads=threads,
        round=turn,
        command=("x",),
        readings=(Reading("time_ms", ms, "ms", {"n": n}),),
        noise=noise,
    )


def results_of(runs: list[Run]) -> Results:
    info = benchmark_of(ENTRY, True).info()
    session = Session(
        "paper x", {"gomp": "a", "bobbin": "b"}, (), 5, 1, {name_of(ENTRY, True): info}, MACHINE
    )
    return Results([session], runs)


def invented(rounds: int = 5) -> Iterator[Run]:
    """gomp takes n ms a thread, Bobbin half of that, the serial program 2 n."""
    for turn in range(1, rounds + 1):
        for n in ("10", "20"):
            yield run_of("serial", 1, n, 2 * float(n), turn)
            for threads in (1, 2):
                yield run_of("gomp", threads, n, float(n) * threads, turn)
                yield run_of("bobbin", threads, n, float(n) * threads / 2, turn)


def value(points: list[Point], **at: str) -> float:
    (found,) = [p for p in points if all(p.at[k] == v for k, v in at.items())]
    return float(found.summary.median)


def test_points_of_a_figure() -> None:
    points = points_of(figure_of(), results_of(list(invented())), quick=True)
    assert value(points, runtime="bobbin", threads="2", n="20") == 20
    assert [p.at["n"] for p in points] == sorted(p.at["n"] for p in points)
    assert all(point.sure for point in points)


def test_speedup_divides_by_the_serial_program_of_the_same_size() -> None:
    figure = figure_of(quantity=speedup())
    points = points_of(figure, results_of(list(invented())), quick=True)
    assert value(points, runtime="gomp", threads="2", n="10") == 1
    assert value(points, runtime="bobbin", threads="2", n="20") == 2
    assert "serial" not in {point.at["runtime"] for point in points}


def test_a_disturbed_run_does_not_count() -> None:
    runs = list(invented())
    runs += [run_of("gomp", 1, "10", 1e6, turn, NOISY) for turn in range(6, 30)]
    (point,) = [
        p
        for p in points_of(figure_of(), results_of(runs), quick=True)
        if (p.at["runtime"], p.at["threads"], p.at["n"]) == ("gomp", "1", "10")
    ]
    assert point.summary.median == 10
    assert point.sure


def test_what_cannot_be_is_refused() -> None:
    """One thread twice as fast as the serial program, or four times."""
    figure = figure_of(quantity=speedup(), shown=Curves(x="n", lines=("runtime", "threads")))
    result = result_of(PAPERS["nested"], figure, results_of(list(invented())), True)
    assert result is not None
    headings = list(result.headings)
    for who, refused in (("libgomp, 1 thread", True), ("libgomp, 2 threads", False)):
        assert {row[headings.index(who)] == "refused" for row in result.rows} == {refused}
    (why,) = result.missing
    assert "libgomp, 1 thread, n 10: a speed-up of 2 by 1 thread on 2 processors" in why
    (drawn,) = result.pictures.values()
    assert "1 thread<" not in drawn


def test_an_efficiency_above_the_whole_is_refused() -> None:
    share = Quantity(("time_ms",), "% of the processors' time")
    runs = [run_of("gomp", 1, "10", ms, turn) for turn in range(5) for ms in (104.0,)]
    runs += [run_of("gomp", 1, "20", 106.0, turn) for turn in range(5)]
    points = points_of(figure_of(quantity=share), results_of(runs), quick=True)
    assert [p.refused for p in points] == ["", "106 % of what there is"]


def test_a_run_on_distant_processors_does_not_count() -> None:
    far = Noise(0.0, 0.0, 0.0, transfer_ns=190.0)
    runs = [dataclasses.replace(run, noise=far) for run in invented()]
    points = points_of(figure_of(), results_of(runs), quick=True)
    assert {point.sure for point in points if point.at["threads"] == "2"} == {False}
    assert {point.sure for point in points if point.at["threads"] == "1"} == {True}


def test_too_few_calm_runs_are_marked() -> None:
    runs = [r if r.round > 1 else dataclasses.replace(r, noise=NOISY) for r in invented()]
    grid = grid_of(figure_of(), points_of(figure_of(), results_of(runs), quick=True))
    assert not grid.sure
    assert all(cell.endswith("?") for row in grid.rows for cell in row[1:] if cell != "-")


SECTION = """`x`, commit 0123456.

| ms | libgomp | Bobbin | n |
|---|---|---|---|
| 1 thread | 1,200 [1,100-1,300] | 4.5 | 1 |
| 2 threads | 0.0051 | 3 [1-2] ? | refused |
"""
FASTER = Finding(
    "Bobbin takes {1} ms, libgomp {0}.",
    lambda n: n.row("1 thread", "libgomp", "Bobbin"),
    lambda gomp, bobbin: bobbin < gomp,
)


def test_findings_are_filled_from_the_table() -> None:
    assert paragraph(FASTER, SECTION) == "Bobbin takes 4.5 ms, libgomp 1,200."
    assert paragraph("A sentence.", SECTION) == "A sentence."
    assert Numbers.of(SECTION).column("libgomp") == [1200, 0.0051]


def found_at(*at: str) -> Finding:
    return Finding("{0}", lambda n: n.row(*at), lambda *_: True)


def test_findings_that_the_numbers_do_not_say_are_left_out() -> None:
    slower = dataclasses.replace(FASTER, holds=lambda gomp, bobbin: bobbin > gomp)
    assert paragraph((slower, "For this reason.", FASTER, "For that one."), SECTION) == (
        "Bobbin takes 4.5 ms, libgomp 1,200. For that one."
    )
    for row, column in (("2 threads", "Bobbin"), ("2 threads", "n"), ("3 threads", "n")):
        assert paragraph(found_at(row, column), SECTION) == "", (row, column)
    assert paragraph(FASTER, "`a command`, not yet measured.\n") == ""


def test_no_finding_is_of_a_table_that_is_not_there() -> None:
    """A row or a column that was renamed would leave a sentence out for good. What a finding is
    about may be refused, but not all of them.
    """
    held = page.measured(DOCUMENT.read_text(encoding="utf-8"))
    lost = []
    for paper in PAPERS.values():
        for figure in paper.figures:
            here = (figure.here,) if isinstance(figure.here, str | Finding) else figure.here
            section = held[paper.mark(figure)].replace("refused", "1")
            numbers = Numbers.of(section)
            if not numbers.cells:  # not yet measured
                continue
            for finding in (one for one in here if isinstance(one, Finding)):
                try:
                    finding.values(numbers)
                except KeyError as error:
                    lost.append(f"{figure.number}: {finding.text}: {error}")
    assert lost == []


@pytest.mark.parametrize(
    ("shown", "headings", "rows"),
    [
        (Curves(x="n", lines=("runtime", "threads")), 6, 2),
        (Bars(("n",), ("runtime", "threads")), 6, 2),
        (Bars(("n",), ("runtime", "threads"), stacked=True), 6, 2),
        (HeatMap(("runtime",), ("n",), ("threads",)), 3, 4),
    ],
    ids=["curves", "bars", "stacked", "heat map"],
)
def test_pictures_and_tables(shown: Curves | Bars | HeatMap, headings: int, rows: int) -> None:
    result = result_of(PAPERS["nested"], figure_of(shown=shown), results_of(list(invented())), True)
    assert result is not None
    assert result.sure
    assert len(result.headings) == headings
    assert len(result.rows) == rows
    for svg in result.pictures.values():
        picture = ET.fromstring(svg)
        assert float(picture.get("width", "0").rstrip("pt")) > 100
        assert "libgomp" in svg or "Bobbin" in svg


def test_models_side_by_side() -> None:
    figure = figure_of(
        shown=Models("all"), threads=(1, 2, 4, 8, 16), quick_threads=(1, 2, 4, 8, 16)
    )
    runs = [
        run_of(runtime, threads, n, factor * threads, turn)
        for turn in range(5)
        for n in ("10", "20")
        for runtime, factor in (("gomp", 2.0), ("bobbin", 1.0))
        for threads in (1, 2, 4, 8, 16)
    ]
    result = result_of(PAPERS["nested"], figure, results_of(runs), True)
    assert result is not None
    assert result.headings == ["construct", "runtime", "fib, ms", "R²"]
    assert [row[:2] for row in result.rows][:2] == [["n 10", "libgomp"], ["n 10", "Bobbin"]]
    assert result.rows[0][2].endswith("2 t")
    assert result.rows[0][3] == "1.00"
    assert len(result.pictures) == 2
    noisy = [dataclasses.replace(run, noise=NOISY) for run in runs]
    unsure = result_of(PAPERS["nested"], figure, results_of(noisy), True)
    assert unsure is not None
    assert not unsure.sure


def test_a_figure_with_failed_runs_is_not_fit() -> None:
    runs = [*invented(), dataclasses.replace(run_of("omp", 1, "10", 1, 1), error="exit 1")]
    result = result_of(PAPERS["nested"], figure_of(), results_of(runs), True)
    assert result is not None
    assert not result.sure
    assert any(text.endswith("exit 1") for text in result.missing)


# The document


def test_the_document_is_as_declared() -> None:
    """`bobbin lab paper list --update docs/results/papers.md` renews it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert page.renewed(text, list(PAPERS.values()), {}) == text


def test_what_was_measured_stays() -> None:
    text = f"before\n<!-- {page.ALL} -->\n<!-- /{page.ALL} -->\nafter\n"
    papers = list(PAPERS.values())
    first = page.renewed(text, papers, {"nested-2": "measured\n", "nested-6": "old\n"})
    second = page.renewed(first, papers, {"nested-6": "new\n"})
    assert page.measured(second)["nested-2"] == "measured\n"
    assert page.measured(second)["nested-6"] == "new\n"
    assert second.startswith("before\n")
    assert second.endswith("after\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nested", "--update", "d.md", "--reps", "4"], "--update needs at least --reps 5"),
        (["nested", "--update", "no.md"], "no.md"),
        (["nested", "--update", "empty.md"], "no section papers"),
        (["nestled"], "there is no paper 'nestled': one of"),
        (["nested", "--figure", "9"], "nested has no figure '9': one of 2, 3, 4a"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_at_once(tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "d.md").write_text(f"<!-- {page.ALL} -->\n<!-- /{page.ALL} -->\n")
    (tmp_path / "empty.md").write_text("nothing\n")
    done = lab("paper", *words, cwd=tmp_path)
    assert done.returncode == 125
    assert said in " ".join(done.stderr.replace("│", " ").split())


def test_the_list_names_every_figure(tmp_path: Path) -> None:
    done = lab("paper", "list", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for paper in PAPERS.values():
        assert f"bobbin lab paper {paper.name}" in done.stdout
    assert catalogue.chosen("growth")
