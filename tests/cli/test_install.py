# SPDX-License-Identifier: Apache-2.0
"""make install: the tree works where it was installed and where it is moved to."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import NAMES, PRELOADED, PROGRAMS, Compile, run

SOURCE = Path(__file__).parents[2]


@pytest.fixture
def prefix(build: Path, tmp_path: Path) -> Path:
    root = tmp_path / "prefix"
    result = run("cmake", "--install", build, "--prefix", root)
    assert result.returncode == 0, result.stderr
    return root


def test_installed_tree_runs_programs(prefix: Path, compile_c: Compile) -> None:
    program = compile_c("team.c", "-fopenmp")
    moved = prefix.with_name("moved")
    for root in (prefix, moved):
        if root == moved:
            prefix.rename(moved)
        result = run(root / "bin/bobbin", "run", "-n", "2", program)
        assert result.returncode == 0, result.stderr
        assert f"maps {root}/lib/libbobbin.so.1" in result.stdout


def test_program_linked_with_the_path_runs_on_it_by_itself(
    prefix: Path, compile_c: Compile
) -> None:
    program = compile_c("team.c", "-fopenmp", f"-Wl,-rpath,{prefix}/lib/bobbin")
    result = run(program, OMP_NUM_THREADS="2")
    assert result.returncode == 0, result.stderr
    assert "threads 2" in result.stdout
    for who in ("served", "yields"):
        line = next(line for line in result.stdout.splitlines() if line.startswith(who))
        assert line.endswith("/libbobbin.so.1")
    mapped = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("maps")]
    assert sorted(set(mapped)) == [
        f"{prefix}/lib/bobbin/libgomp.so.1",
        f"{prefix}/lib/libbobbin.so.1",
    ]


def test_prefix_that_cannot_be_preloaded_from_is_refused(tmp_path: Path) -> None:
    for name in ("with space", "with:colon"):
        prefix = tmp_path / name
        result = run("make", "-C", SOURCE, "install", f"PREFIX={prefix}")
        assert result.returncode != 0
        assert str(prefix) in result.stderr
        assert not prefix.exists()


def test_environment_of_the_lab_is_not_staged(tmp_path: Path) -> None:
    """It would lie under PREFIX itself, or keep the path under DESTDIR."""
    for words, variables in (
        (["DESTDIR=" + str(tmp_path / "stage")], {}),
        ([], {"DESTDIR": "stage"}),
    ):
        result = run(
            "make",
            "-C",
            SOURCE,
            "install",
            f"PREFIX={tmp_path}/prefix",
            *words,
            cwd=tmp_path,
            **variables,
        )
        assert result.returncode != 0
        assert "LAB=no" in result.stderr
        assert list(tmp_path.iterdir()) == []


def test_installed_tree_is_complete(prefix: Path) -> None:
    for name in (
        "bin/bobbin",
        "include/bobbin/bobbin.h",
        "include/bobbin/spawn.h",
        "include/bobbin/spawn.hpp",
        *(f"lib/bobbin/{name}" for name in {*NAMES, *PRELOADED}),
        "lib/bobbin/libbobbin-profile.so",
        "lib/bobbin/libbobbin-span.so",
        "lib/bobbin/libbobbin-trace.so",
        "lib/bobbin/libgomp.so.1.0.0",
        "lib/libbobbin.so",
        "lib/libbobbin.so.1",
        "lib/libbobbin.so.1-gdb.py",
        "lib/bobbin/gdb/bobbin_gdb/commands.py",
        "libexec/bobbin/bench/region",
        "share/bobbin/lab/__main__.py",
        "share/bobbin/lab/bobbin_lab/experiments/catalogue.toml",
        "share/doc/bobbin/LICENSE",
        "share/doc/bobbin/README.md",
    ):
        assert (prefix / name).exists(), name


def test_pkg_config_finds_the_tree_where_it_was_moved(prefix: Path, compile_c: Compile) -> None:
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config (scripts/setup test)")
    moved = prefix.rename(prefix.with_name("moved"))
    told = {"PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "bobbin", **told).stdout.split()
    program = compile_c("native.c", *flags)
    result = run(program, OMP_NUM_THREADS="3", LD_LIBRARY_PATH=str(moved / "lib"))
    assert result.stdout == "3 from OMP_NUM_THREADS\n", result.stderr
    openmp = run("pkg-config", "--variable=openmpdir", "bobbin", **told).stdout.strip()
    assert Path(openmp, "libgomp.so.1").is_file()
    told_version = run("pkg-config", "--modversion", "bobbin", **told).stdout
    said = run(moved / "bin/bobbin", "--version").stdout
    assert re.fullmatch(
        rf"bobbin {re.escape(told_version.strip())}( \(commit [0-9a-f]+(-dirty)?\))?\n", said
    )


CONSUMER = """
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(Bobbin 0.1 REQUIRED)
find_package(OpenMP REQUIRED)
add_executable(native {programs}/native.c)
target_link_libraries(native Bobbin::bobbin)
add_executable(team {programs}/team.c)
target_link_libraries(team OpenMP::OpenMP_C Bobbin::openmp)
"""


def test_cmake_finds_the_tree_where_it_was_moved(prefix: Path, tmp_path: Path) -> None:
    moved = prefix.rename(prefix.with_name("moved"))
    source = tmp_path / "consumer"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(CONSUMER.format(programs=PROGRAMS))
    for words in (
        ("-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={moved}"),
        ("--build", source / "build"),
    ):
        result = run("cmake", *words)
        assert result.returncode == 0, result.stdout + result.stderr
    assert run(source / "build/native", OMP_NUM_THREADS="3").stdout == "3 from OMP_NUM_THREADS\n"
    assert f"maps {moved}/lib/libbobbin.so.1" in run(source / "build/team").stdout


def test_uninstall_removes_nothing_outside(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("")
    manifest = tmp_path / "prefix/share/bobbin/install_manifest.txt"
    manifest.parent.mkdir(parents=True)
    for line in (str(victim), f"{tmp_path}/prefix/../victim"):
        manifest.write_text(line)
        assert run(SOURCE / "scripts/uninstall", tmp_path / "prefix").returncode == 1
        assert victim.exists()


def test_link_flags_are_never_empty(prefix: Path, compile_c: Compile) -> None:
    """pkg-config prints nothing for a file that it does not find, and the path would be empty."""
    moved = prefix.rename(prefix.with_name("moved"))
    flags = run(moved / "bin/bobbin", "--link-flags")
    assert flags.returncode == 0
    assert f"-Wl,-rpath,{moved}/lib/bobbin " in flags.stdout
    program = compile_c("team.c", *flags.stdout.split())
    assert f"maps {moved}/lib/libbobbin.so.1" in run(program).stdout
    assert "libbobbin" not in run("readelf", "-d", program).stdout  # it runs without Bobbin, too
    (moved / "lib/libbobbin.so.1").unlink()
    broken = run(moved / "bin/bobbin", "--link-flags")
    assert (broken.returncode, broken.stdout) == (125, "")


def anchors(document: Path) -> set[str]:
    """The anchors that GitHub makes of headings."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_of_installed_documents_hold(prefix: Path) -> None:
    documents = list((prefix / "share/doc/bobbin").rglob("*.md"))
    assert len(documents) > 10
    for document in documents:
        for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
            if link.startswith(("http://", "https://")):
                continue
            path, _, anchor = link.partition("#")
            target = document.parent / path if path else document
            assert target.is_file(), (document, link)
            assert not anchor or anchor in anchors(target), (document, link)


def test_no_build_path_stays_in_the_binaries(prefix: Path) -> None:
    for name in ("bin/bobbin", "lib/libbobbin.so.1", "lib/bobbin/libgomp.so.1"):
        tags = run("readelf", "-dW", prefix / name).stdout
        assert "build/" not in tags


def test_installed_lab_uses_what_lies_beside_it(prefix: Path) -> None:
    python = {"BOBBIN_LAB_PYTHON": sys.executable}
    result = run(prefix / "bin/bobbin", "lab", "run", "list", **python)
    assert result.returncode == 0, result.stderr
    assert "bobbin lab run quick" in result.stdout
    (prefix / "libexec/bobbin/bench/region").unlink()
    result = run(prefix / "bin/bobbin", "lab", "run", "quick", **python)
    assert result.returncode == 125
    assert f"{prefix}/libexec/bobbin/bench/region is missing" in result.stderr


def test_installed_commands_need_nothing_of_the_source_tree(
    prefix: Path, tmp_path: Path, build: Path, compile_c: Compile
) -> None:
    # As `make install` makes it, but without the downloads.
    (prefix / "share/bobbin/venv").symlink_to(Path(sys.executable).parents[1])
    bobbin, program = prefix / "bin/bobbin", compile_c("team.c", "-fopenmp")
    assert "fiber" in run(bobbin, "env", cwd=tmp_path).stdout
    assert run(bobbin, "doctor", program, cwd=tmp_path).returncode == 0
    few = ("--runtimes", "gomp,bobbin", "--threads", "1", "--reps", "1")
    calm = ("--retries", "0", "--quiet-wait", "0")
    result = run(
        bobbin, "lab", "run", "parallel", *few, *calm, "-o", "r", "--report", "r.html", cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr
    lines = (tmp_path / "r").read_text()
    assert f"{prefix}/lib/" in lines
    assert f"{prefix}/libexec/bobbin/bench/region" in lines
    assert str(build) not in lines
    assert "empty parallel region" in (tmp_path / "r.html").read_text()


def test_lab_without_its_packages_says_what_to_do(prefix: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    assert run("python3", "-m", "venv", "--without-pip", bare).returncode == 0
    result = run(prefix / "bin/bobbin", "lab", "run", BOBBIN_LAB_PYTHON=str(bare / "bin/python"))
    assert result.returncode == 125
    assert f"pip install -r {prefix}/share/bobbin/lab/requirements.txt" in result.stderr
    assert "make lab" not in result.stderr


def test_incomplete_installation_is_said(prefix: Path) -> None:
    (prefix / "lib/bobbin/bobbin-libiomp5.so").unlink()
    result = run(prefix / "bin/bobbin", "run", "true")
    assert result.returncode == 125
    assert "incomplete" in result.stderr
