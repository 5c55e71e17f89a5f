# SPDX-License-Identifier: Apache-2.0
"""libgomp's tests: each program is built once, then run on libgomp and on Bobbin."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
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


def build(
    compiler: Sequence[str], source: Path, test: dejagnu.Test, program: Path
) -> subprocess.CompletedProcess[str]:
    include = source.parents[2]
    with tempfile.TemporaryDirectory() as modules:
        return subprocess.run(
            [
                *compiler,
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
            text=True,
            errors="replace",
        )


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


def set_aside(plan: Plan, source: Path, language: str, test: dejagnu.Test, name: str) -> str | None:
    """Why the test says nothing about Bobbin. Otherwise it has been built for libgomp."""
    if test.skipped or test.action != "run":
        return "not for this machine"
    program = program_of(plan, name)
    if not program.exists():
        build(COMPILERS[language], source, test, program)
    if not program.exists():
        return "does not compile"
    passed = passes(program, test, plain_environment(plan), plan.seconds)
    return None if passed else "libgomp fails it"


def name_of(source: Path, language: str) -> str:
    name = f"{source.parent.name}/{source.name}"
    return name + (f" ({language})" if len(FOLDERS[source.parent.name]) > 1 else "")


def program_of(plan: Plan, name: str) -> Path:
    return plan.built / re.sub(r"\W", "_", name)


def try_one(plan: Plan, source: Path, language: str) -> Outcome:
    name = name_of(source, language)
    test = dejagnu.read(source.read_text(errors="replace"), language)
    if (reason := set_aside(plan, source, language, test, name)) is not None:
        return Outcome(name, reason)
    program = program_of(plan, name)
    on_bobbin = plain_environment(plan) | {"LD_PRELOAD": str(plan.library)}
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
