# SPDX-License-Identifier: Apache-2.0
"""Known laws are recognised, and the statements about them are right."""

from pathlib import Path

import numpy as np
import pytest
from results import THREADS, results_of, write
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.model.analyse import PerThread, analyse
from bobbin_lab.model.behaviour import branches
from bobbin_lab.model.extrapolate import beyond, extrapolate
from bobbin_lab.model.fit import Fits, Points, choose, choose_against_line, trimmed_mean
from bobbin_lab.model.hypotheses import HYPOTHESES, Growth
from bobbin_lab.model.synthetic import DRAWS, Pool, confusion, markdown
from bobbin_lab.model.verdict import Verdict, judge
from bobbin_lab.report import render
from bobbin_lab.results.records import Better

T = np.array([1.0, 2, 4, 8, 16, 32, 64, 128])


def points(values: np.ndarray, noise: float = 0.0, threads: np.ndarray = T) -> Points:
    rng = np.random.default_rng(7)
    return Points(threads, values * (1 + noise * rng.standard_normal(len(threads))))


def test_there_are_39_hypotheses() -> None:
    assert len(set(HYPOTHESES)) == 39
    assert sum(h.growth is Growth.CONSTANT for h in HYPOTHESES) == 1


@pytest.mark.parametrize(
    ("law", "growth"),
    [
        (np.full(8, 3.0), Growth.CONSTANT),
        (1 + 2 * np.log2(T), Growth.LOGARITHMIC),
        (1 + np.sqrt(T), Growth.SUBLINEAR),
        (5 + 3 * T, Growth.LINEAR),
        (1 + T**2, Growth.SUPERLINEAR),
        (2 + T * np.log2(T), Growth.SUPERLINEAR),
        (1000 - 5 * T, Growth.FALLING),
    ],
)
def test_laws_without_noise_are_found_exactly(law: np.ndarray, growth: Growth) -> None:
    model = choose(points(law))
    assert model.growth is growth
    assert model(T) == pytest.approx(law, rel=1e-6)
    assert model.adjusted_r2 == (pytest.approx(1) if growth is not Growth.CONSTANT else 0)


def test_leaving_one_out_by_leverage_is_leaving_one_out() -> None:
    some = points(1 + T**0.5, noise=0.1)  # no value is so small that it counts less
    fits = Fits.to(some)
    for k in (1, 10, 18):
        left_out = 0.0
        for i in range(len(some)):
            keep = np.arange(len(some)) != i
            rest = Points(T[keep], some.values[keep])
            one = Fits.to(rest)
            said = one.c0[k] + one.c1[k] * HYPOTHESES[k](T[[i]])[0]
            left_out += ((some.values[i] - said) / some.scale[i]) ** 2
        assert fits.loo[k] == pytest.approx(left_out)


@pytest.mark.parametrize("pool", [Pool.PURE, Pool.APART])
def test_nine_of_ten_classes_are_recovered(pool: Pool) -> None:
    """5 % noise, 8 points, 1,000 draws: what docs/results/model-check.md publishes."""
    matrix = confusion(pool, lambda p: choose(p).growth)
    assert matrix.draws == DRAWS
    assert matrix.recovered >= 0.9
    for growth, row in matrix.counts.items():
        total = sum(row.values())
        assert total == 0 or row[growth] / total >= 0.85, growth


def test_most_of_all_laws_are_recovered_and_the_rest_is_published() -> None:
    matrix = confusion(Pool.ALL, lambda p: choose(p).growth, draws=300)
    assert matrix.recovered > 0.75
    assert markdown(Pool.ALL, matrix).count("\n|") == 7


def test_noise_alone_is_no_growth() -> None:
    rng = np.random.default_rng(3)
    found = [choose(Points(T, 1 + 0.05 * rng.standard_normal(8))).growth for _ in range(300)]
    assert found.count(Growth.CONSTANT) >= 285


def test_too_few_points_or_no_times_are_refused() -> None:
    with pytest.raises(ValueError, match="needs 5 points"):
        choose(Points(T[:4], T[:4]))
    with pytest.raises(ValueError, match="above zero"):
        choose(Points(T, T - 1))


def test_the_fastest_and_slowest_quarter_are_dropped() -> None:
    assert trimmed_mean([1, 10, 11, 12, 13, 14, 15, 900]) == 12.5
    assert trimmed_mean([1, 5, 900]) == 5


def test_a_point_that_scatters_counts_less() -> None:
    values = np.array([0.001, 2, 3, 4, 5, 6, 7, 8.0])
    errors = np.array([1.0, *[0.01] * 7])
    model = choose(Points(T, values, errors))
    assert model.growth is Growth.LOGARITHMIC
    assert model.c0 == pytest.approx(1, rel=0.05)
    assert model.c1 == pytest.approx(1, rel=0.05)


def test_a_part_of_the_points_counts_as_the_whole_does() -> None:
    some = Points(T, T**2, floor=0.0)
    assert list(some.where(T > 1).scale) == list(some.scale[1:])


def test_figures_below_the_resolution_are_left_out() -> None:
    laws = {"b": {"gomp": lambda t: t - 1.0 if t > 1 else -0.01}}
    (model,) = analyse(results_of(laws))
    assert model.growth is Growth.LINEAR
    assert model.branches[0].model.points.threads.min() == 2


def test_verdicts() -> None:
    assert judge(choose(points(np.full(8, 2.0), 0.05))) is Verdict.FINE
    assert judge(choose(points(1 + np.log2(T), 0.03))) is Verdict.FINE
    assert judge(choose(points(1 + T, 0.03))) is Verdict.PROBLEM
    scattered = np.array([1, 9, 1, 8, 2, 40, 9, 200.0])
    assert judge(choose(points(scattered))) is Verdict.NO_MODEL


MANY = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 24, 32, 48, 64.0])


def test_behavioural_classes_are_found_where_one_model_does_not_fit() -> None:
    power = np.log2(MANY) % 1 == 0
    values = np.where(power, 2.0, 1 + MANY)
    found = {b.name: b.model.growth for b in branches(points(values, 0.02, MANY), processors=2)}
    assert found["powers of two"] is Growth.CONSTANT
    assert found["multiples of 2"] in (Growth.SUBLINEAR, Growth.LINEAR)  # only from 6 to 48 threads
    assert [b.name for b in branches(points(values, 0.02, MANY), 2, "all")] == ["all"]


def test_multiples_of_eight_are_found() -> None:
    threads = np.array([1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 28, 32, 40, 44, 48.0])
    values = np.where(threads % 8 == 0, 40 + 9 * threads, 5 + threads)
    found = {b.name: b.model.growth for b in branches(points(values, 0.02, threads), 4)}
    assert found == {"linear": Growth.LINEAR, "multiples of 8": Growth.LINEAR}


def test_what_a_crowd_costs_is_modelled_apart() -> None:
    values = np.where(MANY <= 2, 0.2, 20 + 4 * MANY)
    (branch,) = branches(points(values, 0.02, MANY), processors=2)
    assert branch.name == "oversubscribed"
    assert branch.model.growth is Growth.LINEAR
    assert branch.model.points.threads.min() == 3


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05])
def test_one_law_is_not_split(noise: float) -> None:
    for law in (np.ones(len(MANY)), 1 + MANY, 3 + np.log2(MANY)):
        assert len(branches(points(law, noise, MANY), processors=2)) == 1


def test_extrapolation_holds_the_truth_and_widens() -> None:
    held = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        law = 2 + 0.5 * T
        said = extrapolate(choose(Points(T, law * (1 + 0.05 * rng.standard_normal(8)))))
        assert [e.threads for e in said] == [1024, 65536]
        assert said[1].high / said[1].low >= said[0].high / said[0].low
        held += said[0].low <= 2 + 0.5 * 1024 <= said[0].high
    assert held >= 14  # nine of ten are promised; a bootstrap of 8 points achieves less


def test_nothing_is_extrapolated_within_the_measured_range() -> None:
    assert extrapolate(choose(points(1 + T)), targets=(64, 128)) == []


def test_time_per_thread_is_modelled_beyond_the_processors() -> None:
    laws = {
        "barrier": {
            "square": lambda t: 0.1 * t**2,
            "line": lambda t: 0.1 * t - 0.05,
            "root": lambda t: 0.1 * t**0.5,
            "constant": lambda t: 0.1,
        }
    }
    models = {m.series.key.case: m for m in analyse(results_of(laws))}
    for case, growth in (
        ("square", Growth.LINEAR),
        ("line", Growth.CONSTANT),
        ("root", Growth.FALLING),
    ):
        per_thread = models[case].per_thread
        assert per_thread is not None
        assert per_thread.growth is growth
        assert per_thread.model.points.threads.min() == 4
    assert models["constant"].per_thread is None


def test_growth_of_the_time_per_thread_must_be_sure_and_measured() -> None:
    """Where threads share processors, a total along a line is expected."""
    rng = np.random.default_rng(3)
    crowd = T[T > 2]
    found = []
    for _ in range(50):
        noisy = (0.5 + 0.04 * crowd) * (1 + 0.05 * rng.standard_normal(len(crowd)))
        found.append(PerThread(choose_against_line(points(noisy, threads=crowd))).growth)
    assert set(found) <= {Growth.CONSTANT, Growth.FALLING}
    assert found.count(Growth.CONSTANT) > 45
    # Its time per thread falls from 0.15 to 0.05, whatever it would do at a million threads.
    levelling = PerThread(choose_against_line(points(0.53 + 0.0132 * crowd**1.25, threads=crowd)))
    assert levelling.growth is Growth.FALLING
    rising = PerThread(choose_against_line(points(0.01 + 0.0132 * crowd**1.5, threads=crowd)))
    assert rising.growth is Growth.SUBLINEAR
    law = 0.01 + crowd**0.75 * np.log2(crowd) ** 2
    bent = PerThread(choose_against_line(points(law, threads=crowd)))
    assert bent.growth is Growth.LOGARITHMIC


def test_rates_and_short_series_have_no_model() -> None:
    assert analyse(results_of({"b": {"gomp": float}}, better=Better.HIGHER)) == []
    assert analyse(results_of({"b": {"gomp": float}}, threads=(1, 2, 4, 8))) == []


def test_extrapolations_stand_under_the_threads_that_they_are_for(tmp_path: Path) -> None:
    """One runtime was measured further than the other, and beyond the first of the targets."""
    made = results_of({"b": {"far": lambda t: 7.0}}, threads=(*THREADS, 128), noise=0)
    made.runs += results_of({"b": {"near": lambda t: 3.0 * t}}, noise=0).runs
    said = beyond(analyse(made))
    assert (said.measured, said.targets) == (128, (1024, 65536))
    assert [[e.threads for e in values] for _, _, values in said.rows] == [[1024, 65536]] * 2
    done = CliRunner().invoke(app, ["model", str(write(made, tmp_path / "r.jsonl"))])
    near = [line for line in done.output.splitlines() if "near" in line and " to " in line]
    cells = [cell.strip() for cell in near[-1].split("│") if cell.strip()]
    assert cells[-2:] == ["3,072 (3,072 to 3,072) us", "196,608 (196,608 to 196,608) us"]
    section = render(made).partition('<section id="extrapolation">')[2]
    assert '<th scope="col">1,024 threads</th><th scope="col">65,536 threads</th>' in section
    assert "<td>3,072 us<small>3,072 to 3,072</small></td><td>196,608 us" in section
