# SPDX-License-Identifier: Apache-2.0
"""libomp's tests, run by LLVM's lit: with libomp first, then on Bobbin those that passed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from outcome import PROVIDERS, Outcome, Plan, plain_environment

# Offloading does not belong to Bobbin, nor hidden helpers to OpenMP.
LEFT_OUT = r"^target/|hidden_helper"

SITE = """
config.test_c_compiler = "clang-{version}"
config.test_cxx_compiler = "clang++-{version}"
config.test_compiler_features = ["clang", "clang-{version}"]
config.test_fortran_compiler = ""
config.compiler_frontend_variant = "GNU"
config.compiler_simulate_id = ""
config.test_compiler_has_omp_h = True
config.test_filecheck = "{llvm}/bin/FileCheck"
config.test_not = "{llvm}/bin/not"
config.test_openmp_flags = "-fopenmp -pthread"
config.test_extra_flags = ""
config.libomp_obj_root = "{built}"
config.library_dir = "{llvm}/lib"
config.omp_header_directory = "{llvm}/lib/clang/{version}/include"
config.operating_system = "Linux"
config.hwloc_library_dir = ""
config.using_hwloc = False
config.has_ompt = True
config.has_ompx_taskgraph = False
config.has_libm = True
config.has_libatomic = True
config.is_standalone_build = True
config.has_omit_frame_pointer_flag = True
config.target_arch = "x86_64"
lit_config.load_config(config, "{tests}/lit.cfg")
config.environment.update({environment!r})
"""


def results(
    plan: Plan, folder: str, version: str, names: list[str], environment: dict[str, str]
) -> dict[str, str]:
    """lit's result code, such as PASS, by test."""
    built = plan.built / folder
    built.mkdir(parents=True, exist_ok=True)
    site = SITE.format(
        version=version,
        llvm=f"/usr/lib/llvm-{version}",
        built=built,
        tests=plan.tests,
        environment=environment | ({"OMP_NUM_THREADS": plan.threads} if plan.threads else {}),
    )
    (built / "lit.site.cfg").write_text(site)
    found = built / "results.json"
    subprocess.run(
        [
            Path(sys.executable).parent / "lit",
            "--quiet",
            f"--timeout={plan.seconds:.0f}",
            f"--output={found}",
            *(built / name for name in names),
        ],
        env=plain_environment(plan),
        stdout=subprocess.DEVNULL,
    )
    listed = json.loads(found.read_text())["tests"]
    return {test["name"].removeprefix("libomp :: "): test["code"] for test in listed}


def programs(plan: Plan) -> Iterator[str]:
    for path in sorted(plan.tests.rglob("*.c*")):
        name = str(path.relative_to(plan.tests))
        wanted = re.search(plan.pattern, name) and not re.search(LEFT_OUT, name)
        if wanted and path.suffix in (".c", ".cpp") and "RUN:" in path.read_text(errors="replace"):
            yield name


def run(plan: Plan, version: str) -> Iterator[Outcome]:
    names = list(programs(plan))
    own = results(plan, "libomp", version, names, {}) if names else {}
    yield from (
        Outcome(name, f"libomp: {own[name].lower()}") for name in names if own[name] != "PASS"
    )
    good = [name for name in names if own[name] == "PASS"]
    compat = {"LD_LIBRARY_PATH": str(plan.library.parent)}
    codes = {
        provider: results(plan, provider, version, good, compat | {"BOBBIN_PROVIDER": provider})
        for provider in PROVIDERS
        if good
    }
    for name in good:
        yield Outcome(name, None, {by: code[name] == "PASS" for by, code in codes.items()})
