# SPDX-License-Identifier: Apache-2.0
"""bobbin lab paper: the figures and tables of a paper, measured here."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bobbin_lab.commands.options import console, must_be_writable
from bobbin_lab.commands.run import say_trust
from bobbin_lab.measure.outlook import spoken
from bobbin_lab.measure.schedule import Settings, turns
from bobbin_lab.measure.session import Work, measure
from bobbin_lab.output.captions import caption
from bobbin_lab.output.tables import fitted
from bobbin_lab.papers import PAPERS, page
from bobbin_lab.papers.declared import Figure, Paper, Words
from bobbin_lab.papers.grids import UNSURE
from bobbin_lab.papers.result import Result, result_of, runs_of
from bobbin_lab.papers.work import suite_of, work_of
from bobbin_lab.results.records import Results, ResultsError, load, rule_of
from bobbin_lab.results.stats import LEAST_SAMPLES


def _list(screen: Console) -> None:
    for paper in PAPERS.values():
        table = Table(title=f"bobbin lab paper {paper.name}", title_justify="left")
        table.add_column("--figure")
        table.add_column("is", overflow="fold")
        for figure in paper.figures:
            table.add_row(figure.number, figure.title)
        screen.print(fitted(table, screen.width))


def _chosen(name: str, number: str) -> tuple[Paper, Sequence[Figure]]:
    if name not in PAPERS:
        raise typer.BadParameter(f"there is no paper {name!r}: one of {', '.join(PAPERS)}")
    paper = PAPERS[name]
    figures = [figure for figure in paper.figures if figure.is_called(number)]
    if not figures:
        known = ", ".join(figure.number for figure in paper.figures)
        raise typer.BadParameter(f"{name} has no figure {number!r}: one of {known}")
    return paper, figures


def _renewed(document: Path, news: dict[str, str]) -> str:
    try:
        return page.renewed(document.read_text(encoding="utf-8"), list(PAPERS.values()), news)
    except (OSError, ValueError) as error:
        raise ResultsError(f"{document}: {error}") from error


def _show(screen: Console, figure: Figure, result: Result) -> None:
    table = Table(title=f"{figure.spoken}: {figure.title}", title_justify="left")
    for heading in result.headings:
        table.add_column(heading, overflow="fold")
    for row in result.rows:
        table.add_row(*row)
    screen.print(fitted(table, screen.width))
    if any(text.endswith(UNSURE) for row in result.rows for text in row):
        screen.print(f"{UNSURE}: fewer than {LEAST_SAMPLES} trusted runs.", style="yellow")
    for text in result.missing:
        screen.print(text, style="yellow", soft_wrap=True)


def _where(paper: Paper, figure: Figure, results: Results, quick: bool) -> str:
    command = page.command_of(paper, figure) + (" --quick" if quick else "")
    if isinstance(figure.shown, Words):
        return f"`{command}`, not measured."
    runs = runs_of(figure, results, quick)
    return f"{caption(command, results, runs)} Medians of {results.sessions[-1].rounds} rounds."


def _publish(
    screen: Console,
    document: Path,
    paper: Paper,
    done: Sequence[tuple[Figure, Result]],
    results: Results,
    quick: bool,
) -> bool:
    """Returns whether everything was fit for it."""
    news = {}
    for figure, result in done:
        if result.sure:
            news[paper.mark(figure)] = result.markdown(
                figure, _where(paper, figure, results, quick)
            )
        else:
            screen.print(
                f"{figure.spoken} is not published: some of its runs failed, or some of its points "
                f"have fewer than {LEAST_SAMPLES} trusted ones.",
                style="red",
            )
    document.write_text(_renewed(document, news), encoding="utf-8")
    return len(news) == len(done)


def _write_pictures(screen: Console, folder: Path, pictures: dict[str, str]) -> None:
    if not pictures:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures.items():
        (folder / name).write_text(svg, encoding="utf-8")
    screen.print(f"Pictures: {folder}", soft_wrap=True)


def _tell_plan(screen: Console, work: Work, path: Path, run_s: float) -> None:
    for name, library in work.session.runtimes.items():
        screen.print(f"runtime {name}: {library}", soft_wrap=True)
    for experiment in work.experiments:
        screen.print(f"{experiment.name}: {len(experiment.cases)} cases", soft_wrap=True)
    runs = sum(1 for e in work.experiments for _ in turns(e, work.runtimes, work.settings))
    rounds = work.settings.rounds
    screen.print(
        f"{runs} runs in {rounds} rounds, about {spoken(runs * run_s)}, into {path}", soft_wrap=True
    )


def _measured(screen: Console, paper: Paper, work: Work, path: Path) -> Results:
    if path.exists() and load(path).sessions[0].suite != suite_of(paper):
        raise ResultsError(f"{path} holds no results of {suite_of(paper)}")
    try:
        trusted = rule_of(load(path).runs if path.exists() else ())
        return measure(work, path, screen, lambda run: trusted(run) or bool(run.error))
    except KeyboardInterrupt:
        if path.exists():
            screen.print(
                "Stopped. To go on, add --resume " + shlex.quote(str(path)), soft_wrap=True
            )
        raise


def paper(
    name: Annotated[str, typer.Argument(metavar="PAPER", help="`list` tells which")] = "list",
    number: Annotated[
        str, typer.Option("--figure", help="or table, as in the paper: 5a, T1; default: all")
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="small sizes: minutes on two processors")
    ] = False,
    reps: Annotated[
        int, typer.Option("--reps", "--rounds", min=1, help="at least 5 to be published")
    ] = 5,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="of the JSON lines")] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with this file; disturbed runs are made again")
    ] = None,
    update: Annotated[
        Path | None,
        typer.Option(help="replace the figures' sections in this document, and their pictures"),
    ] = None,
    quiet_wait: Annotated[float, typer.Option(min=0, help="seconds, for an idle machine")] = 20,
    retries: Annotated[int, typer.Option(min=0, help="of a run that others disturbed")] = 2,
    seed: Annotated[int, typer.Option(help="of the order of the runs")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would be run and for how long; run nothing")
    ] = False,
) -> None:
    """Measure the figures and tables of a paper that Bobbin descends from: tables here, and
    pictures in a folder beside the results. `list --update DOCUMENT` renews the text of the
    sections without measuring.
    """
    screen = console()
    if update is not None:
        must_be_writable(update)
        text = _renewed(update, {})
        if name == "list":
            update.write_text(text, encoding="utf-8")
        elif reps < LEAST_SAMPLES:
            raise typer.BadParameter(f"--update needs at least --reps {LEAST_SAMPLES}")
    if name == "list":
        _list(screen)
        return
    chosen, figures = _chosen(name, number)
    if output is not None and (resume is not None or output.exists()):
        raise typer.BadParameter("--resume FILE goes on with a file, -o begins a new one")
    path = resume or output or Path(f"lab-{name}-{datetime.now():%Y%m%d-%H%M%S}.jsonl")
    settings = Settings(rounds=reps, retries=retries, quiet_wait=quiet_wait, seed=seed)
    work = work_of(chosen, figures, quick, settings)
    if dry_run:
        _tell_plan(screen, work, path, chosen.quick_run_s if quick else chosen.run_s)
        return
    results = _measured(screen, chosen, work, path) if work.experiments else Results()
    say_trust(screen, results)
    folder = path.with_suffix("") if update is None else update.parent / page.PICTURES
    done = []
    for figure in figures:
        result = result_of(chosen, figure, results, quick)
        if result is None:
            screen.print(f"{figure.spoken}: nothing was measured.", style="red")
            continue
        _show(screen, figure, result)
        if update is None or result.sure:
            _write_pictures(screen, folder, result.pictures)
        done.append((figure, result))
    screen.print(f"Results: {path}", soft_wrap=True)
    fit = update is None or _publish(screen, update, chosen, done, results, quick)
    if results.errors() or len(done) < len(figures) or not fit:
        raise typer.Exit(1)
