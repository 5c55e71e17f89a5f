# SPDX-License-Identifier: Apache-2.0
import pytest

from bobbin_lab.results.stats import quantile, spread, summarise


def test_one_sample_is_its_own_summary() -> None:
    summary = summarise([3.0])
    assert (summary.low, summary.median, summary.high, summary.count) == (3.0, 3.0, 3.0, 1)


def test_order_does_not_matter() -> None:
    assert summarise([5, 1, 4, 2, 3]) == summarise([1, 2, 3, 4, 5])


def test_quartiles_of_five() -> None:
    summary = summarise([10, 20, 30, 40, 50])
    assert (summary.low, summary.median, summary.high) == (20, 30, 40)


def test_an_even_count_takes_the_middle() -> None:
    assert summarise([1, 2, 3, 10]).median == 2.5


def test_one_disturbed_run_does_not_move_the_median() -> None:
    assert summarise([1, 1, 1, 1, 1000]).median == 1


def test_quantiles_are_linear_between_neighbours() -> None:
    assert quantile([0.0, 1.0], 0.25) == 0.25
    assert quantile([0.0, 1.0], 1.0) == 1.0


def test_no_samples_is_an_error() -> None:
    with pytest.raises(ValueError, match="no samples"):
        summarise([])


def test_dividing_by_the_samples_turns_the_quartiles() -> None:
    speedup = summarise([10, 20, 30, 40, 50]).inverse_scaled(60)
    assert (speedup.low, speedup.median, speedup.high) == (1.5, 2, 3)


def test_spread_is_relative() -> None:
    assert spread(summarise([10, 20, 30, 40, 50])) == pytest.approx(20 / 30)
