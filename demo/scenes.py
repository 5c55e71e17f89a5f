# SPDX-License-Identifier: Apache-2.0
"""The scenes of the demonstration: each scene is one program whose result is checked."""

from __future__ import annotations

from dataclasses import dataclass

from bobbin_lab.experiments.pages import prepare_tesseract, tesseract_cases
from bobbin_lab.experiments.plan import Case, Experiment, Figure, Role
from bobbin_lab.places import program

PAGES = 6
LINES = 8


@dataclass(frozen=True)
class Scene:
    title: str
    checked: str
    experiment: Experiment
    shown_on_page: bool = False  # by `bobbin report`


def _on_both(argv: tuple[str, ...]) -> tuple[Case, ...]:
    return (
        Case("gomp", "gomp", argv, role=Role.RIVAL),
        Case("bobbin", "bobbin", argv, role=Role.SUBJECT),
    )


def _scene(title: str, checked: str, cases: tuple[Case, ...], shown_on_page: bool = False) -> Scene:
    figure = Figure(title, "wall_s", "s")
    return Scene(title, checked, Experiment(title, cases, (figure,), timeout=60), shown_on_page)


def scenes() -> list[Scene]:
    prepare_tesseract(PAGES, LINES)
    ocr = tesseract_cases(PAGES, LINES, at_once=2, reference=False)
    return [
        _scene(
            "UTS T3, a task a child",
            "4,112,897 nodes",
            _on_both((program("uts"), "tree=T3", "mode=wait")),
        ),
        _scene(
            "nested teams of 32 in tasks",
            "every team",
            _on_both((program("nested"), "rounds=20")),
        ),
        _scene(
            "Jacobi by dependent tasks",
            "every bit",
            _on_both((program("jacobi"), "sweeps=400")),
            shown_on_page=True,
        ),
        _scene(
            f"Tesseract, {PAGES} pages, two at once",
            "the same text",
            tuple(case for case in ocr if case.runtime != "omp"),
        ),
    ]
