# SPDX-License-Identifier: Apache-2.0
"""Recordings that are damaged, or no recordings: the command tells, and goes on."""

from __future__ import annotations

import os
import random
import resource
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Compile, clean_environment, run

INSTRUMENTS = {"profile": "--profile", "span": "--span", "trace": "--trace=trace.json"}
# insight/record/layout.h: the numbers of the slots are in the header, and the tables follow it.
SLOT_BYTES = 20
HEADER, SITES, MODULES, SLOTS = 0, 4096, 12288, 45056
NUMBERS = (0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 32, 1 << 63, (1 << 64) - 1)


def recorded(bobbin: Path, program: Path, instrument: str) -> bytes:
    """A recording with no more slots than were taken."""
    folder = program.parent
    keep = f"{program} >/dev/null; cp $BOBBIN_RECORD/*.bobbin {folder}/kept"
    words = [INSTRUMENTS[instrument], "sh", "-c", keep]
    if instrument == "trace":
        words[:0] = ["--trace-buffer", "4"]
    result = run(bobbin, "run", *words, cwd=folder)
    assert result.returncode == 0, result.stderr
    with (folder / "kept").open("rb") as file:
        slot_bytes, _, taken = struct.unpack_from("<III", head := file.read(SLOTS), SLOT_BYTES)
        slots = file.read(slot_bytes * taken)
    return head[: SLOT_BYTES + 4] + struct.pack("<I", taken) + head[SLOT_BYTES + 8 :] + slots


def changed(whole: bytes, at: int, number: int, size: int) -> bytes:
    part = (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return whole[:at] + part + whole[at + size :]


def damaged(whole: bytes) -> Iterator[bytes]:
    """What the reader goes by, changed one by one; then anything."""
    for at in range(0, 128, 4):
        yield from (changed(whole, at, number, 4) for number in (0, 1, 4097, 0xFFFFFFFF))
    slot = struct.unpack_from("<I", whole, SLOT_BYTES)[0]
    for begin in range(SLOTS, len(whole), slot):
        yield from (changed(whole, begin + at, (1 << 64) - 1, 8) for at in (0, 8, 16, 24, 32))
        # Events of a trace; of the others the slot's own numbers.
        yield from (changed(whole, begin + 4096 + at, (1 << 64) - 1, 8) for at in range(0, 256, 8))
    source = random.Random(1)
    for _ in range(60):
        made = whole
        for _ in range(source.randrange(1, 8)):
            size = source.choice((1, 2, 4, 8))
            begin = source.choice((HEADER, SITES, MODULES, source.randrange(SLOTS, len(whole))))
            at = min(begin + source.randrange(0, 512), len(whole) - size)
            made = changed(made, at, source.choice(NUMBERS), size)
        yield made
    yield from (whole[:length] for length in (0, 1, 100, SLOTS - 1, SLOTS, len(whole) - 1))


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_damaged_recordings_do_no_harm(
    bobbin: Path, compile_c: Compile, instrument: str, tmp_path: Path
) -> None:
    program = compile_c("team.c", "-fopenmp")
    whole = recorded(bobbin, program, instrument)
    for number, made in enumerate(damaged(whole)):
        (tmp_path / "made").write_bytes(made)
        copy = f"cp {tmp_path}/made $BOBBIN_RECORD/1.0.bobbin"
        result = run(bobbin, "run", INSTRUMENTS[instrument], "sh", "-c", copy, cwd=tmp_path)
        assert result.returncode in (0, 125), (number, result.stderr)


@pytest.mark.parametrize("instrument", INSTRUMENTS)
@pytest.mark.parametrize("make", [":>", "mkfifo ", "mkdir ", "ln -s . "])
def test_what_is_no_recording_is_passed_over(
    bobbin: Path, instrument: str, make: str, tmp_path: Path
) -> None:
    """A process that is killed may leave an empty file. A reader of a pipe would wait."""
    command = f"{make}$BOBBIN_RECORD/1.0.bobbin"
    result = run(bobbin, "run", INSTRUMENTS[instrument], "sh", "-c", command, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "nothing was recorded" in result.stderr


@pytest.mark.parametrize("instrument", ["profile", "trace"])
def test_a_folder_without_a_readable_recording_is_an_error(
    bobbin: Path, compile_c: Compile, instrument: str, tmp_path: Path
) -> None:
    """A recording of another instrument counts as damaged."""
    whole = recorded(bobbin, compile_c("team.c", "-fopenmp"), instrument)
    folder = tmp_path / "recordings"
    folder.mkdir()
    (folder / "1.0.bobbin").write_bytes(
        whole[: len(whole) // 2 if instrument == "profile" else None]
    )
    result = run(bobbin, "profile", folder)
    assert result.returncode == 125
    assert "no recording that tells anything" in result.stderr


@pytest.mark.parametrize("instrument", INSTRUMENTS)
def test_a_pipe_in_the_place_of_a_library_is_not_read(
    bobbin: Path, compile_c: Compile, instrument: str, tmp_path: Path
) -> None:
    whole = recorded(bobbin, compile_c("team.c", "-fopenmp"), instrument)
    os.mkfifo(tmp_path / "pipe")
    path = str(tmp_path / "pipe").encode()
    for module in range(4):
        at = MODULES + 256 * module + 24
        whole = whole[:at] + path.ljust(232, b"\0") + whole[at + 232 :]
    (tmp_path / "made").write_bytes(whole)
    copy = f"cp {tmp_path}/made $BOBBIN_RECORD/1.0.bobbin"
    result = run(bobbin, "run", INSTRUMENTS[instrument], "sh", "-c", copy, cwd=tmp_path)
    assert result.returncode == 0, result.stderr


def test_no_room_for_a_recording_is_told(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    program = compile_c("team.c", "-fopenmp")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    result = subprocess.run(
        [bobbin, "run", "--profile", program],
        env=clean_environment() | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        preexec_fn=limit,
        restore_signals=False,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "File too large" in result.stderr
    kept = tmp_path / "kept"
    kept.mkdir()
    by_hand = {
        "BOBBIN_RECORD": str(kept),
        "OMP_TOOL_LIBRARIES": str(bobbin.parents[1] / "lib/compat/libbobbin-profile.so"),
    }
    subprocess.run(
        [bobbin, "run", program],
        env=clean_environment() | by_hand,
        capture_output=True,
        preexec_fn=limit,
        restore_signals=False,
        check=True,
    )
    assert list(kept.iterdir()) == []  # not an empty file either
