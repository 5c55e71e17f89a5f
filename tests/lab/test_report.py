# SPDX-License-Identifier: Apache-2.0
"""The page is self-contained, and a real browser shows it."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from command import PATIENCE_S
from PIL import Image
from results import CALM, MACHINE, THREADS, results_of, runs_of

from bobbin_lab.commands.model import rows
from bobbin_lab.experiments.plan import SERIAL
from bobbin_lab.host.noise import Noise
from bobbin_lab.model.analyse import analyse
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.model.verdict import Verdict
from bobbin_lab.output import plots
from bobbin_lab.output.plots import write_all
from bobbin_lab.report import render
from bobbin_lab.results.records import (
    BenchmarkInfo,
    Better,
    MetricInfo,
    Reading,
    Results,
    Run,
    Session,
)

LAWS = {
    "barrier": {"gomp": lambda t: 1 + 3 * t, "bobbin": lambda t: 0.2 + 0.1 * np.log2(t)},
    "single": {"gomp": lambda t: 2 + t * t, "bobbin": lambda t: 0.5},
}


def run_of(
    experiment: str,
    case: str,
    runtime: str,
    threads: int,
    *readings: Reading,
    error: str | None = None,
    skipped: str | None = None,
) -> Run:
    return Run(
        *(experiment, case, runtime, threads),
        round=1,
        command=("x",),
        readings=readings,
        noise=CALM,
        error=error,
        skipped=skipped,
    )


def match(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    assert found, pattern
    return found[0]


def with_more(results: Results) -> Results:
    """A tree with its serial run, a client, the balance of threads, a failure, and a missing
    figure.
    """
    first = results.sessions[0]
    time = MetricInfo("ms", Better.LOWER)
    infos = {
        "uts": BenchmarkInfo("UTS T1", "tree", {"time_ms": time}),
        "twice": BenchmarkInfo("twice at once", "client", {"time_ms": time}),
        "balance": BenchmarkInfo(
            "balance", "balance", {"nodes": MetricInfo("1", Better.HIGHER)}, ("thread",)
        ),
    }
    session = Session(first.suite, first.runtimes, (), 5, 1, {**first.benchmarks, **infos}, MACHINE)
    both = {"gomp": lambda t: 100 / t, "bobbin": lambda t: 90 / t}
    results.sessions.append(session)
    for name in ("uts", "twice"):
        results.runs += runs_of(name, "time_ms", both, threads=(1, 2))
    results.runs += [
        run_of("uts", SERIAL, "gomp", 1, Reading("time_ms", 88.0, "ms")),
        run_of("twice", "omp, 2", "omp", 2, error="SIGSEGV: "),
        run_of("twice", "oneTBB, 2", "gomp", 2, error="exit 1: "),
        run_of("twice", "tbb, 2", "tbb", 2, skipped="no Taskflow"),
    ]
    for thread in range(2):
        reading = Reading("nodes", 500.0 + thread, "1", {"thread": str(thread)})
        results.runs.append(run_of("balance", "bobbin, 2", "bobbin", 2, reading))
    return results


@pytest.fixture(scope="module")
def page() -> str:
    return render(with_more(results_of(LAWS)))


class Elements(HTMLParser):
    """Ids, links, and everything that a page would fetch."""

    VOID = frozenset({"meta", "link", "img", "br", "hr", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.count: dict[str, int] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        found = {name: value or "" for name, value in attributes}
        if "id" in found:
            self.ids.append(found["id"])
        for name in ("href", "xlink:href"):
            if name in found:
                self.links.append(found[name])
        if tag in ("script", "link", "img", "iframe", "image"):
            self.fetched.append(found.get("src", found.get("href", tag)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def elements(page: str) -> Elements:
    parser = Elements()
    parser.feed(page)
    return parser


def test_the_page_needs_nothing_else(page: str, elements: Elements) -> None:
    assert elements.fetched == []
    assert elements.open == []
    assert "@import" not in page
    assert not re.findall(r"url\((?!#)", page)


def test_links_lead_somewhere_and_ids_are_unique(page: str, elements: Elements) -> None:
    assert len(elements.ids) == len(set(elements.ids))
    targets = [link for link in elements.links if link.startswith("#")]
    assert targets
    assert elements.links == targets
    assert {link[1:] for link in targets} <= set(elements.ids)
    assert set(re.findall(r"url\(#([^)]*)\)", page)) <= set(elements.ids)


def test_every_section_is_there(elements: Elements) -> None:
    wanted = "trees balance growth curves clients extrapolation figures machine".split()
    assert [i for i in elements.ids if i in wanted] == wanted
    # A curve for each construct, the trees, and the balance.
    assert elements.count["svg"] == len(LAWS) + 2


def test_the_summary_begins_with_who_is_faster(page: str) -> None:
    first = re.search(r"<li>(.*?)</li>", page, re.DOTALL)
    assert first is not None
    assert first[1].startswith("bobbin against gomp: better in 22")


def test_the_summary_tells_it_in_words(page: str) -> None:
    for sentence in (
        "No run was disturbed by other work on the machine.",
        "gomp, 2 costs: 1 grows in total, but not for each thread; "
        "1 grows faster than a logarithm: single (",
        "bobbin, 2 costs: 2 hardly grow with the number of threads.",
        "bobbin against gomp: better in 22 of 22 comparisons, worse in 0",
        "times smaller on bobbin.",
        "Failed, and so without figures or with fewer: twice on omp, twice on oneTBB.",
        "Not found here: twice (no Taskflow).",
    ):
        assert sentence in page, sentence


def test_no_figure_is_a_problem_and_fine_at_once(page: str) -> None:
    """A barrier costs the same for each thread on libgomp, whatever it costs in total."""
    growth = page[page.index('<section id="growth">') : page.index('<section id="curves">')]
    assert re.search(r'<td class="shared">linear<small>[^<]*per thread: constant', growth)
    made = analyse(results_of(LAWS))
    verdicts = {(m.series.title, m.series.key.case): m.verdict for m in made}
    assert verdicts["barrier", "gomp"] is Verdict.SHARED
    assert verdicts["single", "gomp"] is Verdict.PROBLEM
    for model in made:
        said = [texts[-1] for texts in rows(model)]
        assert said[0] == model.verdict.value
        assert not any(said[1:])


def test_growth_tells_how_large_a_cost_is(page: str) -> None:
    assert re.search(r"linear<small>[34][.\d]* us with 1, 19\d us with 64;", page)


def test_the_machine_is_told_in_words(page: str) -> None:
    told = page[page.index('<section id="machine">') :]
    assert "<dt>Processors</dt>\n<dd>2 of made up</dd>" in told
    assert "<dt>Calls on gomp went to</dt>\n<dd>lib</dd>" in told
    assert "{" not in told


BUSY = Noise(0.5, 0.5, 50.0)


def test_everything_that_was_disturbed_is_marked() -> None:
    made = with_more(results_of(LAWS))
    for number, run in enumerate(made.runs):
        crowded = run.experiment == "barrier" and (run.threads or 0) > 16
        if run.runtime == "gomp" and (crowded or run.experiment in ("uts", "twice")):
            made.runs[number] = dataclasses.replace(run, noise=BUSY)
    page = render(made)
    sections = dict(re.findall(r'<section id="(\w+)">(.*?)</section>', page, re.DOTALL))
    drawn = re.findall(r"<svg.*?</svg>", sections["curves"], re.DOTALL)
    # Four of the nine points, and the note in the legend, of the first plot alone.
    assert [">disturbed<" in plot for plot in drawn] == [True, False]
    assert "disturbed" in match(r"barrier</td>.*?</td>", sections["growth"])
    assert "disturbed" not in match(r"single</td>.*?</td>", sections["growth"])
    assert ">disturbed<" in match(r"<svg.*?</svg>", sections["trees"])
    for anchor in ("trees", "clients"):
        assert sections[anchor].count("<small>disturbed</small>") == 2
    marked = re.findall(r"<td>(\d+)</td><td>us</td><td>[^<]*<small>dist", sections["figures"])
    assert marked == ["24", "32", "48", "64"]
    assert "with fewer than 5 trusted samples in " in page


def test_bars_have_whiskers_and_a_line_at_one(page: str) -> None:
    trees = page[page.index('<section id="trees">') :]
    plot = match(r"<svg.*?</svg>", trees)
    assert "stroke-dasharray" in plot  # the line at 1.0
    assert plot.count("LineCollection") == 4  # a whisker for each bar
    assert "speedup over the serial program" in plot


def test_an_axis_tells_what_it_shows(page: str) -> None:
    assert page.count(">cost in us<") == len(LAWS)
    assert page.count(">threads in the team<") == len(LAWS)


def test_the_price_of_a_task_is_told_in_nanoseconds() -> None:
    made = with_more(results_of(LAWS))
    metrics = {
        "time_ms": MetricInfo("ms", Better.LOWER),
        "task_ns": MetricInfo("ns", Better.LOWER, "a task"),
    }
    first = made.sessions[0]
    infos = {**first.benchmarks, "fib": BenchmarkInfo("fib", "application", metrics)}
    made.sessions.append(dataclasses.replace(first, benchmarks=infos))
    for case, threads, ns in (("serial", 1, 4.0), ("bobbin, 2", 2, 40.0), ("gomp, 2", 2, 400.0)):
        readings = (Reading("time_ms", ns, "ms"), Reading("task_ns", ns, "ns"))
        made.runs.append(Run("fib", case, "gomp", threads, 1, ("x",), readings, CALM))
    page = render(made)
    price = page[page.index('<section id="tasks">') :]
    assert "<td>fib: a task</td><td>2</td><td>400</td><td>40</td><td>4</td>" in price
    programs = page[page.index('<section id="programs">') : page.index('<section id="tasks">')]
    assert "0.01" in programs
    assert "<svg" not in programs


def test_no_curve_goes_below_zero() -> None:
    """A model that falls below zero ends before, in the plot and in the extrapolation."""
    made = results_of({"fall": {"gomp": lambda t: 3 - 0.49 * np.log2(t)}}, noise=0)
    (model,) = analyse(made)
    assert model.growth is Growth.FALLING
    along = np.geomspace(1, 256, 60)
    drawn = plots._visible(model.branches[0].model, along)
    assert np.nanmin(drawn) > 0
    assert np.isnan(drawn[-1])
    assert "-<small>the model ends before</small>" in render(made)


def test_a_clock_that_changes_is_said() -> None:
    made = results_of(LAWS)
    for clocks, said in (((2600.0, 2700.0), False), ((1400.0, 2600.0), True)):
        for run, mhz in zip((0, 1), clocks, strict=True):
            noise = dataclasses.replace(CALM, mhz=mhz)
            made.runs[run] = dataclasses.replace(made.runs[run], noise=noise)
        assert ("clock went from 1400 to 2600 MHz" in render(made)) is said


def test_no_column_is_empty(page: str) -> None:
    """Figures measured in other cases are in a separate table."""
    figures = page[page.index('<section id="figures">') : page.index('<section id="machine">')]
    tables = re.findall(r"<tbody>(.*?)</tbody>", figures, re.DOTALL)
    assert len(tables) > 2
    for table in tables:
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.strip().splitlines()]
        for column in zip(*rows, strict=True):
            assert set(column) != {"-"}


def test_what_has_no_model_is_not_given_one() -> None:
    values = iter([1.0, 90, 3, 50, 2, 70, 5, 40, 1])
    scattered = {t: next(values) for t in THREADS}
    page = render(results_of({"wild": {"gomp": lambda t: scattered[int(t)]}}, noise=0))
    assert "wild. gomp: no model</figcaption>" in page
    assert "stroke-dasharray: 1.2" in page


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    names = ('<b>&"><i x="', r"a<script> $\frac$", "b c", "b-c")
    laws = {
        name: {r"a<script> $\frac$": lambda t, slope=slope: slope * t}
        for slope, name in enumerate(names, 1)
    }
    made = results_of(laws)
    hostile = render(made)
    assert "<script>" not in hostile
    assert r"a&lt;script&gt; $\frac$" in hostile
    parser = Elements()
    parser.feed(hostile)
    assert parser.open == []
    assert "i" not in parser.count
    assert len(parser.ids) == len(set(parser.ids))
    written = write_all(made, tmp_path)
    assert len(set(written)) == len(names)
    for plot in written:
        ElementTree.parse(plot)


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def chromium(page: str, folder: Path, *options: str) -> None:
    assert CHROMIUM is not None
    (folder / "page.html").write_text(page)
    subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder}/profile",
            *options,
            f"file://{folder}/page.html",
        ],
        check=True,
        capture_output=True,
        timeout=PATIENCE_S,
        env={**os.environ, "HOME": str(folder)},
    )


def screenshot(page: str, folder: Path, width: int, height: int) -> Image.Image:
    picture = folder / "page.png"
    options = ("--hide-scrollbars", f"--window-size={width},{height}", f"--screenshot={picture}")
    chromium(page, folder, *options)
    return Image.open(picture).convert("RGB")


# Painted last on the page: when it is visible, everything above has been laid out and painted.
END = '<div style="background:#fe00fe;height:8px"></div>'


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize(("width", "height"), [(1200, 7000), (500, 12000)])
def test_a_browser_shows_all_of_it(page: str, tmp_path: Path, width: int, height: int) -> None:
    shown = screenshot(page.replace("</body>", END + "</body>"), tmp_path, width, height)
    assert shown.size == (width, height)
    pixels = np.asarray(shown)
    end = np.argwhere((pixels == (0xFE, 0x00, 0xFE)).all(axis=2))
    assert len(end), "the page's end is not within the picture"
    last, right = end.max(axis=0)
    # Nothing is wider than the window: the end's block extends to the margin, and no further.
    assert right < width
    inked = np.any(pixels[:last] < 200, axis=2)
    rows = np.any(inked, axis=1)
    assert rows.mean() > 0.3
    # There is no gap as high as a plot that has not been drawn.
    gaps = np.diff(np.flatnonzero(np.concatenate([[True], rows, [True]])))
    assert gaps.max() < 150
    # The colours of both runtimes are in the plots.
    for colour in ((0x00, 0x72, 0xB2), (0x00, 0x9E, 0x73)):
        assert (np.abs(pixels.astype(int) - colour).sum(axis=2) < 30).sum() > 100


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="there is no pdftotext")
def test_paper_holds_all_of_it(tmp_path: Path) -> None:
    """No heading is left alone at the end of a sheet, and nothing is wider than a sheet."""
    laws = {f"construct {i}": LAWS["barrier"] for i in range(9)}
    page = render(with_more(results_of(laws)))
    pdf = tmp_path / "page.pdf"
    chromium(page, tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    done = subprocess.run(["pdftotext", pdf, "-"], check=True, capture_output=True, text=True)
    sheets = [" ".join(sheet.split()) for sheet in done.stdout.split("\f")]
    sheets = [sheet for sheet in sheets if sheet]
    assert 3 < len(sheets) < 12
    sections = re.findall(r"<h2>(.*?)</h2>\n(?:<p class=\"lead\">(.*?)</p>)?", page, re.DOTALL)
    assert len(sections) >= 8
    for title, lead in sections:
        assert any(title in sheet for sheet in sheets), title
        for sheet in sheets[:-1]:
            assert not sheet.endswith(title), f"{title} ends a sheet"
            assert not (lead and sheet.endswith(lead)), f"{title} and its lead end a sheet"
    # Chromium shrinks the text of a page that is too wide.
    fonts = subprocess.run(
        ["pdftotext", "-bbox", "-l", "1", pdf, "-"], check=True, capture_output=True, text=True
    ).stdout
    heights = [float(b) - float(a) for a, b in re.findall(r'yMin="(.*?)" .*?yMax="(.*?)"', fonts)]
    assert 9 < float(np.median(heights)) < 20


def test_an_impossible_speedup_is_refused() -> None:
    """The serial program took as long as two threads and a half."""
    made = with_more(results_of(LAWS))
    for number, run in enumerate(made.runs):
        if run.column == SERIAL:
            slow = (Reading("time_ms", 120.0, "ms"),)
            made.runs[number] = dataclasses.replace(run, readings=slow)
    trees = match(r'<section id="trees">.*?</section>', render(made))
    assert trees.count("refused") == 4
    assert (
        len(re.findall(r"refused<small>a speed-up of 1.\d+ by 1 thread on 2 processors", trees))
        == 2
    )
