# SPDX-License-Identifier: Apache-2.0
"""Names for a runtime with settings, from presets.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("presets.toml")


@dataclass(frozen=True)
class Preset:
    text: str  # what it is, in a line
    of: str
    settings: Sequence[str]


@cache
def presets() -> dict[str, Preset]:
    told = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: Preset(entry["is"], entry["of"], tuple(entry["settings"]))
        for name, entry in told.items()
    }
