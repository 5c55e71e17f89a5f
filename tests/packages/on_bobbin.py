# SPDX-License-Identifier: Apache-2.0
"""Python's packages on Bobbin: their results are right, and Bobbin is what they run on.

on_bobbin.py PACKAGE...
"""

from __future__ import annotations

import ctypes
import sys

import bobbin_openmp


def owner_of(symbol: str) -> str:
    """The file in which a name that any library asks for is found."""
    address = ctypes.cast(getattr(ctypes.CDLL(None), symbol), ctypes.c_void_p).value
    assert address is not None
    with open("/proc/self/maps") as maps:
        for line in maps:
            low, _, high = line.split()[0].partition("-")
            if int(low, 16) <= address < int(high, 16):
                return line.split()[-1]
    raise LookupError(symbol)


def use_numpy() -> None:
    import numpy as np

    values = np.arange(250_000.0).reshape(500, 500) % 7
    assert np.allclose(values @ np.eye(500), values)


def use_sklearn() -> None:
    import numpy as np
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingClassifier

    centres = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    label = np.arange(6000) % 3
    points = centres[label] + np.random.default_rng(1).normal(size=(6000, 2))
    found = KMeans(3, n_init=2, random_state=1).fit(points).cluster_centers_
    assert np.allclose(sorted(map(tuple, found.round())), sorted(map(tuple, centres)))
    assert HistGradientBoostingClassifier().fit(points, label).score(points, label) > 0.99


def use_torch() -> None:
    import torch

    values = torch.arange(1_000_000, dtype=torch.float64)
    assert values.sum().item() == 499_999_500_000
    layer = torch.nn.Linear(64, 64)
    layer(torch.ones(512, 64)).sum().backward()


USES = {"numpy": use_numpy, "scikit-learn": use_sklearn, "torch": use_torch}

assert bobbin_openmp.active()
for package in sys.argv[1:]:
    USES[package]()
for name in ("GOMP_parallel", "__kmpc_fork_call", "omp_get_max_threads"):
    assert owner_of(name).endswith("/libbobbin.so.1"), name
