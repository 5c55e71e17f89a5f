# SPDX-License-Identifier: Apache-2.0
"""`bobbin cc` adds what the command line is for: to compile, to link, or nothing."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from conftest import run


class Echo:
    """A compiler that prints its words, once the parts have been compiled by a true one."""

    def __init__(self, folder: Path, true: str, bobbin: Path) -> None:
        self.path = folder / "echo"
        compiled = folder / "compiled"
        self.path.write_text(
            "#!/bin/sh\n"
            f'if [ "$1" = --version ] || ! [ -e {compiled} ]; then exec {true} "$@"; fi\n'
            'printf "%s\\n" "$@"\n'
        )
        self.path.chmod(0o755)
        self.command = (bobbin, "cc", f"--cc={self.path}")
        self.cache = {"XDG_CACHE_HOME": str(folder / "cache")}
        self.cwd = folder
        assert run(bobbin, "cc", "--print-flags", self.path, **self.cache).stderr == ""
        compiled.touch()

    def told(self, words: str) -> tuple[set[str], str]:
        """What is added to these words, and what is said."""
        own = shlex.split(words)
        result = run(*self.command, *own, cwd=self.cwd, **self.cache)
        assert result.returncode == 0
        lines = result.stdout.splitlines()
        assert lines[len(lines) - len(own) :] == own
        added = lines[: len(lines) - len(own)]
        marks = {
            "compile": ("-flto=auto", "-mlink-builtin-bitcode"),
            "link": ("-Wl,--export-dynamic-symbol=bobbin_self_v1",),
            "runpath": tuple(word for word in added if word.startswith("-Wl,-rpath,")),
        }
        return {what for what, words in marks.items() if set(words) & set(added)}, result.stderr


@pytest.fixture(scope="module")
def gnu(tmp_path_factory: pytest.TempPathFactory, bobbin: Path) -> Echo:
    return Echo(tmp_path_factory.mktemp("gnu"), "gcc", bobbin)


@pytest.fixture(scope="module")
def llvm(tmp_path_factory: pytest.TempPathFactory, bobbin: Path, clang: str) -> Echo:
    return Echo(tmp_path_factory.mktemp("llvm"), clang, bobbin)


LINK = {"compile", "link", "runpath"}
OBJECT = {"compile"}
OF_BOTH = {
    "-fopenmp a.c": LINK,
    "-fopenmp a.c -o a": LINK,
    "-fopenmp -shared -fPIC a.c -o a.so": LINK,
    "-fopenmp a.o -o a": LINK,
    "-fopenmp -x c - -o a": LINK,
    "-fopenmp -x c -c - -o a.o": OBJECT,
    "-c a.c -fopenmp -MD -MF a.d -MT a.o -MQ a.o -o a.o": OBJECT,
    "-fopenmp -fno-openmp -c a.c": set(),
    "-c a.c": set(),
    "a.c -o a": set(),
    "-fopenmp-simd a.c": set(),
    # A library's name or file is as good as -fopenmp to link.
    "a.o -lgomp": LINK,
    "a.o -l gomp": LINK,
    "a.o /usr/lib/libgomp.so": LINK,
    "a.o /usr/lib/libomp.so.5": LINK,
    "a.o -liomp5": LINK,
    "a.o -lbobbin": LINK,
    "-lgomp": LINK,
    "-fopenmp -l x -o a": LINK,
    "-c libgomp.c": set(),
    "libomp.c libgomp.o": set(),
    # No input: the words after these options are no files.
    "-fopenmp -v -o x": set(),
    "-fopenmp -I x -L x -x c -include x -isystem x -idirafter x -iquote x -J x": set(),
    "-fopenmp -MF x -MT x -MQ x -T x -u x -z x --param x -D x -U x -e x -B x": set(),
    "-fopenmp -Xlinker x -Xassembler x -Xpreprocessor x -Xclang x -mllvm x": set(),
    "-fopenmp -target x -arch x --sysroot x -imacros x -aux-info x -dumpbase x": set(),
    # Questions.
    "": set(),
    "-fopenmp -dumpmachine a.c": set(),
    "-fopenmp -print-file-name=libgomp.so a.c": set(),
    "-fopenmp --print-search-dirs a.c": set(),
    "-fopenmp --help=warnings a.c": set(),
    # Precompiled headers.
    "-fopenmp a.h -o a.h.gch": OBJECT,
    "-fopenmp -x c++-header a -o a.gch": OBJECT,
    "-fopenmp -xc-header a.c -o a.gch": OBJECT,
    "-fopenmp a.h a.c -o a": LINK,
    "-fopenmp -x c a.h -o a": LINK,
    "-fopenmp -xc++-header a.h -x none b.c -o a": LINK,
    # Neither code nor a program comes of these.
    "-fopenmp -E a.c": set(),
    "-fopenmp -E -": set(),
    "-fopenmp -M a.c": set(),
    "-fopenmp -MM a.c": set(),
    "-fopenmp -fsyntax-only a.c": set(),
    # The arguments of options are none themselves.
    "-fopenmp -o -c a.c": LINK,
    "-fopenmp -Xlinker -static a.c": LINK,
}
# Assembly and merged objects.
OF_GNU = OF_BOTH | {
    "-fopenmp -S a.c": set(),
    "-fopenmp -r a.o b.o -o c.o": set(),
    "-fopenmp -flto a.c": LINK,
    "-fopenmp -fno-lto -flto=2 a.c": LINK,
}
OF_LLVM = OF_BOTH | {
    "-fopenmp -S a.c": OBJECT,
    "-fopenmp -r a.c b.o -o c.o": OBJECT,
    "-fopenmp -Xlinker -r a.c b.o -o c.o": OBJECT,
    "-fopenmp=libomp a.c": LINK,
    "-fopenmp=libiomp5 a.c": LINK,
    "-fopenmp -fno-lto a.c": LINK,
    "-fopenmp -flto=thin -c a.c": OBJECT,
    "-fopenmp -o a -- a.c": LINK,
}


@pytest.mark.parametrize(("words", "added"), OF_GNU.items())
def test_what_is_added_for_gcc(gnu: Echo, words: str, added: set[str]) -> None:
    assert gnu.told(words) == (added, "")


@pytest.mark.parametrize(("words", "added"), OF_LLVM.items())
def test_what_is_added_for_clang(llvm: Echo, words: str, added: set[str]) -> None:
    assert llvm.told(words) == (added, "")


NOT_BY_GNU = {
    "-fopenmp -fno-lto a.c": ("-fno-lto", {"runpath"}),
    "-fopenmp -fno-lto -c a.c": ("-fno-lto", set()),
    "-fopenmp -flto -fno-lto a.c": ("-fno-lto", {"runpath"}),
    "-fopenmp -fno-use-linker-plugin a.c": ("-fno-use-linker-plugin", {"runpath"}),
    "-fopenmp -fuse-ld=lld a.c": ("-fuse-ld=lld", {"runpath"}),
    "-fopenmp -static a.c": ("-static", set()),
    "-fopenmp -static-pie a.c": ("-static-pie", set()),
    "-fopenmp -m32 -c a.c": ("-m32", set()),
    "-fopenmp a.c /usr/lib/libgomp.a": ("libgomp.a", {"runpath"}),
    "-fopenmp a.c -l:libgomp.a": ("libgomp.a", {"runpath"}),
    "-fopenmp a.c -Wl,-Bstatic -lgomp -Wl,-Bdynamic": ("a static libgomp", {"runpath"}),
    "-fopenmp a.c -fsanitize=address -static": ("-fsanitize=address", set()),
}
# What objects need that were compiled without the obstacle is linked.
NOT_BY_LLVM = {
    "-fopenmp=libgomp a.c": ("-fopenmp=libgomp", {"link", "runpath"}),
    "-fopenmp -static a.c": ("-static", {"link"}),
    "-fopenmp -fsanitize=thread -c a.c": ("-fsanitize=thread", set()),
    "-fopenmp --target=arm64 a.c": ("--target=arm64", set()),
    "-fopenmp -target arm64 a.c": ("-target arm64", set()),
    "-fopenmp --offload-arch=sm_80 -c a.c": ("--offload-arch=sm_80", set()),
}


@pytest.mark.parametrize(("words", "expected"), NOT_BY_GNU.items())
def test_what_gcc_cannot_inline(gnu: Echo, words: str, expected: tuple[str, set[str]]) -> None:
    why, added = expected
    line = f"bobbin cc: tasks are not inlined by {gnu.path}: with {why}\n"
    assert gnu.told(words) == (added, line)


@pytest.mark.parametrize(("words", "expected"), NOT_BY_LLVM.items())
def test_what_clang_cannot_inline(llvm: Echo, words: str, expected: tuple[str, set[str]]) -> None:
    why, added = expected
    line = f"bobbin cc: tasks are not inlined by {llvm.path}: with {why}\n"
    assert llvm.told(words) == (added, line)


def test_words_in_response_files(gnu: Echo) -> None:
    inner = gnu.cwd / "inner file"
    (gnu.cwd / "outer").write_text(f"'-fopen'\"mp\" '@{inner}'\n-I\n\t'-c'")
    inner.write_text("-D 'A=\"b c\"'\\ d -o 'x y' a.c\n")
    assert gnu.told("@outer") == (LINK, "")
    inner.write_text("'-'\\c a.c")
    assert gnu.told("@outer") == (OBJECT, "")
    inner.write_text("'a.c -fno-openmp'")
    assert gnu.told("@outer") == (LINK, "")
    inner.write_text("-fno-openmp")
    assert gnu.told("@outer a.c") == (set(), "")
    # Not read, so a file's name, and one that names itself.
    assert gnu.told("-fopenmp @missing") == (LINK, "")
    (gnu.cwd / "self").write_text("-fopenmp -c a.c @self")
    assert gnu.told("@self") == (OBJECT, "")


@pytest.mark.parametrize(
    "words",
    ["--version", "-dumpmachine", "-dumpversion", "-print-search-dirs", "-v", "-###", "--help", ""],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_questions_are_answered_as_by_the_compiler(
    bobbin: Path, request: pytest.FixtureRequest, compiler: str, words: str
) -> None:
    path = shutil.which("gcc") if compiler == "gcc" else request.getfixturevalue("clang")
    assert path
    # Bobbin's own help is the one of the first word.
    asked = ["-fopenmp", *words.split()]
    bare = run(path, *asked)
    same = run(bobbin, "cc", f"--cc={path}", *asked)
    assert (same.returncode, same.stdout, same.stderr) == (
        bare.returncode,
        bare.stdout,
        bare.stderr,
    )
