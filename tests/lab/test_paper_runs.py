# SPDX-License-Identifier: Apache-2.0
"""Every paper's command runs, at tiny sizes, and shows each figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tiny import tiny
from typer.testing import CliRunner

from bobbin_lab.app import app
from bobbin_lab.experiments.plan import Case
from bobbin_lab.measure import execute
from bobbin_lab.measure.execute import Sample
from bobbin_lab.papers import PAPERS, work
from bobbin_lab.papers.declared import RIVALS, Figure, Models, Table, Words
from bobbin_lab.runtimes import Runtime, parted


@pytest.fixture(autouse=True)
def _in_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bobbin and its presets, tiny programs, and one number of threads, but for models."""
    run_case = execute.run_case

    def run_tiny(case: Case, runtime: Runtime, timeout: float, probe: bool = True) -> Sample:
        return run_case(tiny(case), runtime, timeout, probe)

    present = work._present

    def ours(words: Sequence[str]) -> list[str]:
        """Those of Bobbin, but for figures that show only others."""
        found = present(words)
        return [word for word in found if parted(word)[0] not in RIVALS[:-1]] or found

    monkeypatch.setattr(execute, "run_case", run_tiny)
    monkeypatch.setattr(execute, "probe_processors", dict)
    monkeypatch.setattr(work, "_present", ours)
    usual = Figure.threads_at

    def few(figure: Figure, quick: bool) -> tuple[int, ...]:
        found = usual(figure, quick)
        # A point that is lost in the noise has no part in a model.
        return found if isinstance(figure.shown, Models) else found[-1:]

    monkeypatch.setattr(Figure, "threads_at", few)


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["paper", name, "--quick", "--reps", "1", "--quiet-wait", "0", "--retries", "0"]
    done = CliRunner().invoke(app, [*words, "-o", "r.jsonl"])
    assert done.exit_code == 0, done.output
    pictures = {path.name for path in (tmp_path / "r").iterdir()}
    said = " ".join(done.output.split())  # a narrow table breaks its title
    for figure in PAPERS[name].figures:
        assert f"{figure.spoken}: {figure.title}"[:40] in said
        if isinstance(figure.shown, Words | Table) or (
            isinstance(figure.shown, Models) and not figure.shown.pictures
        ):
            continue
        assert any(file.startswith(f"{PAPERS[name].mark(figure)}") for file in pictures)
