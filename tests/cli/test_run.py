# SPDX-License-Identifier: Apache-2.0
"""bobbin run: which programs it starts, in which environment, and what it refuses."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest
from conftest import NAMES, PRELOADED, Compile, clang_library, run

KERNEL_ELF_MACHINE_OFFSET = 18
EM_AARCH64 = 183
EM_X86_64 = 62


def write_executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_program_runs_on_bobbin_and_loads_no_libgomp(
    bobbin: Path, library: Path, compat: Path, compile_c: Compile
) -> None:
    program = compile_c("team.c", "-fopenmp")
    bare = run(program, OMP_NUM_THREADS="3")
    assert "libgomp" in bare.stdout
    assert "libbobbin" not in bare.stdout

    result = run(bobbin, "run", program, OMP_NUM_THREADS="3")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert "threads 3" in lines
    assert (
        f"served by {compat.parent}/../libbobbin.so.1" in lines or f"served by {library}" in lines
    )
    mapped = {line.split()[1] for line in lines if line.startswith("maps ")}
    assert {Path(path).name for path in mapped} <= {"libbobbin.so.1", *PRELOADED}
    assert all(Path(path).is_relative_to(library.parent) for path in mapped)


QUESTIONS = [
    "threads",
    "max_threads",
    "priority",
    "cancellation",
    "schedule",
    "teams",
    "places",
    "format",
    "from_bound_thread",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_program_sets_variables_before_its_first_use(
    bobbin: Path, compile_c: Compile, question: str
) -> None:
    result = run(bobbin, "run", compile_c("own_settings.c", "-fopenmp"), question)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["1" if question == "cancellation" else "7"]


def test_python_program_sets_variables_before_it_imports(bobbin: Path) -> None:
    """Without a preload the import would be the first to load its OpenMP library."""
    program = "import ctypes, os; os.environ['OMP_NUM_THREADS'] = '7';"
    program += "print(ctypes.CDLL('libgomp.so.1').omp_get_max_threads())"
    result = run(bobbin, "run", sys.executable, "-c", program)
    assert result.stdout.split() == ["7"], result.stderr


def test_program_without_openmp_is_told_nothing(bobbin: Path) -> None:
    result = run(bobbin, "run", "/bin/true", OMP_NUM_THREADS="many", OMP_DISPLAY_ENV="true")
    assert (result.returncode, result.stderr) == (0, "")


def test_one_runtime_by_the_names_of_files(bobbin: Path, compile_c: Compile) -> None:
    """threadpoolctl takes each of these for a runtime, and warns if the last two are in one
    process.
    """
    lines = run(bobbin, "run", compile_c("team.c", "-fopenmp")).stdout.splitlines()
    files = {Path(line.split()[1]).name for line in lines if line.startswith("maps ")}
    assert {file for file in files if file.startswith(("libgomp", "libomp", "libiomp"))} == {
        "libgomp.so.1"
    }


def test_bobbin_comes_before_libc_in_the_search_order(bobbin: Path, compile_c: Compile) -> None:
    result = run(bobbin, "run", compile_c("team.c", "-fopenmp"))
    yields = [line for line in result.stdout.splitlines() if line.startswith("yields by")]
    assert len(yields) == 1
    assert yields[0].endswith("libbobbin.so.1")


def test_copy_behind_an_rpath_is_displaced(
    bobbin: Path, compile_c: Compile, system_libgomp: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(system_libgomp, own / "libgomp.so.1")
    program = compile_c("team.c", "-fopenmp", "-Wl,--disable-new-dtags", f"-Wl,-rpath,{own}")
    assert f"maps {own}/libgomp.so.1" in run(program).stdout
    assert str(own) not in run(bobbin, "run", program).stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_displaced(
    bobbin: Path, library: Path, compile_c: Compile, tmp_path: Path, name: str
) -> None:
    own = compile_c("names_library.c", "-shared", "-fPIC", f"-Wl,-soname,{name}", name=name)
    linked = compile_c("names.c", own, f"-Wl,-rpath,{tmp_path}")
    bare = run(linked)
    assert "-1 processors" in bare.stdout
    assert f"maps {own}" in bare.stdout

    result = run(bobbin, "run", linked)
    assert result.returncode == 0, result.stderr
    assert "-1 processors" not in result.stdout
    assert f"maps {own}" not in result.stdout

    # By dlopen, as MKL opens libiomp5.so: the directory does not matter without a slash.
    opened = run(bobbin, "run", linked, name, LD_LIBRARY_PATH=str(tmp_path))
    assert re.search(rf"{re.escape(name)} leads to .*/libbobbin.so.1", opened.stdout), opened.stdout
    assert f"maps {own}" not in opened.stdout


def test_clang_program_runs_on_bobbin(bobbin: Path, clang: str, tmp_path: Path) -> None:
    program = tmp_path / "team"
    source = Path(__file__).parent / "programs/team.c"
    built = run(clang, "-O1", "-fopenmp", source, "-o", program)
    assert built.returncode == 0, built.stderr
    result = run(bobbin, "run", "-n", "3", program)
    assert result.returncode == 0, result.stderr
    assert "threads 3" in result.stdout.splitlines()
    mapped = {Path(line.split()[1]).name for line in result.stdout.splitlines() if "maps " in line}
    assert mapped <= {"libbobbin.so.1", *PRELOADED}


def test_libomptarget_offloads_as_ever(bobbin: Path, clang: str, tmp_path: Path) -> None:
    """The host as a device of its own, by libomptarget's plug-in for it."""
    library = clang_library(clang, "libomptarget.so")
    program = tmp_path / "offload"
    source = Path(__file__).parent / "programs/offload.c"
    target = run(clang, "-dumpmachine").stdout.strip()
    built = run(
        clang, "-O1", "-fopenmp", f"-fopenmp-targets={target}", source, "-o", program,
        f"-Wl,-rpath,{library.parent}",
    )  # fmt: skip
    if built.returncode != 0:
        pytest.skip(f"{clang} cannot offload to the host: {built.stderr}")
    bare = run(program)
    served = run(bobbin, "run", program)
    assert served.returncode == 0, served.stderr
    assert served.stdout == bare.stdout


def test_host_has_the_number_that_libomptarget_gives_it(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    exports = tmp_path / "exports.map"
    exports.write_text("VERS1.0 { omp_get_*; };\n")
    library = compile_c("devices.c", "-DLIBRARY", "-shared", "-fPIC",
                        f"-Wl,--version-script={exports}", name="libdevices.so")  # fmt: skip
    program = compile_c("devices.c", "-fopenmp", "-ldl")
    output = run(bobbin, "run", program, library).stdout
    assert output.splitlines() == [
        "host 2 of 2",
        "memory 1, of another device 0",
        "copied 1, present 1",
    ]


def test_copy_under_a_mangled_name_is_interposed(
    bobbin: Path, compile_c: Compile, system_libgomp: Path, tmp_path: Path
) -> None:
    mangled = tmp_path / "prog.libs/libgomp-a34b3233.so.1.0.0"
    mangled.parent.mkdir()
    program = compile_c("team.c", "-fopenmp", f"-Wl,-rpath,{mangled.parent}")
    rename_needed(program, "libgomp.so.1", mangled.name, system_libgomp, mangled)
    assert f"served by {mangled}" in run(program).stdout

    result = run(bobbin, "run", program)
    assert result.returncode == 0, result.stderr
    assert f"maps {mangled}" in result.stdout
    assert f"served by {mangled}" not in result.stdout


def rename_needed(program: Path, old: str, new: str, library: Path, copy: Path) -> None:
    """The result of wheel tools that use patchelf, made by linking against the renamed library."""
    shutil.copy(library, copy)
    source = program.parent / "team.c"
    shutil.copy(Path(__file__).parent / "programs/team.c", source)
    stub = program.parent / "stub" / new
    stub.parent.mkdir()
    exports = program.parent / "stub.map"
    exports.write_text(
        "OMP_1.0 { omp_get_num_threads; };\nGOMP_1.0 { GOMP_single_start; GOMP_barrier; };\n"
        "GOMP_4.0 { GOMP_parallel; };\n"
    )
    code = program.parent / "stub.c"
    code.write_text(
        "void omp_get_num_threads(void) {}\nvoid GOMP_single_start(void) {}\n"
        "void GOMP_barrier(void) {}\nvoid GOMP_parallel(void) {}\n"
    )
    compiler = os.environ.get("CC", "gcc")
    result = run(
        compiler, "-shared", "-fPIC", code, "-o", stub, f"-Wl,-soname,{new}",
        f"-Wl,--version-script={exports}",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    objects = program.with_suffix(".o")
    assert run(compiler, "-fopenmp", "-O1", "-c", source, "-o", objects).returncode == 0
    result = run(compiler, objects, stub, "-o", program, f"-Wl,-rpath,{copy.parent}")
    assert result.returncode == 0, result.stderr
    assert old not in run("readelf", "-d", program).stdout


def test_arguments_pass_unchanged(bobbin: Path, compile_c: Compile) -> None:
    words = ["-n", "7", "--help", "--", "--wait=active", "", "a b", "0"]
    program = compile_c("words.c")
    for separator in ([], ["--"], ["-n", "2"], ["-n2", "--"], ["--display-env", "--"]):
        result = run(bobbin, "run", *separator, program, *words)
        assert result.stdout.splitlines()[1:] == words, separator


def test_exit_status_and_signals_are_the_programs(bobbin: Path, compile_c: Compile) -> None:
    assert run(bobbin, "run", compile_c("words.c"), "42").returncode == 42
    killed = run(bobbin, "run", "sh", "-c", "kill -TERM $$")
    assert killed.returncode == -signal.SIGTERM


@pytest.mark.parametrize(
    ("option", "variable", "value"),
    [
        (["-n", "5"], "OMP_NUM_THREADS", "5"),
        (["--threads", "4,2"], "OMP_NUM_THREADS", "4,2"),
        (["--provider", "kernel"], "BOBBIN_PROVIDER", "kernel"),
        (["--wait", "passive"], "OMP_WAIT_POLICY", "passive"),
        (["--bind", "close"], "OMP_PROC_BIND", "close"),
        (["--places", "cores(2)"], "OMP_PLACES", "cores(2)"),
        (["--stacksize", "8m"], "OMP_STACKSIZE", "8m"),
        (["--display-env"], "OMP_DISPLAY_ENV", "true"),
        (["--display-env=verbose"], "OMP_DISPLAY_ENV", "verbose"),
    ],
)
def test_option_sets_its_variable_over_the_users(
    bobbin: Path, option: list[str], variable: str, value: str
) -> None:
    result = run(bobbin, "run", *option, "printenv", variable, **{variable: "from the user"})
    assert result.stdout.strip() == value


@pytest.mark.parametrize(
    "options", [["-n", "0x4"], ["-n", "4,"], ["-n", ","], ["--provider", "green"], ["--bogus"], []]
)
def test_bad_options_are_bobbins_failure(bobbin: Path, options: list[str]) -> None:
    program = ["true"] if options else []
    result = run(bobbin, "run", *options, *program)
    assert result.returncode == 125
    assert result.stderr


EMPTY = [(option, "") for option in ("-n", "--wait", "--places", "--bind", "--stacksize")]
LACKING = [(f"{option}=",) for option in ("--places", "--wait", "--display-env")]


@pytest.mark.parametrize("options", [*EMPTY, *LACKING, ("-n2", "--dry-run", "--bind=")])
def test_option_with_an_empty_value_is_refused(bobbin: Path, options: tuple[str, ...]) -> None:
    """The user's variable would stay in force, or the next word would be taken for the value."""
    name = next(word for word in reversed(options) if word).replace("-n", "--threads")
    for command in (["run", *options, "echo", "true"], ["env", *options]):
        result = run(bobbin, *command, OMP_PLACES="sockets")
        assert (result.returncode, result.stdout) == (125, ""), command
        assert name in result.stderr
    # The words of a program belong to the program.
    printed = run(bobbin, "run", "printf", "[%s]", *options).stdout
    assert printed == "".join(f"[{word}]" for word in options)


def test_users_preload_stays_and_bobbin_is_added_once(bobbin: Path, preloads: str) -> None:
    nested = run(bobbin, "run", bobbin, "run", "printenv", "LD_PRELOAD", LD_PRELOAD="libm.so.6")
    assert nested.stdout.strip() == f"{preloads}:libm.so.6"


def test_dry_run_prints_a_command_that_works(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("words.c", name="with 'odd' name")
    printed = run(bobbin, "run", "--dry-run", "-n", "3", program, "a b", "$HOME", "0").stdout
    assert "OMP_NUM_THREADS=3" in printed
    again = run("sh", "-c", printed)
    assert again.stdout.splitlines() == [str(program), "a b", "$HOME", "0"]


def test_missing_program(bobbin: Path, tmp_path: Path) -> None:
    assert run(bobbin, "run", "no-such-program-anywhere").returncode == 127
    assert run(bobbin, "run", tmp_path / "nothing").returncode == 127
    write_executable(tmp_path / "here", "#!/bin/sh\n")
    hint = run(bobbin, "run", "here", cwd=tmp_path)
    assert hint.returncode == 127
    assert "./here" in hint.stderr


def test_what_is_no_program(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello\n")
    for target in (tmp_path, tmp_path / "text"):
        assert run(bobbin, "run", target).returncode == 126


def test_program_that_cannot_be_reached(bobbin: Path, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    result = run(bobbin, "run", "./loop", cwd=tmp_path)
    assert result.returncode == 126
    assert "cannot be reached" in result.stderr


def test_static_program_is_refused(bobbin: Path, compile_c: Compile) -> None:
    result = run(bobbin, "run", compile_c("words.c", "-static"))
    assert result.returncode == 126
    assert "statically linked" in result.stderr


def test_shared_library_is_no_program(bobbin: Path, compile_c: Compile) -> None:
    library = compile_c("names_library.c", "-shared", "-fPIC", name="libnames.so")
    result = run(bobbin, "run", library)
    assert result.returncode == 126
    assert "shared library" in result.stderr


@pytest.mark.parametrize("flags", [(), ("-s",)], ids=["whole", "stripped"])
def test_static_libgomp_is_refused(
    bobbin: Path, compile_c: Compile, static_libgomp: Compile, flags: tuple[str, ...]
) -> None:
    # A library with these letters in its name is not an OpenMP library: no preload replaces the
    # libgomp in the program.
    name = "libXcomposite.so.1"
    other = compile_c("names_library.c", "-shared", "-fPIC", f"-Wl,-soname,{name}", name=name)
    for more in ((), ("-Wl,--push-state,--no-as-needed", other, "-Wl,--pop-state")):
        result = run(bobbin, "run", static_libgomp("team.c", *flags, *more))
        assert result.returncode == 126, more
        assert "statically linked libgomp" in result.stderr


def test_stripped_program_that_needs_libgomp_is_started(bobbin: Path, compile_c: Compile) -> None:
    assert run(bobbin, "run", compile_c("team.c", "-fopenmp", "-s")).returncode == 0


def test_foreign_architecture_is_named(bobbin: Path, tmp_path: Path) -> None:
    image = bytearray(Path("/bin/true").resolve().read_bytes())
    foreign = EM_AARCH64 if image[KERNEL_ELF_MACHINE_OFFSET] == EM_X86_64 else EM_X86_64
    image[KERNEL_ELF_MACHINE_OFFSET] = foreign
    program = tmp_path / "foreign"
    program.write_bytes(image)
    program.chmod(0o755)
    result = run(bobbin, "run", program)
    assert result.returncode == 126
    assert ("AArch64" if foreign == EM_AARCH64 else "x86-64") in result.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_setuid_program_is_refused(bobbin: Path, tmp_path: Path) -> None:
    program = tmp_path / "setuid"
    shutil.copy(Path("/bin/true").resolve(), program)
    os.chown(program, 65534, 65534)
    program.chmod(0o4755)
    result = run(bobbin, "run", program)
    assert result.returncode == 126
    assert "setuid" in result.stderr


@pytest.mark.parametrize("sanitizer", ["address", "thread", "leak"])
def test_program_of_a_sanitizer(bobbin: Path, compile_c: Compile, sanitizer: str) -> None:
    """Their libraries call what Bobbin interposes before the C library is initialised; one wants to be the first."""
    program = compile_c("team.c", "-fopenmp", f"-fsanitize={sanitizer}")
    settings = {"OMP_NUM_THREADS": "3", "TSAN_OPTIONS": "report_bugs=0"}
    if run(program, **settings).returncode != 0:
        pytest.skip("it does not run by itself")
    result = run(bobbin, "run", program, **settings)
    assert result.returncode == 0, result.stderr
    assert "threads 3" in result.stdout.splitlines()
    assert "served by" in result.stdout
    assert "libbobbin" in result.stdout


@pytest.mark.parametrize("word", ["walk", "--walk"])
def test_unknown_command_is_named(bobbin: Path, word: str) -> None:
    result = run(bobbin, word)
    assert result.returncode == 125
    assert word in result.stderr


@pytest.mark.parametrize(("words", "hint"), [
    (("runn",), "did you mean run?"),
    (("docter", "x"), "did you mean doctor?"),
    (("run", "--thread", "4", "true"), "did you mean --threads?"),
    (("run", "--plcaes=cores", "true"), "did you mean --places?"),
    (("run", "OMP_NUM_THREADS=4", "./p", "a b"), "come first: OMP_NUM_THREADS=4 bobbin run ./p 'a b'"),
    (("run", "A=1", "OMP_DYNAMIC=true"), "come first: A=1 OMP_DYNAMIC=true bobbin run PROGRAM"),
    (("run", "simulate", "a b"), "bobbin run ./simulate 'a b'\n"),
    (("run", "sk.py", "3"), "bobbin run python3 sk.py 3\n"),
    (("run", "./sk.py"), "bobbin run python3 ./sk.py\n"),
    (("record", "./p"), "this is bobbin run --span --record GRAPH PROGRAM"),
    (("span", "simulate"), "bobbin run ./simulate\n"),
    (("trace",), "bobbin run: which program?"),
    (("profile", "./absent"), "'./absent' is neither a program nor a folder with recordings"),
])  # fmt: skip
def test_slip_gets_a_hint(bobbin: Path, tmp_path: Path, words: tuple[str, ...], hint: str) -> None:
    write_executable(tmp_path / "simulate", "#!/bin/sh\n")
    (tmp_path / "sk.py").write_text("print(1)\n")
    result = run(bobbin, *words, cwd=tmp_path)
    assert result.returncode in (125, 126, 127)
    assert hint in result.stderr
    assert result.stderr.count("./simulate") <= 1
    assert "did you mean" not in run(bobbin, "entirely-else").stderr


WRONG = {
    "-n": ("0", "4,0", "zero", "-1", "4,"),
    "--bind": ("sideways", "close,sideways", "true,close", "close,"),
    "--places": ("sideways", "cores(", "cores(x)", "{a:4}"),
    "--stacksize": ("0", "much", "4x", "-1"),
    "--wait": ("sleepily",),
    "--provider": ("pigeons",),
}
RIGHT = {
    "-n": ("1", "4,2"),
    "--bind": ("true", "FALSE", "spread,close", "yes"),
    "--places": ("cores", "Threads(4)", "{0:4}:2:4", "{0,1},{2,3}", "!{0},0:4", "{!3,0:8}"),
    "--stacksize": ("512k", "64M", "1048576", "2 g"),
}


@pytest.mark.parametrize(
    ("option", "value"), [(o, v) for o, values in WRONG.items() for v in values]
)
@pytest.mark.parametrize("command", ["run", "env"])
def test_value_that_the_runtime_would_ignore_is_an_error(
    bobbin: Path, command: str, option: str, value: str
) -> None:
    result = run(bobbin, command, option, value, *(["true"] if command == "run" else []))
    assert result.returncode == 125
    assert option.strip("-n") in result.stderr


@pytest.mark.parametrize(
    ("option", "value"), [(o, v) for o, values in RIGHT.items() for v in values]
)
def test_value_that_the_runtime_understands_is_taken(bobbin: Path, option: str, value: str) -> None:
    result = run(bobbin, "env", option, value)
    assert result.returncode == 0
    assert "not understood" not in result.stderr


def test_scripts(bobbin: Path, preloads: str, tmp_path: Path) -> None:
    body = 'echo "$LD_PRELOAD"\n'
    for name, head in (("plain", "#!/bin/sh\n"), ("env", "#!/usr/bin/env sh\n"), ("bare", "")):
        script = write_executable(tmp_path / name, head + body)
        assert run(bobbin, "run", script).stdout.strip() == preloads, name
    broken = write_executable(tmp_path / "broken", "#!/no/such/interpreter\n")
    result = run(bobbin, "run", broken)
    assert result.returncode == 126
    assert "/no/such/interpreter" in result.stderr
    # The kernel would report that the script itself is missing.
    written_elsewhere = write_executable(tmp_path / "windows", "#!/bin/sh\r\n" + body)
    result = run(bobbin, "run", written_elsewhere)
    assert result.returncode == 126
    assert "carriage return" in result.stderr
    assert "\r" not in result.stderr


def test_script_for_a_static_interpreter_is_refused(
    bobbin: Path, compile_c: Compile, tmp_path: Path
) -> None:
    interpreter = compile_c("words.c", "-static", name="interpreter")
    script = write_executable(tmp_path / "script", f"#!{interpreter}\n")
    result = run(bobbin, "run", script)
    assert result.returncode == 126
    assert str(interpreter) in result.stderr


def test_relative_program(bobbin: Path, compile_c: Compile) -> None:
    program = compile_c("words.c")
    below = program.parent / "below"
    below.mkdir()
    result = run(bobbin, "run", "../words", "0", cwd=below)
    assert result.stdout.splitlines() == ["../words", "0"]


def test_first_in_path_wins(bobbin: Path, compile_c: Compile, tmp_path: Path) -> None:
    program = compile_c("words.c")
    result = run(bobbin, "run", "words", "0", PATH=f"{program.parent}:{os.environ['PATH']}")
    assert result.stdout.splitlines() == ["words", "0"]


def test_help_and_version(bobbin: Path) -> None:
    assert run(bobbin, "--version").stdout.startswith("bobbin ")
    for words in (["--help"], ["run", "--help"], ["env", "--help"], ["doctor", "--help"]):
        result = run(bobbin, *words)
        assert result.returncode == 0
        assert "Usage: bobbin" in result.stdout
    assert run(bobbin).returncode == 125
