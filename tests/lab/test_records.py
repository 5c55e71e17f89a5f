# SPDX-License-Identifier: Apache-2.0
"""Results survive being written, interrupted, and read again."""

import json
from pathlib import Path

import pytest
from results import results_of, write

from bobbin_lab.results.records import SCHEMA, ResultsError, Writer, load, load_all

LAWS = {"barrier": {"gomp": lambda t: t, "bobbin": lambda t: 1.0}}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = results_of(LAWS)
    read = load(write(made, tmp_path / "r.jsonl"))
    assert read.runs == made.runs
    assert read.sessions == made.sessions


def test_an_interrupted_line_is_lost_alone(tmp_path: Path) -> None:
    made = results_of(LAWS)
    path = write(made, tmp_path / "r.jsonl")
    with path.open("a") as file:
        file.write('{"kind": "run", "exper')
    assert load(path).runs == made.runs
    writer = Writer(path)
    writer.run(made.runs[0])
    writer.close()
    assert load(path).runs == [*made.runs, made.runs[0]]


def test_a_whole_line_without_an_end_is_kept(tmp_path: Path) -> None:
    """It has been read, so its run is not repeated."""
    made = results_of(LAWS)
    path = write(made, tmp_path / "r.jsonl")
    path.write_text(path.read_text().rstrip("\n"))
    assert load(path).runs == made.runs
    writer = Writer(path)
    writer.run(made.runs[0])
    writer.close()
    assert load(path).runs == [*made.runs, made.runs[0]]


def test_damage_within_is_said(tmp_path: Path) -> None:
    path = write(results_of(LAWS), tmp_path / "r.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "oops", *lines[1:]]))
    with pytest.raises(ResultsError, match=r"r\.jsonl:2: not JSON"):
        load(path)


@pytest.mark.parametrize(
    "written", [b"", b'{"kind": "run"}\n', b"[1]\n", b"\x7fELF\xff", b'{"kind": "session"}\n']
)
def test_what_holds_no_results_is_said(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(written)
    with pytest.raises(ResultsError):
        load(path)
    with pytest.raises(ResultsError):
        load(tmp_path / "absent.jsonl")


@pytest.mark.parametrize("more", [{}, {"unheard_of": 1}])
def test_another_schema_is_said(tmp_path: Path, more: dict[str, int]) -> None:
    path = write(results_of(LAWS), tmp_path / "r.jsonl")
    session, *runs = path.read_text().splitlines()
    other = json.dumps({**json.loads(session), "schema": SCHEMA + 1, **more})
    path.write_text("\n".join([other, *runs, ""]))
    with pytest.raises(ResultsError, match=rf"in schema {SCHEMA + 1}; this one reads {SCHEMA}$"):
        load(path)


def test_files_go_together(tmp_path: Path) -> None:
    one = write(results_of(LAWS), tmp_path / "1.jsonl")
    two = write(results_of({"single": LAWS["barrier"]}), tmp_path / "2.jsonl")
    both = load_all([one, two])
    assert both.benchmark("barrier") is not None
    assert both.benchmark("single") is not None
    assert {run.experiment for run in both.runs} == {"barrier", "single"}
    with pytest.raises(ResultsError, match="given twice"):
        load_all([one, two, tmp_path / "." / ".." / tmp_path.name / "1.jsonl"])
