# SPDX-License-Identifier: Apache-2.0
"""Runs of a case, and their order."""

import os
import select
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import PATIENCE_S

from bobbin_lab.experiments.plan import Case, Experiment
from bobbin_lab.host.noise import CpuClock, Noise, Patience
from bobbin_lab.measure.execute import parse_readings, run_case
from bobbin_lab.measure.schedule import Settings, run_experiment, turns
from bobbin_lab.output.tables import number, with_section
from bobbin_lab.results.records import Reading
from bobbin_lab.runtimes import Runtime

PLAIN = Runtime("gomp", "libgomp")


def shell(script: str, **options: object) -> Case:
    return Case("c", "gomp", ("sh", "-c", script), **options)  # type: ignore[arg-type]


def test_metrics_are_read_from_their_lines_only() -> None:
    text = "tree=T3 nodes=4\nmetric=a_us value=0.47 unit=us\nvalue=3\nmetric=b value=1e3 unit=s\n"
    assert parse_readings(text) == [Reading("a_us", 0.47, "us"), Reading("b", 1000.0, "s")]


def test_labels_tell_figures_of_one_metric_apart() -> None:
    text = "metric=t_us value=1 unit=us thread=0 at=end\nmetric=t_us value=2 unit=us thread=1\n"
    names = [reading.name(("at", "thread")) for reading in parse_readings(text)]
    assert names == ["t_us{at=end,thread=0}", "t_us{thread=1}"]
    assert [reading.name(()) for reading in parse_readings(text)] == ["t_us", "t_us"]


def test_what_a_program_does_not_find_is_no_error() -> None:
    sample = run_case(shell("echo 'check=skipped what=\"no Taskflow\"'"), PLAIN, PATIENCE_S)
    assert (sample.error, sample.skipped, sample.readings) == (None, "no Taskflow", ())


def test_a_run_yields_its_metrics_and_its_cost() -> None:
    sample = run_case(shell("echo metric=x value=2 unit=s"), PLAIN, PATIENCE_S)
    assert sample.error is None
    assert sample.metrics["x"] == 2
    assert sample.metrics["wall_s"] > 0


def test_copies_run_at_once_and_are_averaged() -> None:
    # Each waits for a file of the other, so they end only when both run at the same time.
    script = (
        'cd "$WHERE" && : >$$ && until [ $(ls | wc -l) = 2 ]; do :; done && echo metric=x value=$$'
    )
    import tempfile

    with tempfile.TemporaryDirectory() as where:
        sample = run_case(shell(script, copies=2, env={"WHERE": where}), PLAIN, PATIENCE_S)
    assert sample.error is None
    assert sample.metrics["x"] > 0


def test_a_failure_says_how_and_its_last_line() -> None:
    assert run_case(shell("echo why; exit 3"), PLAIN, PATIENCE_S).error == "exit 3: why"
    assert run_case(shell("kill -SEGV $$"), PLAIN, PATIENCE_S).error == "SIGSEGV: "
    assert run_case(shell("kill -35 $$"), PLAIN, PATIENCE_S).error == "signal 35: "


@pytest.mark.parametrize("value", ["0.93,", "nan", "-inf", ""])
def test_a_figure_that_is_no_number_is_an_error(value: str) -> None:
    sample = run_case(shell(f"echo metric=x_us value={value} unit=us"), PLAIN, PATIENCE_S)
    assert (sample.error, sample.readings) == (f"x_us is no number: {value}", ())


def test_nothing_is_read_into_the_words_of_a_program_of_the_users() -> None:
    script = "echo metric=acc value=0.93, check=1; echo check=skipped"
    sample = run_case(shell(script, reports=False), PLAIN, PATIENCE_S)
    assert (sample.error, sample.skipped) == (None, None)
    assert sample.metrics.keys() == {"wall_s", "cpu_s"}


def test_a_probe_of_the_processors_that_hangs_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = subprocess.run

    def soon(*words: object, timeout: float, **options: object) -> object:
        return run(*words, timeout=min(timeout, 0.2), **options)  # type: ignore[call-overload]

    (tmp_path / "processors").write_text("#!/bin/sh\nexec sleep 100\n")
    (tmp_path / "processors").chmod(0o755)
    monkeypatch.setattr("bobbin_lab.measure.execute.PROGRAMS", tmp_path)
    monkeypatch.setattr(subprocess, "run", soon)
    sample = run_case(shell("true"), PLAIN, PATIENCE_S)
    assert (sample.error, sample.noise.transfer_ns) == (None, None)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """Returns a named pipe and its reading end. The end is reached when no process can write any
    more.
    """
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # nobody writes yet
    os.set_blocking(reader, True)
    yield path, reader
    os.close(reader)


def hanging(path: Path) -> Case:
    """It reports its start, and the end of its child if both survive what should end them."""
    return shell(f"exec >{path}; (echo started; sleep 600; echo outlived) & wait")


def until_started(reader: int) -> None:
    select.select([reader], [], [])
    assert os.read(reader, 100) == b"started\n"


def test_a_hang_is_ended_with_all_it_started(
    pipe: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, reader = pipe

    def expire(timer: threading.Timer) -> None:
        until_started(reader)
        timer.function()

    monkeypatch.setattr(threading.Timer, "run", expire)
    assert run_case(hanging(path), PLAIN, PATIENCE_S).error == "timed out"
    assert os.read(reader, 100) == b""


def test_a_time_limit_is_kept() -> None:
    assert run_case(shell("sleep 100"), PLAIN, 0.3).error == "timed out"


def test_an_interrupt_at_the_start_ends_what_was_started(
    pipe: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, reader = pipe
    start, timers = threading.Timer.start, list[threading.Timer]()

    def start_and_be_interrupted(timer: threading.Timer) -> None:
        start(timer)
        timers.append(timer)
        until_started(reader)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Timer, "start", start_and_be_interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_case(hanging(path), PLAIN, PATIENCE_S)
    assert os.read(reader, 100) == b""
    # Nothing is left for which the interpreter would wait.
    (timer,) = timers
    assert timer.finished.is_set()
    timer.join()


def test_a_wrong_output_is_an_error() -> None:
    case = shell("echo 41", verify=lambda text: None if "42" in text else "not 42")
    assert run_case(case, PLAIN, PATIENCE_S).error == "not 42"


def test_threads_reach_the_program() -> None:
    case = shell("echo metric=n value=$OMP_NUM_THREADS", threads=7)
    assert run_case(case, PLAIN, PATIENCE_S).metrics["n"] == 7


def test_outer_settings_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "99")
    monkeypatch.setenv("KMP_BLOCKTIME", "1")
    case = shell('test -z "$OMP_NUM_THREADS$KMP_BLOCKTIME"')
    assert run_case(case, PLAIN, PATIENCE_S).error is None


def test_every_round_runs_every_case_and_a_failed_one_no_more() -> None:
    cases = (
        Case("good", "gomp", ("true",)),
        Case("bad", "gomp", ("false",)),
        Case("absent", "omp", ("true",)),
    )
    settings = Settings(rounds=4, retries=0)
    runs = run_experiment(Experiment("e", cases, ()), {"gomp": PLAIN}, settings)
    assert Counter(run.case for run in runs) == {"good": 4, "bad": 1}


def test_what_is_done_is_not_repeated() -> None:
    cases = (Case("a", "gomp", ("true",)), Case("b", "gomp", ("true",)))
    experiment = Experiment("e", cases, ())
    settings = Settings(rounds=3, retries=0)
    every = list(run_experiment(experiment, {"gomp": PLAIN}, settings))
    again = list(run_experiment(experiment, {"gomp": PLAIN}, settings, done=every[:4]))
    assert [run.identity for run in again] == [run.identity for run in every[4:]]
    assert not list(run_experiment(experiment, {"gomp": PLAIN}, settings, done=every))


def test_the_order_differs_from_round_to_round_and_only_the_seed_decides_it() -> None:
    cases = tuple(Case(name, "gomp", ("true",)) for name in "abcdef")
    settings = Settings(rounds=4)
    order = [t.case.name for t in turns(Experiment("e", cases, ()), ["gomp"], settings)]
    rounds = ["".join(order[i : i + 6]) for i in range(0, 24, 6)]
    assert len(set(rounds)) > 1
    assert all(sorted(one) == list("abcdef") for one in rounds)
    assert order == [t.case.name for t in turns(Experiment("e", cases, ()), ["gomp"], settings)]


def test_foreign_work_is_what_the_machine_did_besides() -> None:
    stat = "cpu  {} 0 100 5000 7 0 0 {} 0 0\n"
    start = CpuClock.parse(stat.format(1000, 0), wall=10.0)
    end = CpuClock.parse(stat.format(1200, 10), wall=12.0)
    noise = Noise.between(start, end, own_cpu=1.5)
    assert noise.foreign_ticks == pytest.approx(50)
    assert noise.foreign > 0
    assert noise.stolen > 0
    assert not noise.calm()


# Processor 1 was busy only with the work of others.
STAT = """cpu  900 0 0 5000 7 0 0 900 0 0
cpu0 1 2 3 2500 7 0 0 4 0 0
cpu1 881 0 0 0 0 0 0 889 0 0
cpu2 0 0 1 2500 0 3 2 5 0 0
intr 1 2 3
"""


@pytest.mark.parametrize(
    ("processors", "busy", "stolen"),
    [
        ({0}, 6, 4),
        ({0, 2}, 12, 9),
        ({0, 1, 2}, 893, 898),
        ({4, 5, 6}, 900, 900),  # renumbered, as in some containers: all that are listed
    ],
)
def test_work_on_other_processors_than_the_usable_ones_is_not_counted(
    processors: set[int], busy: int, stolen: int
) -> None:
    clock = CpuClock.parse(STAT, 1.0, processors)
    tick = 1 / os.sysconf("SC_CLK_TCK")
    assert (clock.busy, clock.stolen) == pytest.approx((busy * tick, stolen * tick))


@pytest.mark.parametrize(
    ("value", "text"), [(0.4712, "0.471"), (12.345, "12.3"), (137.2, "137"), (12230.4, "12,230")]
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_a_section_is_replaced_between_its_marks() -> None:
    document = "a\n<!-- t -->\nold\n<!-- /t -->\nb\n"
    assert with_section(document, "t", "new\n") == "a\n<!-- t -->\nnew\n<!-- /t -->\nb\n"
    with pytest.raises(ValueError, match="no section x"):
        with_section(document, "x", "new")


def test_patience_ends_on_a_machine_that_is_never_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    quiet = False

    def wait(limit: float) -> bool:
        waits.append(limit)
        return quiet

    monkeypatch.setattr("bobbin_lab.host.noise.wait_until_quiet", wait)
    patience = Patience(8)
    assert not any(patience.wait() for _ in range(3))
    quiet = True
    assert patience.wait()
    assert patience.wait()
    assert waits == [8, 4, 2, 1, 8]
