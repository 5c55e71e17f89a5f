# SPDX-License-Identifier: Apache-2.0
"""The table of the demonstration in a document, drawn as bars before and after: `make picture`."""

from __future__ import annotations

import html
import re
import sys
from dataclasses import dataclass
from pathlib import Path

WIDTH, LEFT, BAR, ROW = 720, 230, 340, 46
_ROW = re.compile(
    r"^\| (?P<program>[^|]+?) \| [^|]+ \| (?P<before>[\d.]+) s \| (?P<after>[\d.]+) s "
    r"\| (?P<gain>[\d.]+x) \|$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Pair:
    """A program's seconds on libgomp and on Bobbin."""

    program: str
    before: float
    after: float
    gain: str


def pairs(document: str) -> list[Pair]:
    table = document.partition("<!-- demo table -->")[2].partition("<!-- end -->")[0]
    return [
        Pair(m["program"], float(m["before"]), float(m["after"]), m["gain"])
        for m in _ROW.finditer(table)
    ]


def _bar(y: int, share: float, kind: str, text: str) -> str:
    length = max(1.0, BAR * share)
    return (
        f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{length:.1f}" height="15"/>'
        f'<text x="{LEFT + length + 6:.1f}" y="{y + 12}">{text}</text>'
    )


def draw(shown: list[Pair]) -> str:
    """Each program's time on libgomp is a whole bar: what counts is the ratio."""
    height = 34 + ROW * len(shown)
    label = "; ".join(
        f"{p.program}: {p.before:g} s on libgomp, {p.after:g} s on Bobbin" for p in shown
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{html.escape(label)}">',
        "<!-- SPDX-License-Identifier: Apache-2.0. Made by `make picture`. -->",
        "<style>text{font:13px system-ui,sans-serif;fill:#1c1c1c}.before{fill:#b5b5b5}"
        ".after{fill:#0072b2}.paper{fill:#fff}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
        f'<rect class="before" x="{LEFT}" y="8" width="15" height="15"/>'
        f'<text x="{LEFT + 21}" y="20">libgomp</text>',
        f'<rect class="after" x="{LEFT + 100}" y="8" width="15" height="15"/>'
        f'<text x="{LEFT + 121}" y="20">the same binary on Bobbin</text>',
    ]
    for number, pair in enumerate(shown):
        y = 34 + ROW * number
        largest = max(pair.before, pair.after)
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 21}" text-anchor="end">{html.escape(pair.program)}'
            "</text>",
            _bar(y, pair.before / largest, "before", f"{pair.before:g} s"),
            _bar(y + 17, pair.after / largest, "after", f"{pair.after:g} s, {pair.gain}"),
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    source, target = (Path(word) for word in sys.argv[1:3])
    found = pairs(source.read_text(encoding="utf-8"))
    if not found:
        print(f"demo.picture: {source} has no table of the demonstration", file=sys.stderr)
        return 1
    target.write_text(draw(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
