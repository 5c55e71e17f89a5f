# SPDX-License-Identifier: Apache-2.0
"""Models of a user's own program, of two parameters, and of other tools' measurements."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from command import CALM, lab

from bobbin_lab.measure.own_program import Argument, Wanted, thread_numbers
from bobbin_lab.model.two import choose
from bobbin_lab.places import program

P = (1, 2, 4, 8, 16)
N = (10, 20, 40, 80, 160)
LAWS = {
    "5": lambda p, n: 5.0 + 0 * p,
    "p": lambda p, n: 1 + 2.0 * p,
    "n² log₂ n": lambda p, n: 3 + 0.1 * n**2 * np.log2(n),
    "p n": lambda p, n: 2 + 0.3 * p * n,
    "n³": lambda p, n: 2 + 1e-3 * n**3 + 0 * p,
}


def grid() -> tuple[np.ndarray, np.ndarray]:
    places = np.array(list(itertools.product(P, N)), dtype=float)
    return places[:, 0], places[:, 1]


@pytest.mark.parametrize("term", LAWS)
def test_laws_of_two_parameters_are_found(term: str) -> None:
    x, y = grid()
    noise = 1 + 0.01 * np.random.default_rng(1).standard_normal(len(x))
    text = choose(x, y, LAWS[term](x, y) * noise).text(("p", "n"))
    assert text.endswith(f" {term}") or (term == "5" and "+" not in text), text


def test_a_sum_is_told_from_a_product() -> None:
    x, y = grid()
    surface = choose(x, y, 1 + 2 * x + 0.5 * y)
    assert surface.text(("p", "n")) == "1 + 2 p + 0.5 n"
    assert surface(np.array([32.0]), np.array([320.0])) == pytest.approx(1 + 64 + 160)


def test_too_few_values_of_a_parameter_are_refused() -> None:
    x, y = grid()
    with pytest.raises(ValueError, match="4 values of each"):
        choose(x[x < 8], y[x < 8], y[x < 8])


def test_numbers_of_threads() -> None:
    assert thread_numbers("1..16") == (1, 2, 3, 4, 6, 8, 12, 16)
    assert thread_numbers("2..5") == (2, 3, 4, 5)
    assert thread_numbers("1,2,9") == (1, 2, 9)


def test_the_argument_stands_where_it_is_named_or_last() -> None:
    argument = Argument("n", ("10",))
    assert Wanted(("p", "-s", "{n}"), (1,), (), argument).command("10") == ("p", "-s", "10")
    assert Wanted(("p",), (1,), (), argument).command("10") == ("p", "n=10")


def test_csv_of_one_parameter(tmp_path: Path) -> None:
    lines = ["figure,threads,value", *(f"solve,{t},{1 + 2 * t}" for t in (*P, 32))]
    (tmp_path / "m.csv").write_text("\n".join(lines) + "\n")
    done = lab("model", "m.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 + 2 t" in done.stdout
    assert "linear" in done.stdout


def test_json_lines_of_extrap(tmp_path: Path) -> None:
    lines = [
        {
            "params": {"p": p, "n": n},
            "callpath": "main->solve",
            "metric": "time",
            "value": 1 + p * n,
        }
        for p in P
        for n in N
        for _ in range(2)
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = lab("model", "m.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "main->solve time" in done.stdout
    assert "1 + 1 p n" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("threads,time\n1,2\n", "no column 'value'"),
        ("threads,value\nmany,2\n", "cannot be read"),
        ("value\n2\n", "one or two parameters"),
        ("threads,value\n", "holds no measurements"),
        ("threads,value\n1,2\n", "needs 5 values"),
    ],
)
def test_csv_that_cannot_be_used_is_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "m.csv").write_text(text)
    done = lab("model", "m.csv", cwd=tmp_path)
    assert done.returncode == 125
    assert said in done.stderr


def test_a_program_of_ones_own(tmp_path: Path) -> None:
    command = f"{program('region')} op=parallel seconds=0.001"
    words = ("--program", command, "--threads", "1,2,3,4,5", "--reps", "1", *CALM, "-o", "r.jsonl")
    done = lab("model", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "op=parallel" in done.stdout
    assert "bobbin" in done.stdout
    assert "Results: r.jsonl" in done.stdout
    assert "... left" not in done.stdout  # nothing is known before the first run
    again = lab("model", "r.jsonl", cwd=tmp_path)
    assert again.returncode == 0, again.stderr


def test_a_program_with_an_argument(tmp_path: Path) -> None:
    words = ("--threads", "1,2,3,4", "--arg", "n=8,9,10,11", "--reps", "1", *CALM)
    done = lab("model", "--program", program("fib"), *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Models of two parameters" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "few"), "--threads 1..16"),
        (("--threads", "1..4"), "5 numbers of --threads"),
        (("--threads", "1,2,3,4,4"), "5 numbers of --threads"),
        (("--threads", "1..3", "--arg", "n=1,2,3,4"), "4 numbers of --threads and 4 of --arg"),
        (("--arg", "n=1,2,3,3.0"), "4 numbers of --threads and 4 of --arg"),
        (("--arg", "n"), "--arg wants"),
        (("--arg", "n=1", "--arg", "m=2"), "two parameters at most"),
    ],
)
def test_wrong_words_are_told(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = lab("model", "--program", "true", *words, cwd=tmp_path)
    assert done.returncode == 125
    assert said in " ".join(done.stderr.split())
