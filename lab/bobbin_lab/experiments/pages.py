# SPDX-License-Identifier: Apache-2.0
"""Pages of text for Tesseract, drawn with Pillow's own font, so the same on every machine."""

from __future__ import annotations

import difflib
import os
import random
import shutil
import sys
from pathlib import Path

from bobbin_lab.experiments.plan import Case, Role
from bobbin_lab.places import cache
from bobbin_lab.runtimes import MissingError

_WORDS = """
the of and to in is it that was for on are with as his they be at one have this from or had by word
but what some we can out other were all there when up use your how said an each she which do their
time if will way about many then them write would like so these her long make thing see him two has
look more day could go come did number sound no most people my over know water than call first who
may down side been now find any new work part take get place made live where after back little only
round man year came show every good me give our under name very through just form sentence great
think say help low line differ turn cause much mean before move right boy old too same tell does set
three want air well also play small end put home read hand port large spell add even land here must
big high such follow act why ask men change went light kind off need house picture try us again
animal point mother world near build self earth father head stand own page should country found
answer school grow study still learn plant cover food sun four between state keep eye never last let
thought city tree cross farm hard start might story saw far sea draw left late run while press close
night real life few north open seem together next white children begin got walk example ease paper
group always music those both mark often letter until mile river car feet care second book carry
took science eat room friend began idea fish mountain stop once base hear horse cut sure watch color
""".split()


def text_of(page: int, lines: int) -> str:
    """The page's text: plain words in sentences, about 60 characters per line."""
    choose = random.Random(f"bobbin page {page}")
    done: list[str] = []
    line: list[str] = []
    capital = True
    until_stop = choose.randint(6, 12)
    while len(done) < lines:
        word = choose.choice(_WORDS)
        if capital:
            word = word.capitalize()
        until_stop -= 1
        capital = until_stop == 0
        if capital:
            word += "."
            until_stop = choose.randint(6, 12)
        if sum(len(w) + 1 for w in line) + len(word) > 60:
            done.append(" ".join(line))
            line = []
        line.append(word)
    return "\n".join(done) + "\n"


def draw(page: int, lines: int, path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=34)
    step = 56
    image = Image.new("L", (1400, 160 + step * lines), color=255)
    pen = ImageDraw.Draw(image)
    for i, line in enumerate(text_of(page, lines).splitlines()):
        pen.text((90, 80 + step * i), line, font=font, fill=0)
    # It gets its name only when it is complete, because it is then kept for good.
    unfinished = path.with_suffix(f".{os.getpid()}")
    image.save(unfinished, format="png")
    unfinished.replace(path)


def _folder(lines: int) -> Path:
    return cache() / "pages" / f"lines{lines}"


def make_pages(count: int, lines: int) -> Path:
    """A folder with page1.png ... Existing pages are kept."""
    folder = _folder(lines)
    folder.mkdir(parents=True, exist_ok=True)
    for page in range(1, count + 1):
        path = folder / f"page{page}.png"
        if not path.exists():
            draw(page, lines, path)
    return folder


class Recognised:
    """Checks the output of Tesseract: nearly the text drawn, and the same on every runtime."""

    def __init__(self, folder: Path, count: int, lines: int) -> None:
        self._folder = folder
        self._count = count
        self._lines = lines
        self._first: dict[int, str] = {}

    def check(self, _output: str) -> str | None:
        for page in range(1, self._count + 1):
            path = self._folder / f"page{page}.png.txt"
            if not path.exists():
                return f"no text for page {page}"
            got = "\n".join(line for line in path.read_text().splitlines() if line.strip())
            path.unlink()
            if got != self._first.setdefault(page, got):
                return f"page {page} reads differently than on the runtime before"
            wanted = text_of(page, self._lines).strip()
            if difflib.SequenceMatcher(None, wanted, got, autojunk=False).ratio() < 0.97:
                return f"page {page} was not recognised"
        return None


def prepare_tesseract(count: int, lines: int) -> None:
    if shutil.which("tesseract") is None:
        raise MissingError("tesseract is missing: apt-get install tesseract-ocr")
    make_pages(count, lines)


def tesseract_cases(count: int, lines: int, at_once: int, reference: bool) -> tuple[Case, ...]:
    """Tesseract over the pages, `at_once` processes at a time, on each runtime."""
    folder = _folder(lines)
    names = "".join(f"page{page}.png\n" for page in range(1, count + 1))
    check = Recognised(folder, count, lines).check
    argv = ("xargs", f"-P{at_once}", "-I{}", "tesseract", "{}", "{}", "-l", "eng")

    def case(name: str, runtime: str, role: Role, env: dict[str, str]) -> Case:
        return Case(name, runtime, argv, role=role, env=env, stdin=names, cwd=folder, verify=check)

    cases = [
        case("gomp", "gomp", Role.RIVAL, {}),
        case("omp", "omp", Role.RIVAL, {}),
        case("bobbin", "bobbin", Role.SUBJECT, {}),
    ]
    if reference:
        cases.append(case("limit 1", "gomp", Role.REFERENCE, {"OMP_THREAD_LIMIT": "1"}))
    return tuple(cases)


def main() -> int:
    count, lines = (int(word) for word in sys.argv[1:3])
    print(make_pages(count, lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
