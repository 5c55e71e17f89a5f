# SPDX-License-Identifier: Apache-2.0
"""A program with more rights than its user takes no code and no file's name from the environment."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import Compile, run

TOOL = """
#include <stdio.h>
void* ompt_start_tool(unsigned version, const char* runtime) {
  printf("the tool of user %d for %s %u\\n", getuid(), runtime, version);
  return NULL;
}
__attribute__((constructor)) static void loaded(void) { puts("loaded"); fflush(stdout); }
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where other users may read."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a program to root")
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv")
    folder = tmp_path_factory.mktemp("privileges")
    for path in (folder, folder.parent, folder.parent.parent):
        path.chmod(0o755)
    return folder


@pytest.fixture
def program(folder: Path, build: Path, compile_c: Compile) -> Path:
    """Linked to Bobbin, because LD_PRELOAD is not for such programs."""
    shutil.copy(build / "lib/compat/libgomp.so.1", folder)
    shutil.copy(build / "lib/libbobbin.so.1", folder)
    # The first: the other's $ORIGIN does not count there.
    libraries = ("-Wl,--no-as-needed", build / "lib/libbobbin.so.1", f"-Wl,-rpath,{folder}")
    program = shutil.copy(compile_c("team.c", "-fopenmp", *libraries), folder)
    shutil.chown(program, "root", "root")
    return Path(program)


def run_as_nobody(program: Path, folder: Path) -> str:
    """What it says, and whether it has written."""
    source = folder / "tool.c"
    source.write_text("#include <unistd.h>\n" + TOOL)
    tool = folder / "tool.so"
    assert run("gcc", "-shared", "-fPIC", source, "-o", tool).returncode == 0
    tool.chmod(0o755)
    log = folder / "log"
    log.unlink(missing_ok=True)
    folder.chmod(0o755)
    as_nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    variables = {
        "OMP_TOOL_LIBRARIES": str(tool),
        "OMP_TOOL_VERBOSE_INIT": str(log),
        "HWLOC_PLUGINS_PATH": str(folder),
        "OMP_NUM_THREADS": "2",
        "BOBBIN_PROVIDER": "fiber",
    }
    result = run(*as_nobody, program, **variables)
    assert result.returncode == 0, result.stderr
    return result.stdout + ("written" if log.exists() else "")


def test_setuid_program(program: Path, folder: Path) -> None:
    program.chmod(0o755)
    assert "loaded" in run_as_nobody(program, folder)
    program.chmod(0o4755)
    said = run_as_nobody(program, folder)
    assert "loaded" not in said
    assert "written" not in said
    program.chmod(0o755)
