# SPDX-License-Identifier: Apache-2.0
"""A small training that opens many parallel regions; it prints how long it took."""

from __future__ import annotations

import time

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

rng = np.random.default_rng(1)
points = rng.normal(size=(20_000, 20))
label = (points[:, 0] * points[:, 1] > 0).astype(int)

begin = time.perf_counter()
model = HistGradientBoostingClassifier(max_iter=200, early_stopping=False).fit(points, label)
print(f"trained in {time.perf_counter() - begin:.1f} s, accuracy {model.score(points, label):.3f}")
