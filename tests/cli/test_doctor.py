# SPDX-License-Identifier: Apache-2.0
"""bobbin doctor: finds what ld.so would find, and says correctly what is served."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import PROGRAMS, Compile, clang_library, run


def examined(output: str) -> int:
    match = re.search(r"(\d+) ELF files? examined", output)
    assert match is not None, output
    return int(match.group(1))


@pytest.mark.parametrize("program", ["/bin/true", "/usr/bin/gcc", "/usr/bin/cmake", sys.executable])
def test_finds_as_many_libraries_as_the_dynamic_linker(
    bobbin: Path, program: str, tmp_path: Path
) -> None:
    real = Path(program).resolve()
    if real.name.startswith("python"):
        # Its packages would count too. Under another name it is just a program.
        real = Path(shutil.copy(real, tmp_path / "interpreter"))
    interpreter = re.search(r"interpreter: (\S+)\]", run("readelf", "-l", real).stdout)
    assert interpreter is not None
    listing = run(interpreter.group(1), "--list", real).stdout.splitlines()
    libraries = [line for line in listing if "vdso" not in line and "not found" not in line]
    assert examined(run(bobbin, "doctor", real).stdout) == len(libraries) + 1


def test_served_program(bobbin: Path, compile_c: Compile) -> None:
    result = run(bobbin, "doctor", compile_c("team.c", "-fopenmp"))
    assert result.returncode == 0, result.stdout
    assert "libgomp.so.1 (GNU)" in result.stdout
    assert "displaced" in result.stdout
    assert "Bobbin serves all of it" in result.stdout


def test_program_that_is_linked_to_bobbin_needs_no_run(
    bobbin: Path, compat: Path, compile_c: Compile
) -> None:
    """Bobbin is not in its own way, whatever the name under which it is linked."""
    by_name = compile_c("team.c", "-fopenmp", f"-Wl,-rpath,{compat.parent}")
    include = Path(__file__).parents[2] / "include"
    lib = compat.parent.parent
    own = compile_c("native.c", f"-I{include}", f"-L{lib}", "-lbobbin", f"-Wl,-rpath,{lib}")
    for program, name in ((by_name, "libgomp.so.1"), (own, "libbobbin.so.1")):
        result = run(bobbin, "doctor", program)
        assert result.returncode == 0, result.stdout
        assert f"{name} (Bobbin)" in result.stdout
        assert "displaced" not in result.stdout
        assert result.stdout.count("found at") == 1
        assert "It runs on Bobbin by itself" in result.stdout


def test_symbols_are_listed_with_versions(bobbin: Path, compile_c: Compile) -> None:
    output = run(bobbin, "doctor", "--symbols", compile_c("team.c", "-fopenmp")).stdout
    assert re.search(r"served +GOMP_parallel@GOMP_4\.0", output)
    assert re.search(r"served +omp_get_num_threads@OMP_1\.0", output)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_inlined_parts_are_told(
    bobbin: Path,
    compile_c: Compile,
    cache: dict[str, str],
    compiler: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    name = "gcc" if compiler == "gcc" else request.getfixturevalue("clang")
    program = tmp_path / "fib"
    command = (bobbin, "cc", f"--cc={name}", "-fopenmp", PROGRAMS / "fib_tasks.c", "-o", program)
    assert run(*command, **cache).returncode == 0
    output = run(bobbin, "doctor", program).stdout
    assert "inlined into fib (bobbin cc, version 1)" in output
    assert "inlined into" not in run(bobbin, "doctor", compile_c("team.c", "-fopenmp")).stdout


def test_program_without_openmp(bobbin: Path) -> None:
    result = run(bobbin, "doctor", "/bin/true")
    assert result.returncode == 0
    assert "no OpenMP" in result.stdout


def test_openacc_is_not_served(bobbin: Path, compile_c: Compile) -> None:
    result = run(bobbin, "doctor", compile_c("openacc.c", "-fopenmp"))
    assert result.returncode == 1
    assert re.search(r"NOT SERVED +acc_get_device_type", result.stdout)


def test_another_vendors_runtime_is_named(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    library = compile_c(
        "kmp_library.c", "-shared", "-fPIC", "-Wl,-soname,libomp.so.5", name="libomp.so.5"
    )
    program = compile_c("kmp_user.c", library, f"-Wl,-rpath,{tmp_path}")
    result = run(bobbin, "doctor", program)
    assert result.returncode == 1
    assert "libomp.so.5 (LLVM)" in result.stdout
    assert "NOT SERVED __kmpc_not_an_entry_point_of_any_runtime" in result.stdout


def build_by(clang: str, output: Path, *words: str | Path) -> Path:
    result = run(clang, "-O1", "-fopenmp", *words, "-o", output)
    assert result.returncode == 0, result.stderr
    return output


def test_mixture_is_told(bobbin: Path, compile_c: Compile, clang: str, tmp_path: Path) -> None:
    gnu = compile_c("team.c", "-fopenmp", "-shared", "-fPIC", name="libgnu.so")
    assert "mixes" not in run(bobbin, "doctor", gnu).stdout
    program = build_by(
        clang,
        tmp_path / "mixed",
        PROGRAMS / "team.c",
        "-Wl,--no-as-needed",
        gnu,
        f"-Wl,-rpath,{tmp_path}",
    )
    result = run(bobbin, "doctor", program)
    assert result.returncode == 0, result.stdout
    assert "libgomp.so.1 (GNU)" in result.stdout
    assert "libomp.so.5 (LLVM)" in result.stdout
    assert result.stdout.count("displaced") == 2
    assert "It mixes code of GCC with code of LLVM's or Intel's compilers" in result.stdout
    assert "libgnu.so (GCC's): " in result.stdout
    assert "mixed (LLVM's or Intel's): " in result.stdout


def test_libomptarget_keeps_its_own(bobbin: Path, clang: str, tmp_path: Path) -> None:
    library = clang_library(clang, "libomptarget.so")
    source = tmp_path / "device.c"
    source.write_text(
        "void* omp_target_alloc(unsigned long, int);\nint main(void) { return omp_target_alloc(1, 0) == 0; }\n"
    )
    program = build_by(clang, tmp_path / "device", source, library, f"-Wl,-rpath,{library.parent}")
    output = run(bobbin, "doctor", "--symbols", program).stdout
    assert re.search(r"served +omp_target_alloc@VERS1.0 \(by libomptarget", output), output


@pytest.mark.parametrize("flags", [(), ("-s",)], ids=["whole", "stripped"])
def test_static_copy_is_found(
    bobbin: Path, static_libgomp: Compile, flags: tuple[str, ...]
) -> None:
    result = run(bobbin, "doctor", static_libgomp("team.c", *flags))
    assert result.returncode == 1
    assert "statically" in result.stdout


def test_the_command_itself_contains_no_runtime(bobbin: Path) -> None:
    """It contains the mark by which a stripped program with libgomp inside is recognised."""
    result = run(bobbin, "doctor", bobbin)
    assert result.returncode == 0, result.stdout
    assert "no OpenMP" in result.stdout


def make_wheel(compile_c: Compile, libgomp: Path, root: Path) -> Path:
    """An unpacked wheel: a module, and beside it a folder with a renamed copy of libgomp."""
    package = root / "pkg"
    libs = root / "pkg.libs"
    package.mkdir(parents=True)
    libs.mkdir()
    name = "libgomp-a34b3233.so.1.0.0"
    stand_in = compile_c(
        "team.c", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-DGOMP_parallel=unused", name=name
    )
    module = compile_c("team.c", "-fopenmp", "-shared", "-fPIC", "-Wl,--no-as-needed", stand_in,
                       "-Wl,-rpath,$ORIGIN/../pkg.libs", name="module.so")  # fmt: skip
    shutil.copy(module, package / "module.cpython-311-x86_64-linux-gnu.so")
    shutil.copy(libgomp, libs / name)
    return root


def test_wheel_directory(
    bobbin: Path, compile_c: Compile, system_libgomp: Path, tmp_path: Path
) -> None:
    wheel = make_wheel(compile_c, system_libgomp, tmp_path / "wheel")
    result = run(bobbin, "doctor", wheel)
    assert result.returncode == 0, result.stdout
    assert "libgomp-a34b3233.so.1.0.0 (GNU)" in result.stdout
    assert str(wheel / "pkg.libs") in result.stdout
    assert "interposed" in result.stdout


def test_dangling_link_does_not_end_the_search(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    package = tmp_path / "package"
    (package / "below").mkdir(parents=True)
    for directory in (package, package / "below"):
        for name in ("liba.so", "libz.so"):
            (directory / name).symlink_to("/no/such/file")
    for number in range(3):
        built = compile_c("team.c", "-fopenmp", "-shared", "-fPIC", name=f"libteam{number}.so")
        built.rename(package / ("below" if number else ".") / built.name)
    result = run(bobbin, "doctor", package)
    for number in range(3):
        assert f"libteam{number}.so" in result.stdout


def test_python_interpreter_packages_are_examined(
    bobbin: Path, compile_c: Compile, system_libgomp: Path, tmp_path: Path
) -> None:
    wheel = make_wheel(compile_c, system_libgomp, tmp_path / "site")
    result = run(bobbin, "doctor", sys.executable, PYTHONPATH=str(wheel))
    assert "libgomp-a34b3233.so.1.0.0 (GNU)" in result.stdout


def test_libraries_of_a_virtual_environment_are_examined(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    """As pip installs MKL and intel-openmp: in a folder from which no package is imported."""
    environment = tmp_path / "venv"
    made = run(sys.executable, "-m", "venv", "--without-pip", environment)
    assert made.returncode == 0, made.stderr
    library = compile_c("team.c", "-fopenmp", "-shared", "-fPIC", name="libshared.so")
    assert "libshared.so" not in run(bobbin, "doctor", environment / "bin/python").stdout
    shutil.copy(library, environment / "lib")
    result = run(bobbin, "doctor", environment / "bin/python")
    assert "libshared.so (GCC's): " in result.stdout


def test_library_path_comes_before_runpath_and_after_rpath(
    bobbin: Path, compile_c: Compile, system_libgomp: Path, tmp_path: Path
) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for directory in (own, other):
        directory.mkdir()
        shutil.copy(system_libgomp, directory / "libgomp.so.1")
    for flag, winner in (("--enable-new-dtags", other), ("--disable-new-dtags", own)):
        program = compile_c("team.c", "-fopenmp", f"-Wl,{flag}", f"-Wl,-rpath,{own}")
        result = run(bobbin, "doctor", program, LD_LIBRARY_PATH=str(other))
        assert f"found at   {winner}/libgomp.so.1" in result.stdout
        assert f"maps {winner}/libgomp.so.1" in run(program, LD_LIBRARY_PATH=str(other)).stdout


def test_missing_library_is_reported(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    library = compile_c(
        "kmp_library.c", "-shared", "-fPIC", "-Wl,-soname,libgone.so.9", name="libgone.so"
    )
    program = compile_c("kmp_user.c", library)
    library.unlink()
    result = run(bobbin, "doctor", program)
    assert "libgone.so.9, needed by kmp_user" in result.stdout


def test_library_that_the_rpath_of_a_loader_finds_is_not_missing(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    """DT_RPATH, unlike DT_RUNPATH, holds for what the module's libraries need, too."""
    shared = ("-shared", "-fPIC", "-Wl,--no-as-needed")
    package, libs = tmp_path / "wheel/pkg", tmp_path / "wheel/pkg.libs"
    for folder in (package, libs):
        folder.mkdir(parents=True)
    lower = compile_c("kmp_library.c", *shared, "-Wl,-soname,liblow.so.1", name="liblow.so.1")
    upper = compile_c("kmp_library.c", *shared, "-Wl,-soname,libup.so.1", lower, name="libup.so.1")
    for tags, is_found in (("--disable-new-dtags", True), ("--enable-new-dtags", False)):
        module = compile_c("kmp_library.c", *shared, upper, f"-Wl,{tags}",
                           "-Wl,-rpath,$ORIGIN/../pkg.libs", name="module.so")  # fmt: skip
        for library, folder in ((lower, libs), (upper, libs), (module, package)):
            shutil.copy(library, folder)
        said = run(bobbin, "doctor", tmp_path / "wheel").stdout
        assert ("liblow.so.1, needed by libup.so.1" not in said) == is_found


def test_script_is_examined_as_its_interpreter(bobbin: Path, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    result = run(bobbin, "doctor", script)
    assert result.returncode == 0
    assert "is a script for /bin/sh" in result.stdout
    # R and many other programs are scripts that start the real program.
    assert "What the script starts is not examined" in result.stdout
    assert "unless it starts other programs" in result.stdout


def test_script_for_a_script_or_for_nothing(bobbin: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("#!/bin/sh\n")
    first.chmod(0o755)
    second.write_text(f"#!{first}\n")
    result = run(bobbin, "doctor", second)
    assert result.returncode == 0
    assert "is a script for /bin/sh" in result.stdout
    second.write_text("#!/no/such/interpreter\n")
    result = run(bobbin, "doctor", second)
    assert result.returncode == 127
    assert "/no/such/interpreter, which is missing" in result.stderr


def test_what_cannot_be_examined(bobbin: Path, tmp_path: Path) -> None:
    assert run(bobbin, "doctor", tmp_path / "nothing").returncode == 127
    text = tmp_path / "text"
    text.write_text("hello\n")
    assert run(bobbin, "doctor", text).returncode == 125
    wheel = tmp_path / "pkg.whl"
    wheel.write_bytes(b"PK")
    assert "unpack" in run(bobbin, "doctor", wheel).stderr
    assert run(bobbin, "doctor").returncode == 125
    (tmp_path / "loop").symlink_to("loop")
    result = run(bobbin, "doctor", "./loop", cwd=tmp_path)
    assert result.returncode == 125
    assert "cannot read ./loop" in result.stderr


def test_pipe_is_not_read(bobbin: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run(bobbin, "doctor", pipe)
    assert result.returncode == 125
    assert "pipe" in result.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_setuid_program_is_not_served(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    program = tmp_path / "setuid"
    shutil.copy(compile_c("team.c", "-fopenmp"), program)
    os.chown(program, 65534, 65534)
    program.chmod(0o4755)
    result = run(bobbin, "doctor", program)
    assert result.returncode == 1
    assert "setuid" in result.stderr


def test_damaged_elf_files_do_no_harm(bobbin: Path, tmp_path: Path) -> None:
    image = Path("/bin/true").resolve().read_bytes()
    damaged = tmp_path / "damaged"
    for end in range(0, len(image), max(1, len(image) // 64)):
        damaged.write_bytes(image[:end])
        assert run(bobbin, "doctor", damaged).returncode in (0, 125), end
    for at in range(0, 4096, 37):
        damaged.write_bytes(image[:at] + b"\xff" * 8 + image[at + 8 :])
        assert run(bobbin, "doctor", damaged).returncode in (0, 1, 125), at
