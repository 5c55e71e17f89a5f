# SPDX-License-Identifier: Apache-2.0
"""The settings that `advise` tries: numbers of threads on the program's own runtime and on Bobbin,
and the settings that are common advice for a runtime.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace

from bobbin_lab.advice.allowed import Allowed
from bobbin_lab.advice.asked import Asked
from bobbin_lab.advice.look import Look
from bobbin_lab.advice.settings import THREADS, Setting, as_it_is
from bobbin_lab.runtimes import MissingError, Runtime, known_runtimes, present

_WAITING = "OMP_WAIT_POLICY"

# A variable, and the variables that override it.
_GIVES_WAY = {
    _WAITING: ("GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"),
    "OMP_PROC_BIND": ("KMP_AFFINITY",),
    "OMP_PLACES": ("KMP_AFFINITY",),
}
_PASSIVE = {_WAITING: "passive"}
_POLICIES = (
    {_WAITING: "active"},
    {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
    {"OMP_DYNAMIC": "true"},
)
_OF_BOBBIN = (
    {"BOBBIN_PROVIDER": "kernel"},
    {"BOBBIN_SHARE": "fair"},
    {"BOBBIN_TASK_POLICY": "creation=breadth-first"},
    {"BOBBIN_TASK_POLICY": "creation=work-first"},
)


def _needed(program: str) -> str:
    """The libraries that a program names. Empty for a script, whose interpreter loads them."""
    path = shutil.which(program) or program
    try:
        done = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise MissingError("readelf is missing: apt-get install binutils") from missing
    return done.stdout


def _others(program: str, own: str) -> list[Runtime]:
    """Returns the installed runtimes, except the program's own and Bobbin, that can serve the
    program. A program built by clang or icx refers to names that libgomp lacks.
    """
    known = known_runtimes(of=program)
    needed = _needed(program)
    names = ["omp", "iomp"] if own == "libgomp" or "libomp" in needed else ["gomp", "omp", "iomp"]
    runtimes = [known[name] for name in present(names)]
    return [runtime for runtime in runtimes if runtime.title != own]


def _with_threads(number: int, asked: Asked) -> dict[str, str]:
    """The numbers for inner regions stay unchanged."""
    _, comma, inner = asked.openmp.get(THREADS, "").partition(",")
    return {THREADS: f"{number}{comma}{inner}"}


def _users_number(asked: Asked) -> int | None:
    first = asked.openmp.get(THREADS, "").partition(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None


def _numbers(asked: Asked, allowed: Allowed) -> list[int]:
    """Numbers of threads, the most promising first."""
    half = [allowed.threads // 2] if allowed.threads >= 4 else []
    users = _users_number(asked)
    numbers = [allowed.threads, allowed.processors, *half, 1, *([users] if users else [])]
    return list(dict.fromkeys(numbers))


def _is_new(setting: Setting, asked: Asked) -> bool:
    """Returns whether the setting changes what the user has set, and has any effect."""
    given = asked.openmp
    stronger = {name for variable in setting.variables for name in _GIVES_WAY.get(variable, ())}
    same = all(given.get(name) == value for name, value in setting.variables.items())
    return not stronger & given.keys() and not (setting.variables and same)


def candidates(asked: Asked, look: Look, allowed: Allowed, policies: bool = False) -> list[Setting]:
    """The settings to try besides the user's own, the most promising first. `look` describes the
    run with the user's setting.
    """
    own = replace(as_it_is(asked).runtime, title=look.runtime)
    bobbin = known_runtimes(of=asked.words[0])["bobbin"]
    numbers = _numbers(asked, allowed)
    # By default Bobbin takes as many threads as can run at once.
    expected = _users_number(asked) or allowed.threads
    on_own = [Setting(own, _with_threads(n, asked)) for n in numbers if n != look.threads]
    on_bobbin = [Setting(bobbin, _with_threads(n, asked)) for n in numbers if n != expected]
    first = [s for s in on_own if s.variables == _with_threads(allowed.threads, asked)]
    # Whether Bobbin is faster is the first question, so it is there however short the budget is.
    settings = [Setting(bobbin), *first, Setting(own, _PASSIVE), *on_own, *on_bobbin]
    if look.runtime == bobbin.title:
        without = [Setting(Runtime("own", "without Bobbin"))] if asked.on_bobbin else []
        settings = [*without, *on_own, Setting(own, _PASSIVE)]
    if policies:
        settings += _more(asked, own, bobbin)
    return [s for s in _once(settings) if _is_new(s, asked)]


def _more(asked: Asked, own: Runtime, bobbin: Runtime) -> list[Setting]:
    on_bobbin = [Setting(bobbin, policy) for policy in (_PASSIVE, *_POLICIES, *_OF_BOBBIN)]
    if own.title == bobbin.title:
        return [replace(setting, runtime=own) for setting in on_bobbin]
    others = [Setting(runtime) for runtime in _others(asked.words[0], own.title)]
    return [*(Setting(own, policy) for policy in _POLICIES), *on_bobbin, *others]


def _once(settings: Sequence[Setting]) -> list[Setting]:
    return list({(s.runtime.name, s.words): s for s in settings}.values())
