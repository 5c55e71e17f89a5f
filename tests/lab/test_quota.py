# SPDX-License-Identifier: Apache-2.0
"""Control groups with a cpu quota."""

import os
import subprocess
from pathlib import Path

import pytest
from command import PATIENCE_S

from bobbin_lab.experiments.plan import Case
from bobbin_lab.host import quota
from bobbin_lab.host.quota import Group, Hierarchy, hierarchy, limited
from bobbin_lab.measure.execute import run_case
from bobbin_lab.runtimes import MissingError, Runtime

OPTIONS = "rw,nosuid,nodev,noexec,relatime"


def v1(mount: Path | str, controllers: str) -> str:
    return f"33 32 0:29 / {mount} {OPTIONS} shared:9 - cgroup cgroup rw,{controllers}\n"


def v2(mount: Path | str) -> str:
    return f"41 31 0:38 / {mount} {OPTIONS} - cgroup2 cgroup2 rw,nsdelegate\n"


@pytest.fixture
def unified(tmp_path: Path) -> Path:
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu io memory\n")
    (tmp_path / "cgroup.subtree_control").write_text("")
    return tmp_path


def use(monkeypatch: pytest.MonkeyPatch, found: Hierarchy | None) -> None:
    """Uses folders of plain files instead of the kernel's, whose files vanish with the group."""
    monkeypatch.setattr(quota, "hierarchy", lambda _mountinfo: found)
    do = quota._do

    def as_the_kernel_does(
        rights: tuple[str, ...], command: str, *words: str | Path, given: str = ""
    ) -> None:
        words = ("-r", *words) if command == "rmdir" else words
        do(rights, {"rmdir": "rm"}.get(command, command), *words, given=given)

    monkeypatch.setattr(quota, "_do", as_the_kernel_does)


def test_the_hierarchy_is_the_one_with_the_cpu_controller(unified: Path) -> None:
    other = v1("/sys/fs/cgroup/cpuacct", "cpuacct") + v1("/sys/fs/cgroup/cpuset", "cpuset")
    assert hierarchy(other) is None
    cpu = v1("/sys/fs/cgroup/cpu,cpuacct", "cpu,cpuacct")
    assert hierarchy(other + cpu) == Hierarchy(1, Path("/sys/fs/cgroup/cpu,cpuacct"))
    assert hierarchy(other + v2(unified)) == Hierarchy(2, unified)
    # The other version, mounted beside it, has no such controller.
    (unified / "cgroup.controllers").write_text("pids\n")
    assert hierarchy(v2(unified)) is None
    assert hierarchy(v1("/a\\040b", "cpu")) == Hierarchy(1, Path("/a b"))


def test_a_quota_is_set_as_the_version_has_it(
    monkeypatch: pytest.MonkeyPatch, unified: Path
) -> None:
    use(monkeypatch, Hierarchy(1, unified))
    with limited(0.5) as group:
        assert group.path.name == f"bobbin-lab-{os.getpid()}"
        assert (group.path / "cpu.cfs_period_us").read_text() == "100000\n"
        assert (group.path / "cpu.cfs_quota_us").read_text() == "50000\n"
    assert not group.path.exists()
    use(monkeypatch, Hierarchy(2, unified))
    with limited(1.5) as group:
        assert (unified / "cgroup.subtree_control").read_text() == "+cpu\n"
        assert (group.path / "cpu.max").read_text() == "150000 100000\n"


def test_a_command_joins_the_group_and_becomes_the_program(
    monkeypatch: pytest.MonkeyPatch, unified: Path
) -> None:
    use(monkeypatch, Hierarchy(1, unified))
    with limited(1) as group:
        command = group.enter(("sh", "-c", 'echo $$ "$@"', "x", "a b", "*"))
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        joined = (group.path / "cgroup.procs").read_text().strip()
    assert shown == f"{joined} a b *\n"


def test_where_none_can_be_set_the_user_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, None)
    with pytest.raises(MissingError, match="cpu controller"), limited(1):
        pass
    monkeypatch.setattr(quota, "_rights", lambda _mount: ())
    use(monkeypatch, Hierarchy(1, tmp_path / "none"))
    with pytest.raises(MissingError, match=r"no quota can be set: .*No such file"), limited(1):
        pass
    use(monkeypatch, Hierarchy(2, tmp_path))
    (tmp_path / "cgroup.subtree_control").mkdir()
    with pytest.raises(MissingError, match=r"no quota can be set: .*Is a directory"), limited(1):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["cgroup.subtree_control"]


def test_a_group_that_lets_nobody_in_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, Hierarchy(1, tmp_path))
    monkeypatch.setattr(
        Group, "limit", lambda group, *_words: (group.path / "cgroup.procs").mkdir()
    )
    with pytest.raises(MissingError, match=r"cgroup\.procs"), limited(1):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may without sudo")
@pytest.mark.parametrize("password", ["asked for", "not asked for"])
def test_sudo_is_used_where_it_asks_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, password: str
) -> None:
    """This sudo logs its commands, and lets the user write for the duration of a command."""
    log, programs = tmp_path / "log", tmp_path / "bin"
    programs.mkdir()
    sudo = programs / "sudo"
    mount = tmp_path / "mount"
    mount.mkdir()
    answer = "exit 1" if password == "asked for" else ""
    sudo.write_text(
        f'#!/bin/sh\necho "$*" >>{log}\n{answer}\nwhile [ "${{1#-}}" != "$1" ]; do shift; done\n'
        f'chmod u+w {mount}\n"$@"\nstatus=$?\nchmod u-w {mount}\nexit $status\n'
    )
    sudo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    mount.chmod(0o555)
    use(monkeypatch, Hierarchy(1, mount))
    if password == "asked for":
        with pytest.raises(MissingError, match="Permission denied"), limited(0.5):
            pass
        assert log.read_text() == "-n -k true\n"
    else:
        with limited(0.5) as group:
            assert (group.path / "cpu.cfs_quota_us").read_text() == "50000\n"
            assert "sudo -n tee" in " ".join(group.enter(("true",)))
        assert all(line.startswith("-n ") for line in log.read_text().splitlines())
    assert list(mount.iterdir()) == []


def test_a_run_gets_no_more_than_its_quota() -> None:
    # Half a second of processor time; without a quota it takes that long.
    spin = "import time\nwhile time.process_time() < 0.5: pass\nprint('metric=x value=1 unit=s')"
    case = Case("c", "gomp", ("python3", "-c", spin), quota=0.2)
    try:
        sample = run_case(case, Runtime("gomp", "libgomp"), PATIENCE_S)
    except MissingError as missing:
        pytest.skip(str(missing))
    assert sample.error is None
    # At either end a period's worth may be spent at once.
    assert sample.metrics["wall_s"] > 1.5
    mounts = hierarchy(Path("/proc/self/mountinfo").read_text())
    assert mounts is not None
    assert not (mounts.mount / f"bobbin-lab-{os.getpid()}").exists()
