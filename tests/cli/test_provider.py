# SPDX-License-Identifier: Apache-2.0
"""Kernel threads serve where fibers cannot, and the reason is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import PROGRAMS, Compile, run

NOT_DESCRIBED = "the C library does not describe its thread control block"
OTHERWISE = "the thread control block is not laid out as its description says"
FIELDS = ("_thread_db_pthread_tid", "_thread_db_pthread_list")


def run_with_layout(compile_c: Compile, compat: Path, name: str, values: str) -> str:
    """The output of a program on a C library with that descriptor."""
    program = compile_c("team.c", "-fopenmp")
    layout = compile_c(
        "layout.c", "-shared", "-fPIC", f"-DNAME={name}", f"-DVALUES={values}", name="layout.so"
    )
    result = run(
        program,
        LD_PRELOAD=f"{compat}:{layout}",
        BOBBIN_PROVIDER="fiber",
        OMP_DISPLAY_ENV="verbose",
        OMP_NUM_THREADS="9",
    )
    assert result.returncode == 0, result.stderr
    assert "threads 9\n" in result.stdout
    return result.stderr


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("values", ["0,1,0", "8,1,16", "32,1,0x7ffffff0", "128,1,0x7ffffff0"])
def test_field_that_cannot_be(compile_c: Compile, compat: Path, name: str, values: str) -> None:
    said = run_with_layout(compile_c, compat, name, values)
    assert (
        f"BOBBIN_PROVIDER=fiber is not possible here: {NOT_DESCRIBED}; using kernel threads" in said
    )
    assert "provider='kernel'" in said
    assert f"provider chosen because {NOT_DESCRIBED}" in said


@pytest.mark.parametrize("values", ["0,0,0", "64,1,16", "128,1,16", "128,1,0x7ffffff0"])
def test_list_of_threads_that_cannot_be(compile_c: Compile, compat: Path, values: str) -> None:
    said = run_with_layout(compile_c, compat, "_thread_db_rtld_global__dl_stack_user", values)
    assert "not possible" not in said


def test_thread_id_elsewhere(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, FIELDS[0], "32,1,16")
    assert f"{OTHERWISE}; using kernel threads" in said


def test_control_block_too_small_for_its_fields(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, "_thread_db_sizeof_pthread", "64")
    assert f"{NOT_DESCRIBED}; using kernel threads" in said


def test_the_layout_as_it_is(compile_c: Compile, compat: Path) -> None:
    said = run_with_layout(compile_c, compat, "unrelated", "0")
    assert "not possible" not in said


def test_restartable_sequences_of_the_program(compile_c: Compile, compat: Path) -> None:
    program = compile_c("team.c", "-fopenmp")
    area = compile_c("rseq.c", "-shared", "-fPIC", name="rseq.so")
    settings = {
        "GLIBC_TUNABLES": "glibc.pthread.rseq=0",
        "OMP_DISPLAY_ENV": "verbose",
        "OMP_NUM_THREADS": "9",
    }
    for asked in ("auto", "fiber"):
        preload = f"{compat}:{area}"
        result = run(program, LD_PRELOAD=preload, BOBBIN_PROVIDER=asked, **settings)
        if "no rseq" in result.stderr:
            pytest.skip("the kernel has no restartable sequences")
        assert "threads 9\n" in result.stdout
        assert "provider='kernel'" in result.stderr
        assert ("BOBBIN_PROVIDER=fiber is not possible" in result.stderr) == (asked == "fiber")
    result = run(program, LD_PRELOAD=str(compat), BOBBIN_PROVIDER="auto", **settings)
    assert "provider='fiber'" in result.stderr


def test_mono(compile_c: Compile, compat: Path) -> None:
    program = compile_c("team.c", "-fopenmp")
    mono = compile_c("mono.c", "-shared", "-fPIC", name="mono.so")
    preload = f"{compat}:{mono}"
    result = run(program, LD_PRELOAD=preload, OMP_DISPLAY_ENV="verbose", OMP_NUM_THREADS="9")
    assert "threads 9\n" in result.stdout
    assert "provider='kernel'" in result.stderr
    assert "provider chosen because Mono is there" in result.stderr
    # With fibers requested, the user knows that no OpenMP thread calls into it.
    asked = {"OMP_DISPLAY_ENV": "verbose", "BOBBIN_PROVIDER": "fiber"}
    result = run(program, LD_PRELOAD=preload, **asked)
    assert "provider='fiber'" in result.stderr
    assert "Mono" not in result.stderr


def test_a_signal_to_another_thread(compile_c: Compile, compat: Path) -> None:
    program = compile_c("signal.c", "-fopenmp", "-D_GNU_SOURCE")
    for provider in ("kernel", "fiber"):
        result = run(program, LD_PRELOAD=str(compat), BOBBIN_PROVIDER=provider)
        assert (result.stdout, result.stderr) == ("there 0 sent 0 queued 0 received 2\n", "")


def test_threads_set_up_by_another_library(compile_c: Compile, compat: Path) -> None:
    program = compile_c("team.c", "-fopenmp")
    flags = ("-shared", "-fPIC", "-D_GNU_SOURCE")
    maker = compile_c("thread_maker.c", *flags, name="maker.so")
    settings = {"OMP_DISPLAY_ENV": "verbose", "OMP_NUM_THREADS": "9"}
    result = run(program, LD_PRELOAD=f"{compat}:{maker}", **settings)
    assert "threads 9\n" in result.stdout
    assert "provider='kernel'" in result.stderr
    said = "provider chosen because another library sets threads up in a pthread_create of its own"
    assert said in result.stderr
    # A user that requests fibers knows better.
    result = run(program, LD_PRELOAD=f"{compat}:{maker}", BOBBIN_PROVIDER="fiber", **settings)
    assert "provider='fiber'" in result.stderr
    assert "threads 9\n" in result.stdout
    # An allocator has nothing to set up there.
    allocator = compile_c("thread_maker.c", *flags, "-DALLOCATOR", name="allocator.so")
    result = run(program, LD_PRELOAD=f"{compat}:{allocator}", **settings)
    assert "provider='fiber'" in result.stderr


@pytest.mark.parametrize("asked", ["auto", "fiber"])
def test_safe_stack(bobbin: Path, clang: str, tmp_path: Path, asked: str) -> None:
    program = tmp_path / "unsafe_stack"
    source = PROGRAMS / "unsafe_stack.c"
    built = run(clang, "-O1", "-fopenmp", "-fsanitize=safe-stack", source, "-o", program)
    if built.returncode != 0:
        pytest.skip(f"no safe-stack with {clang}: {built.stderr[-200:]}")
    result = run(bobbin, "run", program, BOBBIN_PROVIDER=asked, OMP_DISPLAY_ENV="verbose")
    assert result.stdout == "wrong 0\n"
    assert "provider='kernel'" in result.stderr
    assert "because a sanitizer keeps its own account" in result.stderr
