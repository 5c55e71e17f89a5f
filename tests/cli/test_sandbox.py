# SPDX-License-Identifier: Apache-2.0
"""Programs that restrict their system calls by a filter before their first region."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Compile, run


@pytest.mark.parametrize("provider", ["fiber", "kernel"])
@pytest.mark.parametrize("error", ["EPERM", "ENOSYS", "no-futex"])
def test_what_libgomp_needs_is_enough(
    compile_c: Compile, compat: Path, error: str, provider: str
) -> None:
    program = compile_c("sandbox.c", "-fopenmp")
    result = run(program, error, LD_PRELOAD=str(compat), BOBBIN_PROVIDER=provider)
    if result.returncode == 77:
        pytest.skip("the kernel takes no filters here")
    assert result.stdout == "sum 990000 found 3600\n"
    assert result.returncode == 0, result.stderr
