# SPDX-License-Identifier: Apache-2.0
"""Decides which runs a session makes, and makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from bobbin_lab.arguments import Values
from bobbin_lab.experiments.plan import Experiment
from bobbin_lab.host import machine
from bobbin_lab.host.noise import Patience, load_average
from bobbin_lab.measure.progress import Board
from bobbin_lab.measure.schedule import Settings, Turn, run_experiment, turns
from bobbin_lab.places import LIBRARY, Compiler
from bobbin_lab.results.records import Results, ResultsError, Run, Session, Writer, load
from bobbin_lab.runtimes import Runtime, present, serving_library, usable_runtimes
from bobbin_lab.suites import TABLES, benchmarks, experiments, own_runtimes


@dataclass(frozen=True)
class Request:
    """The user's request."""

    target: str
    runtimes: tuple[str, ...]  # as the user names them; if empty, the installed ones
    threads: tuple[int, ...]  # if empty, the benchmark's own
    compiler: Compiler
    settings: Settings
    only: str = ""
    arguments: Mapping[str, Values] = field(default_factory=dict)  # of the benchmarks

    @staticmethod
    def of(session: Session, settings: Settings) -> Request:
        """The request of the session that began a file: its number of rounds and its order stay."""
        return Request(
            session.suite,
            session.wanted,
            session.threads,
            Compiler(session.compiler),
            Settings(
                rounds=session.rounds,
                retries=settings.retries,
                quiet_wait=settings.quiet_wait,
                seed=session.seed,
            ),
            session.only,
            session.arguments,
        )

    def words(self) -> dict[str, str]:
        """The parameters of `run` that decide which runs are made and in which order."""
        return {
            "target": self.target,
            "runtimes": ",".join(self.runtimes),
            "threads": ",".join(map(str, self.threads)),
            "reps": str(self.settings.rounds),
            "compiler": self.compiler.value,
            "only": self.only,
            "words": " ".join(f"{n}={','.join(v)}" for n, v in self.arguments.items()),
            "seed": str(self.settings.seed),
        }

    def wanted(self) -> Sequence[str]:
        if self.runtimes:
            return self.runtimes
        return own_runtimes(self.target) or present(self.fitting())

    def fitting(self) -> Sequence[str]:
        """The runtimes that it is about, whether they are installed or not."""
        if self.target in TABLES:
            return TABLES[self.target].runtimes
        if own_runtimes(self.target):
            return ()
        if self.compiler.translates:
            return ("bobbin",)
        known = ("gomp", "omp", "iomp", "bobbin")
        return known[1:] if self.compiler is Compiler.CLANG else known


@dataclass(frozen=True)
class Work:
    """What a session measures."""

    session: Session
    experiments: Sequence[Experiment]
    runtimes: Mapping[str, Runtime]
    settings: Settings


@dataclass
class Plan:
    """The request, with everything that it names."""

    request: Request
    runtimes: dict[str, Runtime] = field(default_factory=dict)
    experiments: list[Experiment] = field(default_factory=list)

    def __post_init__(self) -> None:
        request = self.request
        self.runtimes = usable_runtimes(request.wanted(), self.compiler)
        every = experiments(
            request.target,
            list(self.runtimes),
            request.threads or None,
            self.compiler,
            request.arguments,
        )
        self.experiments = [e for e in every if request.only in e.name]
        if not self.experiments:
            raise ResultsError(f"{request.target} has nothing whose name holds {request.only!r}")
        for experiment in self.experiments:
            if experiment.prepare is not None:
                experiment.prepare()

    @property
    def compiler(self) -> Compiler:
        table = TABLES.get(self.request.target)
        return table.compiler if table else self.request.compiler

    def session(self) -> Session:
        request = self.request
        names = {experiment.name for experiment in self.experiments}
        known = (
            []
            if request.target in TABLES
            else benchmarks(request.target, request.arguments, request.compiler)
        )
        return Session(
            suite=request.target,
            runtimes={n: serving_library(r, self.compiler) for n, r in self.runtimes.items()},
            threads=request.threads,
            rounds=request.settings.rounds,
            seed=request.settings.seed,
            benchmarks={b.name: b.info() for b in known if b.name in names},
            machine=machine.describe(),
            wanted=tuple(request.wanted()),
            only=request.only,
            compiler=self.compiler.value,
            arguments=request.arguments,
        )

    def work(self) -> Work:
        return Work(self.session(), self.experiments, self.runtimes, self.request.settings)


def _changes(begun: Session, now: Session) -> Iterator[str]:
    """The runtimes whose library has changed: the runs of both would be taken for those of one."""
    for name, library in now.runtimes.items():
        before = begun.runtimes.get(name, library)
        if before != library:
            yield f"{name} was {before} and is {library} now"
    digests = {session.machine.get("libbobbin", "?") for session in (begun, now)} - {"?"}
    if len(digests) > 1 and any(str(LIBRARY) in library for library in now.runtimes.values()):
        yield "libbobbin.so.1 was another build of it"


def begin(session: Session, path: Path, done: Results, console: Console) -> Writer:
    """Done before any waiting or measuring, because the file may not be writable."""
    if done.sessions:
        for change in _changes(done.sessions[0], session):
            console.print(f"When {path} was begun, {change}.", style="yellow", soft_wrap=True)
    writer = Writer(path)
    writer.session(session)
    return writer


def _idle(settings: Settings, console: Console) -> Patience:
    patience = Patience(settings.quiet_wait)
    if settings.retries and not patience.wait():
        console.print(
            f"The machine is busy (load {load_average():.2f}): disturbed runs are repeated, "
            "and marked where that does not help.",
            style="yellow",
        )
    return patience


def carry_out(
    planned: Sequence[Experiment],
    runtimes: Mapping[str, Runtime],
    settings: Settings,
    done: Sequence[Run],
    patience: Patience,
    writer: Writer,
    console: Console,
    allows: Callable[[Turn], bool] = lambda _turn: True,
) -> None:
    """Makes the runs that are not done yet, if they are allowed, and writes each. Shows how far it
    is.
    """
    known = {run.identity for run in done}
    every = [turn for e in planned for turn in turns(e, runtimes, settings)]
    with Board(console, [turn for turn in every if turn.identity not in known]) as board:
        for experiment in planned:
            for run in run_experiment(
                experiment,
                runtimes,
                settings,
                lambda turn, _: board.begin(turn),
                done,
                patience,
                allows,
            ):
                writer.run(run)
                board.end(run)


def measure(
    work: Work, path: Path, console: Console, counts: Callable[[Run], bool] = lambda _run: True
) -> Results:
    """Makes the runs that the file does not hold yet. Those that do not count are made again."""
    done = load(path) if path.exists() else Results()
    writer = begin(work.session, path, done, console)
    kept = [run for run in done.runs if counts(run)]
    try:
        patience = _idle(work.settings, console)
        carry_out(work.experiments, work.runtimes, work.settings, kept, patience, writer, console)
    finally:
        writer.close()
    return load(path)
