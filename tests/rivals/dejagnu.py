# SPDX-License-Identifier: Apache-2.0
"""The directives { dg-... } in the comments of GCC's tests."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

NESTED = r"(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
DIRECTIVE = re.compile(rf"\{{\s*dg-([a-z-]+)\s({NESTED})\}}")
WORD = re.compile(rf'"((?:[^"\\]|\\.)*)"|\{{({NESTED})\}}|(\S+)')

# Effective targets that do not describe this machine. Tests that need them run elsewhere.
NOT_HERE = re.compile(
    r"offload_|nvptx|amdgcn|openacc|alpha|sparc|powerpc|darwin|aarch64|arm|ia32|ilp32|-\*-hpux"
)


@dataclass
class Test:
    action: str = "run"
    options: list[str] = field(default_factory=lambda: ["-O2"])
    more_options: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    more_sources: list[str] = field(default_factory=list)
    shall_fail: bool = False
    skipped: bool = False


def selects(selector: str, language: str) -> bool:
    """Returns whether { target ... } holds here. It knows only what libgomp's tests use."""
    if selector.startswith("target c++"):
        return language == "c++"
    if re.match(r"target c\b", selector):
        return language == "c"
    return re.search(r"! *(offload|openacc|ia32)", selector) is not None or not NOT_HERE.search(
        selector
    )


def read(text: str, language: str) -> Test:
    test = Test()
    for name, arguments in DIRECTIVE.findall(text):
        words = [
            first or second.strip() or third for first, second, third in WORD.findall(arguments)
        ]
        applies = (
            len(words) < 2 or not words[-1].startswith("target") or selects(words[-1], language)
        )
        match name:
            case "do":
                test.action = words[0]
                test.skipped |= not applies
            case "options" if applies:
                test.options = shlex.split(words[0])
            case "additional-options" if applies:
                test.more_options += shlex.split(words[0])
            case "set-target-env-var":
                test.environment[words[0]] = words[1] if len(words) > 1 else ""
            case "additional-sources":
                test.more_sources += words[0].split()
            case "shouldfail":
                test.shall_fail = True
            case "require-effective-target":
                test.skipped |= NOT_HERE.search(arguments) is not None
    return test
