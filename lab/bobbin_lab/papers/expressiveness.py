# SPDX-License-Identifier: Apache-2.0
"""How much code each version of the tree search takes beside the serial one, counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bobbin_lab.places import SOURCE

HEADINGS = ("version", "lines", "of these, directives and calls", "counts are")

_FOLDER = SOURCE / "bench" / "uts"
# What makes a line one of the parallel language or library, and not of the search.
_PARALLEL = re.compile(
    r"#pragma omp|\bomp_\w+\(|\batomic_\w+\(|sched_yield|\bcilk_\w+|\bbobbin_\w+|"
    r"\btbb::|\btf::|\bgroup\.\w+\(|\bsubflow\.\w+\(|\bflow\.\w+\(|\bexecutor\.\w+\("
)
# A version: its file, the functions and variables that it has beyond what all share, and how it
# counts. No names: all of the file.
_VERSIONS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "serial": ("uts.c", ("serial",), "returned"),
    "OpenMP tasks, taskwait": ("uts.c", ("with_waits", "search_by_waits"), "returned"),
    "OpenMP tasks, array": (
        "uts.c",
        ("tallies", "with_tasks", "search_by_tasks"),
        "in an array, by thread",
    ),
    "OpenMP tasks, threadprivate": (
        "uts.c",
        ("mine", "with_threadprivate", "search_by_threadprivate"),
        "threadprivate",
    ),
    "threads, stealing by hand": ("steal.h", (), "in a reduction"),
    "spawn and sync of Bobbin": ("uts_spawn.c", ("visit", "search", "search_tree"), "returned"),
    "spawn of Bobbin, one sync": (
        "uts_spawn_once.c",
        ("tallies", "scope", "search", "search_all", "search_tree"),
        "in an array, by thread",
    ),
    "Cilk": ("uts_cilk.c", ("search", "search_tree"), "returned"),
    "Cilk with a reducer": (
        "uts_cilk_reducer.c",
        ("clear_tally", "add_tally", "counted", "search", "search_tree"),
        "in a reducer",
    ),
    "oneTBB": ("uts_tbb.cpp", ("search", "search_tree"), "returned"),
    "Taskflow": (
        "uts_taskflow.cpp",
        ("make_room_for_nested_joins", "search", "search_tree"),
        "returned",
    ),
}


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Definitions at the outermost level, as the formatter leaves them: from a line that is not
    indented to the next one that ends it. A directive behind a variable belongs to it.
    """
    block: list[str] = []
    for line in (one.partition("//")[0].rstrip() for one in lines):
        outermost = line[:1] not in (" ", "}", "#", "/", "")
        if not block and not outermost:
            if line.startswith("#pragma omp threadprivate"):
                yield [line]
            continue
        block.append(line)
        open_brace = any(one.endswith("{") for one in block)
        if line.startswith("}") or (line.endswith((";", "}")) and not open_brace):
            yield block
            block = []


def _names(block: Sequence[str]) -> set[str]:
    """What it may define: the words of its first line before a bracket, and of its last line."""
    head = re.split(r"[={]", block[0], maxsplit=1)[0].partition("(")[0]
    first = block[0] if block[0].startswith("#") or "cilk_reducer" in block[0] else head
    return set(re.findall(r"\w+", first)[-1:]) | set(re.findall(r"^}\s*(\w+)", block[-1]))


def _code(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not line.strip().startswith("//")]


def counted(file: str, names: Sequence[str]) -> tuple[int, int]:
    """The lines of code, and those of the parallel language among them. Raises KeyError where the
    file does not define a name.
    """
    lines = (_FOLDER / file).read_text(encoding="utf-8").splitlines()
    if not names:
        code = [line for line in _code(lines) if not line.startswith(("#include", "#pragma once"))]
        return len(code), sum(1 for line in code if _PARALLEL.search(line))
    blocks = [block for block in _blocks(lines) if _names(block) & set(names)]
    missing = set(names) - {name for block in blocks for name in _names(block)}
    if missing:
        raise KeyError(f"{file} defines no {', '.join(sorted(missing))}")
    code = _code([line for block in blocks for line in block])
    return len(code), sum(1 for line in code if _PARALLEL.search(line))


def rows() -> list[list[str]]:
    if not _FOLDER.is_dir():
        return [["needs the source tree", "", "", ""]]
    found = []
    for title, (file, names, counts) in _VERSIONS.items():
        lines, parallel = counted(file, names)
        found.append([title, str(lines), str(parallel), counts])
    return found
