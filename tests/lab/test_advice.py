# SPDX-License-Identifier: Apache-2.0
"""The parts of advise: the user's command, the settings to try, the time for them, and the text."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bobbin_lab.advice import words
from bobbin_lab.advice.allowed import Allowed, parse
from bobbin_lab.advice.asked import Asked, asked
from bobbin_lab.advice.budget import least, plan
from bobbin_lab.advice.candidates import candidates
from bobbin_lab.advice.look import FOLDER, PROBE, Look, Process
from bobbin_lab.advice.recommendation import needs_its_threads, recommend
from bobbin_lab.advice.settings import Setting, as_it_is, environment
from bobbin_lab.advice.trials import Outcome, Trial
from bobbin_lab.runtimes import MissingError, Runtime, known_runtimes

OWN = Runtime("own", "libgomp")
BOBBIN = Runtime("bobbin", "Bobbin")


def look(threads: int, library: str = "/usr/lib/libgomp.so.1") -> Look:
    return Look([Process({threads: 10}, False, library, "")])


def trial(
    times: Sequence[float], runtime: Runtime = OWN, threads: int = 16, **variables: str
) -> Trial:
    first = (times[0], times[0])
    setting = Setting(runtime, variables)
    return Trial(setting, look(threads), first, list(times), list(times))


@pytest.mark.parametrize(
    ("command", "written", "rest"),
    [
        ("./p a=b", {}, "./p a=b"),
        ("env A=1 B='x y' ./p C=2", {"A": "1", "B": "x y"}, "./p C=2"),
        ("/usr/bin/env A=1 -- ./p", {"A": "1"}, "./p"),
        ("A=1 ./p", {"A": "1"}, "./p"),
        ("env -u A ./p", {}, "env -u A ./p"),
        ("env A=1", {}, "env A=1"),
    ],
)
def test_leading_assignments_are_the_users_variables(
    command: str, written: dict[str, str], rest: str
) -> None:
    found = asked(shlex.split(command), {})
    assert (found.written, shlex.join(found.words)) == (written, rest)


def test_only_variables_of_openmp_are_taken_from_the_environment() -> None:
    outer = {"KMP_BLOCKTIME": "0", "HOME": "/", "BOBBIN_LAB_NAMES": "/", "OMP_DYNAMIC": "true"}
    found = asked(["OMP_DYNAMIC=false", "X=1", "./p"], {**outer, "LD_PRELOAD": "mine.so"})
    assert found.openmp == {"KMP_BLOCKTIME": "0", "OMP_DYNAMIC": "false"}
    assert found.variables == {**found.openmp, "X": "1"}
    assert found.preload == "mine.so"


def test_the_command_that_is_advised_can_be_typed() -> None:
    found = Asked(("./a program", "--text=it's", "50 %"), {"OMP_PLACES": "{0},{1}"})
    for runtime, begin in ((OWN, []), (BOBBIN, ["run"])):
        typed = Setting(runtime, {"OMP_DYNAMIC": "true"}).command(found)
        assert typed.startswith("OMP_PLACES='{0},{1}' OMP_DYNAMIC=true ")
        plain = shlex.split(typed)
        assert plain[-len(found.words) - len(begin) :] == [*begin, *found.words]


def tried(found: Asked, now: Look, limits: Allowed, more: bool = False) -> list[str]:
    return [setting.name for setting in candidates(found, now, limits, more)]


def test_numbers_of_threads_are_tried_on_both_runtimes() -> None:
    of_user = Asked(("/bin/sh",), {}, {"OMP_NUM_THREADS": "16,2"})
    assert tried(of_user, look(16), Allowed(8, 3)) == [
        "Bobbin",
        "libgomp OMP_NUM_THREADS=3,2",
        "libgomp OMP_WAIT_POLICY=passive",
        "libgomp OMP_NUM_THREADS=8,2",
        "libgomp OMP_NUM_THREADS=1,2",
        "Bobbin OMP_NUM_THREADS=3,2",
        "Bobbin OMP_NUM_THREADS=8,2",
        "Bobbin OMP_NUM_THREADS=1,2",
    ]
    # Without a quota, and on as many threads as both take by default.
    assert tried(Asked(("/bin/sh",)), look(8), Allowed(8)) == [
        "Bobbin",
        "libgomp OMP_WAIT_POLICY=passive",
        "libgomp OMP_NUM_THREADS=4",
        "libgomp OMP_NUM_THREADS=1",
        "Bobbin OMP_NUM_THREADS=4",
        "Bobbin OMP_NUM_THREADS=1",
    ]


def test_what_the_users_variables_make_void_is_not_tried() -> None:
    for given in ({"GOMP_SPINCOUNT": "0"}, {"OMP_WAIT_POLICY": "passive"}):
        names = tried(Asked(("/bin/sh",), given), look(2), Allowed(2), more=True)
        assert "libgomp OMP_WAIT_POLICY=passive" not in names
        assert "Bobbin OMP_DYNAMIC=true" in names


def test_a_program_on_bobbin_is_not_put_on_it_again() -> None:
    now = look(2, "/usr/lib/libbobbin.so.1")
    assert tried(Asked(("/bin/sh",)), now, Allowed(2)) == [
        "Bobbin OMP_NUM_THREADS=1",
        "Bobbin OMP_WAIT_POLICY=passive",
    ]
    assert "without Bobbin" in tried(Asked(("/bin/sh",), on_bobbin=True), now, Allowed(2))


def test_what_is_missing_to_tell_a_programs_libraries_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="apt-get install binutils"):
        candidates(Asked(("/bin/sh",)), look(2), Allowed(2), True)


def test_the_quota_is_taken_from_what_bobbin_reports() -> None:
    report = "NAME          VALUE  FROM\naffinity mask  8      system\ncgroup quota   {}   system\n"
    assert parse(report.format("none")) == Allowed(8)
    limited = parse(report.format("3"))
    assert (limited, limited.threads, limited.limited) == (Allowed(8, 3), 3, True)
    assert Allowed(2, 3).threads == 2
    assert not Allowed(2, 3).limited


def test_without_bobbin_is_the_first_rival_of_bobbin() -> None:
    now = look(2, "/usr/lib/libbobbin.so.1")
    assert tried(Asked(("/bin/sh",), on_bobbin=True), now, Allowed(4))[0] == "without Bobbin"


def test_a_budget_takes_settings_before_rounds() -> None:
    settings = [Setting(OWN, {"A": str(i)}) for i in range(7)]
    whole = plan(settings, 5, 1, 100)
    assert whole is not None
    assert (len(whole.settings), whole.rounds, whole.runs, whole.left_out) == (7, 5, 41, 0)
    fewer = plan(settings, 5, 1, 20)
    assert fewer is not None
    assert (len(fewer.settings), fewer.rounds, fewer.left_out) == (3, 5, 4)
    more = plan(settings, 9, 1, 60)
    assert more is not None
    assert (len(more.settings), more.rounds, more.wanted) == (7, 7, 9)
    least_of_all = plan(settings, 5, 10, least(10))
    assert least_of_all is not None
    assert (len(least_of_all.settings), least_of_all.rounds) == (2, 1)
    assert plan(settings, 5, 10, least(10) - 1) is None
    for made in (whole, fewer, least_of_all):
        assert made.seconds <= 100


TWO = Allowed(2)


def said(trials: list[Trial], limits: Allowed = TWO) -> str:
    outcome = Outcome(trials, 5)
    found = recommend(outcome)
    assert found is not None
    return " ".join(words.conclusion(outcome, found, limits, Asked(("./p",))))


FAST = [0.5, 0.51, 0.5, 0.49, 0.5]
SLOW = [1.0, 1.1, 0.9, 1.0, 1.05]


def test_advice_says_when_it_may_be_chance() -> None:
    near = trial([0.96, 1.1, 0.9, 0.95, 1.0], OMP_DYNAMIC="true")
    far = trial(FAST, BOBBIN)
    usual = trial(SLOW)
    assert "may be chance" in said([usual, near])
    assert "Run it on Bobbin: 2 times as fast (95 % interval" in said([usual, far])
    assert "leave it as it is" in said([usual, trial([3.0] * 5)])
    assert "by 4 timed runs of each. It takes 5 to be sure" in said(
        [usual, trial(FAST[:4], BOBBIN)]
    )
    far.untrusted = 3
    assert "disturbed the runs" in said([usual, far])
    assert recommend(Outcome([Trial(Setting(OWN), error="x"), far])) is None


def which(*trials: Trial) -> str:
    return " ".join(words.which_is_faster(Outcome(list(trials), 5)))


def on_bobbin(times: Sequence[float], **variables: str) -> Trial:
    made = trial(times, BOBBIN, 16, **variables)
    made.look = look(16, "/usr/lib/libbobbin.so.1")
    return made


def test_the_first_sentence_tells_which_is_faster() -> None:
    usual = trial(SLOW)
    assert which(usual, trial(FAST, OMP_NUM_THREADS="2")) == ""
    text = which(usual, on_bobbin(FAST))
    assert text.startswith("With what you have set, Bobbin is 2.00x faster than libgomp (1.")
    assert text.endswith("with 50% less processor time.")
    assert "Bobbin is 2.00x slower than libgomp (" in which(trial(FAST), on_bobbin(SLOW))
    assert "100% more processor time" in which(trial(FAST), on_bobbin(SLOW))
    assert "it is not sure whether Bobbin is faster" in which(usual, on_bobbin(SLOW))
    few = which(usual, on_bobbin(FAST[:4]))
    assert "Bobbin takes 0.5 times as long as libgomp, by too few runs" in few
    # The user's own setting may be the one on Bobbin.
    assert "is 2.00x faster than libgomp" in which(
        on_bobbin(FAST), trial(SLOW, Runtime("own", "without Bobbin"))
    )


def test_fewer_threads_are_not_advised_where_they_were_slower() -> None:
    slower = [2.0] * 5
    all_threads = [trial(SLOW), on_bobbin(SLOW)]
    two = trial(slower, OMP_NUM_THREADS="2")
    slow, fast = (on_bobbin(times, OMP_NUM_THREADS="2") for times in (slower, FAST))
    assert needs_its_threads(Outcome([*all_threads, two]), TWO)
    assert needs_its_threads(Outcome([*all_threads, two, slow]), TWO)
    assert not needs_its_threads(Outcome([*all_threads, two, fast]), TWO)
    assert not needs_its_threads(Outcome(all_threads), TWO)


def test_the_best_of_many_is_not_fastest_by_chance() -> None:
    """22 settings without any difference."""
    rng, sure = np.random.default_rng(1), 0
    for _ in range(60):
        times = [list(1 + 0.05 * abs(rng.standard_normal(5))) for _ in range(22)]
        trials = [trial(t, A=str(i)) if i else trial(t) for i, t in enumerate(times)]
        found = recommend(Outcome(trials))
        sure += found is not None and found.sure
    assert sure <= 1


def test_of_equals_the_simpler_is_advised() -> None:
    trials = [
        trial(SLOW),
        trial(FAST, OMP_NUM_THREADS="2"),
        trial([t - 0.01 for t in FAST], BOBBIN),
    ]
    found = recommend(Outcome(trials))
    assert found is not None
    assert found.best is trials[1]


def test_the_cause_is_told() -> None:
    usual, bobbin = trial(SLOW), trial(FAST, BOBBIN)
    fewer = trial([0.7] * 5, threads=2, OMP_NUM_THREADS="2")
    text = said([usual, fewer, bobbin])
    assert "16 threads share 2 processors, and those that wait keep others from working" in text
    assert "Without Bobbin, 1.43 times as fast: OMP_NUM_THREADS=2 ./p" in text
    usual = trial(SLOW, threads=2)
    text = said([usual, trial(FAST, threads=1, OMP_NUM_THREADS="1")], Allowed(2, 1))
    assert "2 threads share the time of 1 processor, because the cpu quota" in text
    assert "libgomp starts one for each of the 2 processors" in text
    assert "Run it with 1 thread: 2 times as fast" in text
    assert "It uses 1 of 2 processors" in said(
        [trial(SLOW, threads=1), trial(FAST, threads=2, OMP_NUM_THREADS="2")]
    )


def test_of_a_program_on_bobbin_the_line_has_bobbin() -> None:
    found = asked(["bobbin", "run", "-n", "3", "/bin/sh"], {})
    assert (found.words, found.written) == (("/bin/sh",), {"OMP_NUM_THREADS": "3"})
    typed = as_it_is(found).command(found)
    assert shlex.split(typed)[0] == "OMP_NUM_THREADS=3"
    assert shlex.split(typed)[-2:] == ["run", "/bin/sh"]


def test_bobbin_is_put_under_a_program_as_bobbin_run_does_it() -> None:
    preloaded = known_runtimes(of="/bin/sh")["bobbin"].preload
    assert [path.name for path in preloaded] == [
        "libgomp.so.1",
        "bobbin-libomp.so.5",
        "bobbin-libomp.so",
        "bobbin-libiomp5.so",
    ]
    # The library that counts regions comes before it, and the user's preloads come after it.
    found = Asked(("/bin/sh",), {"OMP_DYNAMIC": "true"}, {}, "mine.so")
    setting = Setting(known_runtimes(of="/bin/sh")["bobbin"], {"OMP_NUM_THREADS": "2"})
    given = environment(setting, found, Path("/folder"))
    assert given["LD_PRELOAD"].split(":") == [str(PROBE), *map(str, preloaded), "mine.so"]
    assert (given["OMP_DYNAMIC"], given["OMP_NUM_THREADS"], given[FOLDER]) == (
        "true",
        "2",
        "/folder",
    )
    timed = environment(setting, found)
    assert timed["LD_PRELOAD"].split(":") == [*map(str, preloaded), "mine.so"]
    assert FOLDER not in timed
