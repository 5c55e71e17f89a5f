# SPDX-License-Identifier: Apache-2.0
"""libgomp's tests: each program is built once, then run on libgomp and on Bobbin."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dejagnu
from outcome import PROVIDERS, Outcome, Plan, plain_environment

FOLDERS = {
    "libgomp.c": ("c",),
    "libgomp.c-c++-common": ("c", "c++"),
    "libgomp.c++": ("c++",),
    "libgomp.fortran": ("fortran",),
}
COMPILERS = {"c": ["gcc", "-x", "c"], "c++": ["g++", "-x", "c++"], "fortran": ["gfortran"]}
SUFFIXES = {".c", ".C", ".f", ".F", ".f90", ".F90", ".f95"}


def programs(tests: Path) -> Iterator[tuple[Path, str]]:
    for folder, languages in FOLDERS.items():
        for source in sorted((tests / folder).iterdir()):
            if source.suffix in SUFFIXES:
                yield from ((source, language) for language in languages)


def build(source: Path, language: str, test: dejagnu.Test, program: Path) -> bool:
    include = source.parents[2]
    with tempfile.TemporaryDirectory() as modules:
        subprocess.run(
            [
                *COMPILERS[language],
                *test.options,
                "-fopenmp",
                *test.more_options,
                *(f"-I{folder}" for folder in (source.parent, include, include.parent / "include")),
                source,
                *(source.parent / name for name in test.more_sources),
                *("-x", "none", "-o", program, "-lm"),
            ],
            cwd=modules,
            capture_output=True,
        )
    return program.exists()


def passes(program: Path, test: dejagnu.Test, environment: dict[str, str], seconds: float) -> bool:
    with tempfile.TemporaryDirectory() as files:
        try:
            ended = subprocess.run(
                [program],
                env=environment | test.environment,
                cwd=files,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return False
    return (ended.returncode != 0) == test.shall_fail


def try_one(plan: Plan, source: Path, language: str) -> Outcome:
    name = f"{source.parent.name}/{source.name}"
    if len(FOLDERS[source.parent.name]) > 1:
        name += f" ({language})"
    test = dejagnu.read(source.read_text(errors="replace"), language)
    if test.skipped or test.action != "run":
        return Outcome(name, "not for this machine")
    program = plan.built / re.sub(r"\W", "_", name)
    if not program.exists() and not build(source, language, test, program):
        return Outcome(name, "does not compile")
    plain = plain_environment(plan)
    if not passes(program, test, plain, plan.seconds):
        return Outcome(name, "libgomp fails it")
    on_bobbin = plain | {"LD_PRELOAD": str(plan.library)}
    return Outcome(
        name,
        None,
        {
            provider: passes(program, test, on_bobbin | {"BOBBIN_PROVIDER": provider}, plan.seconds)
            for provider in PROVIDERS
        },
    )


def run(plan: Plan) -> Iterator[Outcome]:
    plan.built.mkdir(parents=True, exist_ok=True)
    chosen = [item for item in programs(plan.tests) if re.search(plan.pattern, str(item[0]))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(lambda item: try_one(plan, *item), chosen)
