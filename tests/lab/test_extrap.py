# SPDX-License-Identifier: Apache-2.0
"""Compared with the answers of Extra-P 4.2.5, which ask_extrap.py wrote down."""

import json
from pathlib import Path
from typing import Any

from bobbin_lab.model.fit import Points, choose
from bobbin_lab.model.hypotheses import Growth
from bobbin_lab.model.synthetic import THREADS

ANSWERS = json.loads(Path(__file__).with_name("extrap.json").read_text())


def found(answer: dict[str, Any]) -> Growth:
    return choose(Points.of(THREADS, answer["values"])).growth


def test_without_noise_both_find_all_39_laws() -> None:
    exact = [answer for answer in ANSWERS if not answer["noise"]]
    assert len(exact) == 39
    for answer in exact:
        assert answer["extrap"] == answer["law"]
        assert found(answer).name == answer["law"]


def test_with_noise_it_is_right_more_often() -> None:
    for pool, margin in (("PURE", 0.1), ("ALL", 0.05)):
        noisy = [answer for answer in ANSWERS if answer["noise"] == pool]
        ours = sum(found(answer).name == answer["law"] for answer in noisy)
        theirs = sum(answer["extrap"] == answer["law"] for answer in noisy)
        assert ours >= theirs + margin * len(noisy)


def test_where_both_see_growth_they_mostly_agree() -> None:
    noisy = [answer for answer in ANSWERS if answer["noise"]]
    same = sum(found(answer).name == answer["extrap"] for answer in noisy)
    assert same / len(noisy) > 0.7
