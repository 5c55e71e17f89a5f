# SPDX-License-Identifier: Apache-2.0
"""What pictures show: read from their axes, before they become SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import Container
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from bobbin_lab.output import drawing
from bobbin_lab.papers import pictures
from bobbin_lab.papers.declared import Bars, Curves, Figure, Quantity
from bobbin_lab.papers.points import Point
from bobbin_lab.results.stats import Summary

Draw = Callable[[Figure, Sequence[Point]], Axes]


@pytest.fixture
def draw(monkeypatch: pytest.MonkeyPatch) -> Draw:
    def drawn(figure: Figure, points: Sequence[Point]) -> Axes:
        canvases: list[Canvas] = []

        def kept(canvas: Canvas, *_: object, **__: object) -> str:
            canvases.append(canvas)
            return ""

        monkeypatch.setattr(pictures, "svg", kept)
        pictures.picture(figure, points)
        canvases[0].draw_without_rendering()
        return canvases[0].axes[0]

    return drawn


def figure_of(shown: Bars | Curves, axis: str, *runtimes: str) -> Figure:
    return Figure("1", "x", shown, "x" * 11, (), Quantity(("m",), axis), runtimes or ("bobbin",))


def point(median: float, low: float | None = None, **at: str) -> Point:
    low = median if low is None else low
    return Point({"entry": "", "runtime": "bobbin", **at}, Summary(5, low, median, median), True)


def bars_of(axes: Axes) -> list[Rectangle]:
    return [patch for patch in axes.patches if isinstance(patch, Rectangle)]


def colour_of(handle: object) -> str:
    assert isinstance(handle, Container)
    part = handle[0]
    return to_hex(part.get_facecolor() if isinstance(part, Rectangle) else part.get_color())


def test_parts_of_the_time_are_a_whole(draw: Draw) -> None:
    """The medians of the parts are not."""
    shown = Bars(groups=("entry",), bars=("part",), stacked=True)
    shares = {"fib": (78.0, 12.0), "sort": (99.0, 3.0)}
    points = [
        point(value, entry=name, part=part)
        for name, both in shares.items()
        for part, value in zip(("user", "idle"), both, strict=True)
    ]
    axes = draw(figure_of(shown, "% of the time"), points)
    bars = bars_of(axes)
    tops = [bar.get_y() + bar.get_height() for bar in bars[2:]]
    assert tops == pytest.approx([100, 100])
    assert bars[0].get_height() == pytest.approx(100 * 78 / 90)
    axes = draw(figure_of(shown, "cycles"), points)
    assert bars_of(axes)[0].get_height() == 78


def test_axes_have_their_height_under_long_labels(draw: Draw) -> None:
    names = [f"a program with quite a long name, number {number}" for number in range(6)]
    points = [
        point(1.0, entry=name, runtime=runtime)
        for name in names
        for runtime in ("bobbin", *(f"bobbin+a_long_setting={n}" for n in range(5)))
    ]
    axes = draw(figure_of(Bars(), "ms"), points)
    canvas = axes.get_figure(root=True)
    assert canvas
    assert axes.get_position().height * canvas.get_figheight() > 2.4


def test_a_runtime_has_one_colour_in_all_figures(draw: Draw) -> None:
    many = [point(1.0, runtime=r) for r in ("ompi", "gomp", "omp", "iomp", "bobbin", "serial")]
    few = [point(1.0, runtime=r) for r in ("bobbin", "omp")]

    def colours(shown: Bars | Curves, points: list[Point], *known: str) -> dict[str, str]:
        axes = draw(figure_of(shown, "ms", *known), points)
        handles, labels = axes.get_legend_handles_labels()
        return {name: colour_of(handle) for name, handle in zip(labels, handles, strict=True)}

    of_bars = colours(Bars(), many)
    assert len(set(of_bars.values())) == 6
    assert colours(Bars(), few) == {n: of_bars[n] for n in ("Bobbin", "libomp")}
    # A setting has its own, wherever it stands and whatever is missing.
    settings = [point(1.0, runtime=r) for r in ("bobbin+b=1", "bobbin", "bobbin+a=1")]
    three = colours(Bars(), settings, "bobbin", "bobbin+a=1", "bobbin+b=1")
    two = colours(Bars(), settings[:2], "bobbin", "bobbin+a=1", "bobbin+b=1")
    assert len(set(three.values())) == 3
    assert two.items() < three.items()
    curves = Curves(x="n")
    of_curves = [Point({**p.at, "n": n}, p.summary, True) for p in few for n in ("1", "2")]
    assert colours(curves, of_curves) == {n: of_bars[n] for n in ("Bobbin", "libomp")}
    # By the names of reports, too, whatever else is measured.
    assert drawing.look_of("bobbin", ["x", "bobbin"])[0] == of_bars["Bobbin"]
    assert drawing.look_of("omp", ["omp", "x"])[0] == of_bars["libomp"]
    assert len({drawing.look_of(case, "abcd")[0] for case in "abcd"}) == 4


def test_what_a_logarithmic_scale_cannot_show_is_written(draw: Draw) -> None:
    points = [point(20.0, entry="a"), point(-0.01, -0.2, entry="b"), point(0.0, entry="c")]
    axes = draw(figure_of(Bars(log=True), "us"), points)
    assert [text.get_text() for text in axes.texts] == ["-0.01", "0"]


def test_numbers_at_an_axis_are_plain(draw: Draw) -> None:
    points = [point(value, n=str(n), entry="") for n, value in ((1, 4.0), (2, 60.0))]
    axes = draw(figure_of(Curves(x="n", log_y=True), "us"), points)
    axis = axes.yaxis
    shown = {
        axis.get_major_formatter()(10.0, 0),
        *(axis.get_minor_formatter()(value, 0) for value in (5.0, 6.0, 20.0)),
    }
    assert shown == {"10", "5", "", "20"}


def test_words_stay_whole() -> None:
    assert drawing.wrapped("Bobbin creation=continuation", 18) == "Bobbin\ncreation=continuation"
