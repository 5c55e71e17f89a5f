# SPDX-License-Identifier: Apache-2.0
"""Writes Extra-P's results for known laws, with which test_extrap.py compares our fitter.

The tests do not run this. Run `pip install extrap==4.2.5` somewhere, then `PYTHONPATH=lab python
tests/lab/ask_extrap.py > tests/lab/extrap.json`.
"""

from __future__ import annotations

import json
import warnings
from fractions import Fraction

import numpy as np
from extrap.entities.callpath import Callpath  # type: ignore[import-not-found]
from extrap.entities.coordinate import Coordinate  # type: ignore[import-not-found]
from extrap.entities.measurement import Measurement  # type: ignore[import-not-found]
from extrap.entities.metric import Metric  # type: ignore[import-not-found]
from extrap.modelers.single_parameter.basic import (  # type: ignore[import-not-found]
    SingleParameterModeler,
)

from bobbin_lab.model.fit import Points
from bobbin_lab.model.hypotheses import HYPOTHESES, Growth, Hypothesis
from bobbin_lab.model.synthetic import THREADS, Pool, draw

DRAWS = 150


def growth(points: Points) -> Growth:
    modeler = SingleParameterModeler()
    measured = [
        Measurement(Coordinate(float(t)), Callpath("c"), Metric("m"), [float(v)])
        for t, v in zip(points.threads, points.values, strict=True)
    ]
    function = modeler.create_model(measured).hypothesis.function
    if not function.compound_terms:
        return Growth.CONSTANT
    (term,) = function.compound_terms
    i, j = Fraction(0), 0
    for factor in term.simple_terms:
        if factor.term_type == "polynomial":
            i = Fraction(factor.exponent).limit_denominator(12)
        else:
            j = int(factor.exponent)
    return Growth.FALLING if term.coefficient < 0 else Hypothesis(i, j).growth


def main() -> None:
    threads = np.array(THREADS)
    answers: list[tuple[Growth, str | bool, Points]] = [
        (h.growth, False, Points(threads, 3 + 2 * h(threads))) for h in HYPOTHESES
    ]
    rng = np.random.default_rng(1)
    for pool in (Pool.PURE, Pool.ALL):
        for _ in range(DRAWS):
            one = draw(rng, pool)
            answers.append((one.growth, pool.name, one.points))
    lines = [
        json.dumps(
            {
                "law": law.name,
                "noise": noise,
                "values": [round(float(v), 6) for v in points.values],
                "extrap": growth(points).name,
            }
        )
        for law, noise, points in answers
    ]
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
