# SPDX-License-Identifier: Apache-2.0
"""bobbin lab simulate, on graphs of which it is known how long they take."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from command import lab

from bobbin_lab import places
from bobbin_lab.simulation import made
from bobbin_lab.simulation.costs import CostError, Costs, changed, words_of
from bobbin_lab.simulation.simulator import Outcome, Rules, SimulationError, outcomes_of

USUAL = Rules()
FREE = Costs(0, 0, 0, 0, 0, 0, (0,), (0,), (0,))
MACHINE = "pack:2 l3:2 core:4 pu:1"  # 16 processors


def simulated(
    folder: Path,
    name: str,
    processors: int,
    costs: Costs = FREE,
    rules: Rules = USUAL,
    **given: int,
) -> Outcome:
    graph = folder / "graph"
    made.make(name, given).write(graph, name)
    (outcome,) = outcomes_of(graph, MACHINE, [processors], [rules], costs)
    assert outcome.idle >= -1e-6 * outcome.time
    total = outcome.work + outcome.overhead + outcome.idle
    assert total == pytest.approx(outcome.time * processors)
    return outcome


@pytest.mark.parametrize("processors", [1, 2, 3, 16])
def test_a_free_tree_takes_the_least_time_there_is(tmp_path: Path, processors: int) -> None:
    outcome = simulated(tmp_path, "tree", processors, depth=10, work=1000)
    work, span = (2**11 - 1) * 1000, 11 * 1000
    assert outcome.work == work
    # Brent: a scheduler that lets nobody idle beside work is at most that far from the best.
    assert max(work / processors, span) <= outcome.time <= work / processors + span
    assert outcome.in_place + outcome.deferred == 2**11 - 2


@pytest.mark.parametrize("processors", [1, 4])
def test_chains_take_their_length(tmp_path: Path, processors: int) -> None:
    outcome = simulated(tmp_path, "chains", processors, chains=16, steps=20, work=500)
    assert outcome.time == 16 / processors * 20 * 500
    # More processors than chains are of no use.
    assert simulated(tmp_path, "chains", 16, chains=2, steps=20, work=500).time == 20 * 500


@pytest.mark.parametrize("processors", [1, 4])
def test_all_chunks_of_a_thread_are_executed(tmp_path: Path, processors: int) -> None:
    """They follow the same node, because they are independent."""
    graph, file = made.Builder(), tmp_path / "graph"
    thread = graph.new_task()
    begin = graph.node(thread, 100)
    chunks = [graph.node(thread, 100, (begin, made.CONTINUATION)) for _ in range(3)]
    graph.node(thread, 100, *((chunk, made.CONTINUATION) for chunk in chunks))
    graph.write(file, "chunks")
    (outcome,) = outcomes_of(file, MACHINE, [processors], [USUAL], FREE)
    assert (outcome.work, outcome.time) == (500, 500)


def test_costs_are_those_that_were_given(tmp_path: Path) -> None:
    costs = changed(FREE, ["in_place=10", "defer=30", "begin=7"])
    outcome = simulated(tmp_path, "tree", 1, costs, depth=8, work=100)
    # The first task of all is there from the start.
    deferred = outcome.deferred
    assert outcome.overhead == outcome.in_place * 10 + deferred * 30 + (deferred + 1) * 7
    assert outcome.in_place + deferred == 2**9 - 2


def test_a_counter_is_one_line_and_a_tree_is_not(tmp_path: Path) -> None:
    costs = changed(FREE, ["transfer=100"])
    few = {"regions": 1, "threads": 16, "work": 1000}
    counter = simulated(tmp_path, "regions", 16, costs, Rules(join="counter"), **few)
    tree = simulated(tmp_path, "regions", 16, costs, Rules(join="tree"), **few)
    assert counter.time == 1000 + 16 * 100
    assert tree.time == 1000 + 100


def test_thieves_stay_near(tmp_path: Path) -> None:
    costs = changed(Costs(), ["steal=100:200:400"])
    given = {"depth": 14, "work": 300}
    near = simulated(tmp_path, "tree", 16, costs, Rules("nearest"), **given)
    flat = simulated(tmp_path, "tree", 16, costs, Rules("number"), **given)
    share = [o.thefts[0] / sum(o.thefts) for o in (near, flat)]
    assert len(near.thefts) == 3
    assert share[0] > share[1]


def test_what_recording_has_added_is_taken_away(tmp_path: Path) -> None:
    costs = changed(FREE, ["recording=40"])
    outcome = simulated(tmp_path, "tree", 1, costs, depth=8, work=100)
    assert outcome.work == outcome.time == (2**9 - 1) * 60


def test_a_program_is_simulated_and_run(tmp_path: Path) -> None:
    """The times are of a machine that others load, so only their presence is asked for."""
    program = shlex.join([places.program("fib"), "n=24", "cutoff=manual", "depth=6"])
    answer = tmp_path / "a.json"
    few = ("--processors", "1,1000", "--order", "number", "--machine", "core:1000 pu:1")
    done = lab(
        "simulate", "--program", program, "--measure-costs", *few, "--reps", "1",
        "--json", answer, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Measured here: --cost in_place=[\d.]+ ", done.stdout)
    told = json.loads(answer.read_text())
    assert list(told["measured"]) == ["1"]  # there is no machine for the other number
    assert told["measured"]["1"] > 0
    assert told["costs"]["transfer"][0] > 0
    assert [outcome["processors"] for outcome in told["outcomes"]] == [1, 1000]


def test_measured_costs_are_words_of_the_command_line() -> None:
    costs = changed(Costs(), ["in_place=4.5", "steal=1:2:3"])
    words = [word for word in words_of(costs) for word in word.split() if word != "--cost"]
    assert changed(FREE, words) == costs


def test_the_command_tells_and_draws(tmp_path: Path) -> None:
    picture, answer = tmp_path / "p.svg", tmp_path / "a.json"
    few = ("--processors", "1,8", "--machine", MACHINE)
    done = lab(
        "simulate", "tree", "depth=8", *few, "--picture", picture, "--json", answer, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SIMULATED" in done.stdout
    outcomes = json.loads(answer.read_text())["outcomes"]
    assert [(o["processors"], o["rules"]["order"]) for o in outcomes] == [
        (1, "nearest"),
        (1, "number"),
        (8, "nearest"),
        (8, "number"),
    ]
    assert "ideal" in picture.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no_such_file",), "no_such_file"),
        (("tree", "width=3"), "depth, work"),
        (("tree", "depth=many"), "name=number"),
        (("tree", "--machine", "core:2 pu:1", "--processors", "64"), "64 processors"),
        (("tree", "--processors", "0"), "numbers of processors"),
        (("--processors", "1"), "--program"),
        (("--program", "no_such_program"), "could not be recorded"),
        (("tree", "--order", "random"), "nearest or number"),
        (("tree", "--cost", "theft=3"), "in_place, defer"),
        (("tree", "--cost", "steal=far"), "nanoseconds"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = lab("simulate", *words, cwd=tmp_path)
    assert done.returncode == 125
    # The messages are folded to the terminal's width.
    assert said in " ".join(done.stderr.replace("│", " ").split()), done.stderr


def test_damaged_graphs_are_refused(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    made.make("tree", {"depth": 3}).write(graph, "tree")
    whole = graph.read_bytes()
    nodes = whole.index(b"\n") + 1
    many = whole.replace(b'"nodes": 43', b'"nodes": 4000000000000', 1)
    assert many != whole
    task = whole[: nodes + 4] + b"\xff" * 4 + whole[nodes + 8 :]
    for damaged in (
        *(whole[:-4], whole[:40], b"no graph\n", whole[:-8] + b"\xff" * 8),
        *(many, task),
    ):
        graph.write_bytes(damaged)
        with pytest.raises(SimulationError, match=r"is (damaged|no task graph)"):
            outcomes_of(graph, MACHINE, [1], [Rules()], FREE)


def test_costs_are_checked() -> None:
    assert changed(Costs(), ["steal=1:2", "defer=5"]).steal == (1, 2)
    for wrong in ("defer", "defer=", "defer=1:2", "defer=-1", "unknown=1"):
        with pytest.raises(CostError):
            changed(Costs(), [wrong])
