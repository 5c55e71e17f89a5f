# SPDX-License-Identifier: Apache-2.0
"""Lines of the versions of the tree search are counted as a reader would count them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bobbin_lab.papers import expressiveness

SOURCE = """\
// A comment.
#include <omp.h>

static const char kUsage[] =
    "two lines\\n";

static struct {
  long count;  // of one thread
} tallies[8];

static struct tally mine;
#pragma omp threadprivate(mine)

// Another comment.
static long search(const struct node* node,
                   int depth) {
  // Inside.

  long sum = 1;
#pragma omp taskwait
  return sum + omp_get_thread_num();
}

static void other(void) {}
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "search.c").write_text(SOURCE)
    monkeypatch.setattr(expressiveness, "_FOLDER", tmp_path)
    return "search.c"


@pytest.mark.parametrize(
    ("names", "lines", "parallel"),
    [
        (("search",), 6, 2),
        (("tallies",), 3, 0),
        (("mine",), 2, 1),
        (("other",), 1, 0),
        (("kUsage",), 2, 0),
        (("search", "mine", "tallies"), 11, 3),
        ((), 14, 3),
    ],
)
def test_lines(source: str, names: tuple[str, ...], lines: int, parallel: int) -> None:
    assert expressiveness.counted(source, names) == (lines, parallel)


def test_a_name_that_is_gone_is_an_error(source: str) -> None:
    with pytest.raises(KeyError, match="searching"):
        expressiveness.counted(source, ("search", "searching"))


def test_every_version_is_found() -> None:
    found = {title: (int(lines), int(own)) for title, lines, own, _ in expressiveness.rows()}
    lines = {title: count for title, (count, _) in found.items()}
    assert min(lines, key=lambda title: lines[title]) == "serial"
    assert max(lines, key=lambda title: lines[title]) == "threads, stealing by hand"
    assert [title for title, (_, own) in found.items() if own == 0] == ["serial"]
