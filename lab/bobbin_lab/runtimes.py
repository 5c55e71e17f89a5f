# SPDX-License-Identifier: Apache-2.0
"""The runtimes that an unmodified program can be made to use, and the proof that it uses them."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bobbin_lab.places import COMMAND, LIBIOMP5, LIBRARY, NAMES, SETUP, Compiler, program
from bobbin_lab.presets import presets

# Variables of an outer shell that would distort a comparison.
_CLEARED = ("OMP_", "GOMP_", "KMP_", "LIBOMP_", "BOBBIN_", "LD_PRELOAD")


class MissingError(Exception):
    """A requirement of a comparison is missing. The text says what to do."""


@dataclass(frozen=True)
class Runtime:
    name: str
    title: str
    preload: tuple[Path, ...] = ()
    # Part of the path of the library that must serve the program's calls.
    served_by: str = ""
    hint: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    def missing(self) -> Path | None:
        """Says what is missing of it. ld.so finds a name without a folder."""
        gone = (path for path in self.preload if path.is_absolute() and not path.exists())
        return next(gone, None)

    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_CLEARED)}
        if self.preload:
            kept["LD_PRELOAD"] = ":".join(map(str, self.preload))
        return {**kept, **self.env}


def _newest(preferred: str, *patterns: str) -> Path:
    """The preferred file below /, or the last file that matches the first pattern that any does."""
    wanted = Path(preferred)
    for pattern in patterns:
        found = sorted(Path("/").glob(pattern.lstrip("/")))
        if found:
            return wanted if wanted in found else found[-1]
    return wanted


# The command by which each package manager installs libomp.
_LIBOMP_BY = {
    "apt-get": "sudo apt-get install libomp-19-dev",
    "dnf": "sudo dnf install libomp",
    "zypper": "sudo zypper install libomp-devel",
    "pacman": "sudo pacman -S openmp",
}


def _libomp_hint() -> str:
    found = [command for manager, command in _LIBOMP_BY.items() if shutil.which(manager)]
    return found[0] if found else "install LLVM's OpenMP library"


def dry_run(*words: str) -> subprocess.CompletedProcess[str]:
    """What `bobbin run` would do with its options and a command, or why it would refuse."""
    kept = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    command = [str(COMMAND), "run", "--dry-run", *words]
    return subprocess.run(
        command, env=kept, capture_output=True, text=True, errors="replace", check=False
    )


def _preloaded(program: str) -> tuple[Path, ...]:
    """What `bobbin run` preloads into the program: the lab measures what `bobbin run` does."""
    try:
        words = shlex.split(dry_run("--", program).stdout)
    except OSError:  # it is not built
        words = []
    given = [word.removeprefix("LD_PRELOAD=") for word in words if word.startswith("LD_PRELOAD=")]
    return tuple(map(Path, given[0].split(":"))) if given else (NAMES / "libgomp.so.1",)


def known_runtimes(of: str = "") -> dict[str, Runtime]:
    """The runtimes for a program; for the benchmarks if no program is named."""
    bobbin = _preloaded(of or program("region"))
    # A library that the program itself needs before all others: AddressSanitizer's.
    first = tuple(path for path in bobbin if not path.is_absolute())
    runtimes = (
        Runtime("gomp", "libgomp", served_by="libgomp.so.1"),
        Runtime(
            "omp",
            "libomp",
            (
                *first,
                _newest(
                    "/usr/lib/llvm-19/lib/libomp.so.5",
                    "/usr/lib/llvm-*/lib/libomp.so.5",  # Debian
                    "/usr/lib64/libomp.so",
                    "/usr/lib/libomp.so",
                ),
            ),
            served_by="libomp",
            hint=_libomp_hint(),
        ),
        Runtime(
            "iomp",
            "libiomp5",
            (*first, _newest(str(LIBIOMP5), "/opt/intel/oneapi/compiler/*/lib/libiomp5.so")),
            served_by="libiomp5",
            hint=f"{'scripts/setup mkl, or ' if SETUP else ''}the path of a libiomp5.so instead "
            "of the name",
        ),
        Runtime(
            "bobbin",
            "Bobbin",
            bobbin,
            served_by=str(LIBRARY),
            hint="cmake --preset release && cmake --build --preset release",
        ),
    )
    return {runtime.name: runtime for runtime in runtimes}


# Bobbin's variable for its task policy.
_POLICY = "BOBBIN_TASK_POLICY"

# RUNTIME+SETTING+SETTING, each NAME=VALUE.
_WITH_SETTINGS = re.compile(r"(?P<runtime>.+?)(?P<settings>(\+[A-Za-z_]+=[^+]+)+)")


def parted(word: str) -> tuple[str, list[str]]:
    """Splits a runtime from its settings. A library's path or name may contain a +."""
    parts = _WITH_SETTINGS.fullmatch(word)
    return (parts["runtime"], parts["settings"][1:].split("+")) if parts else (word, [])


def _variables(settings: Sequence[str]) -> dict[str, str]:
    """Settings in capitals are environment variables. The others are items of a task policy."""
    items = [setting for setting in settings if not setting.partition("=")[0].isupper()]
    pairs = [setting.split("=", 1) for setting in settings if setting not in items]
    variables = dict(pairs)
    if items:
        variables[_POLICY] = ",".join(items)
    return variables


def _with_settings(word: str, runtime: Runtime, settings: Sequence[str]) -> Runtime:
    variables = _variables(settings)
    if _POLICY in variables and runtime.name in ("gomp", "omp", "iomp"):
        raise MissingError(f"{word}: task policies are Bobbin's; {runtime.title} has none")
    if _POLICY in variables and _POLICY in runtime.env:  # a preset's
        items = dict(item.split("=", 1) for item in runtime.env[_POLICY].split(","))
        items |= dict(item.split("=", 1) for item in variables[_POLICY].split(","))
        variables[_POLICY] = ",".join(f"{name}={value}" for name, value in items.items())
    title = " ".join([runtime.title, *settings])
    return replace(runtime, name=word, title=title, env={**runtime.env, **variables})


def resolve(word: str, known: Mapping[str, Runtime]) -> Runtime:
    """A known name, a preset, the path of a library, or NAME=PATH for a library under a chosen
    name. Each may have settings, as in bobbin+creation=work-first+cutoff=level:8.
    """
    if word in known:
        return known[word]
    if word in presets():
        preset = presets()[word]
        full = "+".join([preset.of, *preset.settings])
        return replace(resolve(full, known), name=word, title=word)
    plain, settings = parted(word)
    if settings:
        return _with_settings(word, resolve(plain, known), settings)
    name, equals, path_text = word.partition("=")
    path = Path(path_text if equals else word)
    if not equals and "/" not in word:
        names = ", ".join([*known, *presets()])
        raise MissingError(f"no runtime {word!r}: one of {names}, or a library's path")
    if not path.is_file():
        raise MissingError(f"there is no library {path}")
    path = path.resolve()
    if set(" :") & set(str(path)):
        raise MissingError(f"LD_PRELOAD cannot name {path}: its path has a space or a colon")
    return Runtime(name if equals else path.name, path.name, (path,), served_by=str(path.parent))


# The function by which a program of each compiler calls a parallel region.
_FORK = {
    Compiler.GCC: "GOMP_parallel",
    Compiler.CLANG: "__kmpc_fork_call",
    Compiler.TRANSLATE_GCC: "bobbin_omp_parallel",
    Compiler.TRANSLATE_CLANG: "bobbin_omp_parallel",
}


# The limit in seconds for a program that takes moments.
_PATIENCE = 60.0


def told(runtime: Runtime, compiler: Compiler, **more: str) -> str:
    """Returns what a program prints at its start on the runtime, with the given variables."""
    try:
        done = subprocess.run(
            (program("region", compiler), "op=parallel", "seconds=0.001"),
            env={**runtime.environment(), **more},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as hang:
        raise MissingError(
            f"{runtime.title}: a program on it did not end in {_PATIENCE:g} s"
        ) from hang
    return done.stderr.strip()


def serving_library(runtime: Runtime, compiler: Compiler = Compiler.GCC) -> str:
    """The file that serves the parallel regions of that compiler's programs on the runtime."""
    said = told(runtime, compiler, LD_DEBUG="bindings", LD_BIND_NOW="1")
    own = re.escape(program("region", compiler))
    bound = re.search(rf"file {own} .* to (\S+) .*symbol `{_FORK[compiler]}'", said)
    return bound.group(1) if bound else ""


# Variables of OpenMP runtimes. Other variables, such as those of the C library, are not checked.
_OPENMP_VARIABLE = re.compile(r"\b(?:LIBOMP|G?OMP|KMP|BOBBIN)_[A-Z_]*[A-Z]\b")


def _known_variables(runtime: Runtime, compiler: Compiler, library: str) -> set[str]:
    """The variables that the runtime lists, and those whose names its file contains. No list has
    all of them, and some files do not contain whole names.
    """
    plain = replace(runtime, env={"OMP_DISPLAY_ENV": "verbose"})
    text = told(plain, compiler) + Path(library).read_bytes().decode("latin-1")
    return set(_OPENMP_VARIABLE.findall(text))


def _refused(runtime: Runtime, compiler: Compiler, library: str) -> str:
    """Says why the runtime does not accept its settings."""
    known = _known_variables(runtime, compiler, library)
    for name in filter(_OPENMP_VARIABLE.fullmatch, runtime.env):
        if name not in known:
            nearest = difflib.get_close_matches(name, sorted(known), 1, cutoff=0)
            but = f"; the nearest is {nearest[0]}" if nearest else ""
            return f"{Path(library).name} knows no variable {name}{but}"
    return told(runtime, compiler)


def usable_runtimes(
    wanted: Sequence[str],
    compiler: Compiler = Compiler.GCC,
) -> dict[str, Runtime]:
    """Returns the wanted runtimes after checking that each is installed and really serves the
    programs.
    """
    probe = Path(program("region", compiler))
    if not probe.exists():
        target = " --target bench_translated" if compiler.translates else ""
        clang = compiler in (Compiler.CLANG, Compiler.TRANSLATE_CLANG)
        raise MissingError(
            f"{probe} is missing: run `cmake --preset release && cmake --build --preset release"
            f"{target}`" + (", with clang and its libomp installed" if clang else "")
        )
    known = known_runtimes()
    usable = {}
    for word in dict.fromkeys(wanted):
        runtime = resolve(word, known)
        if runtime.name in usable:
            raise MissingError(
                f"there are two runtimes {runtime.name}; NAME=PATH gives a library another name"
            )
        missing = runtime.missing()
        if missing is not None:
            raise MissingError(f"{runtime.title}: no {missing} (try: {runtime.hint})")
        server = serving_library(runtime, compiler)
        if runtime.served_by not in server:
            raise MissingError(
                f"{runtime.title}: the program's calls are served by {server or 'nothing'}"
            )
        refused = _refused(runtime, compiler, server) if runtime.env else ""
        if refused:
            raise MissingError(f"{word}: {refused}")
        usable[runtime.name] = runtime
    return usable


def absent(names: Sequence[str]) -> list[Runtime]:
    """The known runtimes that are not installed."""
    known = known_runtimes()
    return [known[name] for name in names if known[name].missing() is not None]


def present(names: Sequence[str] = ("gomp", "omp", "iomp", "bobbin")) -> list[str]:
    """The known runtimes that are installed."""
    known = known_runtimes()
    return [name for name in names if known[name].missing() is None]
