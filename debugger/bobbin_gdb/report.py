# SPDX-License-Identifier: Apache-2.0
"""The text that the commands print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import gdb

from . import stacks
from .guess import Guess, name_of, ranges
from .memory import u32
from .runtime import Runtime, Team, Thread
from .since import how_long
from .tasks import Tasks
from .waits import State

# The object that compilers make for the section of a name. LLVM's add a suffix.
_CRITICAL = re.compile(r"\.?gomp_critical_user_(\w*)")


class Locks:
    """What the program calls its locks, and who holds them."""

    def __init__(self, runtime: Runtime) -> None:
        state_bits = runtime.layout["Lock.kStateBits"]
        self._state_bits = state_bits
        # The other bits of a lock name its holder: Lock::mark_of.
        self._holders = {
            thread.address >> 3 & 0xFFFFFFFF & ~state_bits: thread for thread in runtime.threads()
        }
        self._own = {
            runtime.layout["unnamed_critical"]: "the critical section without a name",
            runtime.layout["atomic_fallback"]: "the lock of atomic operations",
            runtime.layout["combining"]: "the lock of reductions",
        }

    def name(self, lock: int) -> str:
        if lock in self._own:
            return self._own[lock]
        symbol = stacks.object_at(lock)
        if section := _CRITICAL.match(symbol):
            return f"the critical section {section[1]}"
        return f"lock {symbol}"

    def holder(self, lock: int) -> Thread | None:
        """None: not known."""
        return self._holders.get(u32(lock) & ~self._state_bits)


def title_of(team: Team) -> str:
    if team.is_initial:
        return "Initial task"
    within = f", forked by {name_of(team.parent)}" if team.parent is not None else ""
    count = f"{team.size} thread" + ("s" if team.size != 1 else "")
    return f"Region at {team.place}: {count}, level {team.level}{within}"


def teams(runtime: Runtime) -> Iterable[str]:
    for number, team in enumerate(runtime.teams):
        yield f"{number}  {title_of(team)}"


def state_text(alike: Sequence[Thread], locks: Locks) -> str:
    """What threads do that do the same."""
    thread = alike[0]
    at = f" at {thread.waits_at}" if thread.waits_at else ""
    at += how_long([each.waits_for_s for each in alike])
    if thread.state not in (State.LOCK, State.CRITICAL, State.ATOMIC) or thread.lock == 0:
        return thread.state.value + at
    holder = locks.holder(thread.lock)
    held = f", held by {name_of(holder)}" if holder is not None else ""
    return f"{thread.state.value}{at}: {locks.name(thread.lock)}{held}"


def _has_news(runtime: Runtime, team: Team) -> bool:
    """Is a thread in no inner team? Then it is told here what it does."""
    return any(runtime.thread_at(thread.address) is thread for thread in team.threads)


def _elsewhere(inner: Thread) -> str:
    return f"in the region at {inner.team.place}"


def threads(runtime: Runtime) -> Iterable[str]:
    locks = Locks(runtime)
    for team in runtime.teams:
        if not _has_news(runtime, team):
            continue
        yield title_of(team)
        for thread in team.threads:
            inner = runtime.thread_at(thread.address)
            if inner is not None and inner is not thread:
                yield f"  {thread.id:>3}  number {thread.number}  {_elsewhere(inner)}"
                continue
            carrier = f"  (LWP {thread.kernel_thread})" if thread.kernel_thread else ""
            state = state_text([thread], locks)
            yield f"  {thread.id:>3}  number {thread.number}  {state}{carrier}"


def _frames(thread: Thread) -> list[str]:
    return [f"        {f.function}" + (f"  {f.place}" if f.place else "") for f in thread.stack]


def _groups(
    runtime: Runtime, team: Team, locks: Locks
) -> list[tuple[list[Thread], str, list[str]]]:
    """Threads that do the same, with what they do and their frames."""
    found: dict[tuple[object, ...], list[Thread]] = {}
    for thread in team.threads:
        inner = runtime.thread_at(thread.address) or thread
        if inner is thread:
            key = (thread.state, thread.waits_at, thread.lock, *_frames(thread))
        else:
            key = (_elsewhere(inner),)
        found.setdefault(key, []).append(thread)
    groups: list[tuple[list[Thread], str, list[str]]] = []
    for alike in found.values():
        inner = runtime.thread_at(alike[0].address) or alike[0]
        if inner is alike[0]:
            groups.append((alike, state_text(alike, locks), _frames(inner)))
        else:
            groups.append((alike, _elsewhere(inner), []))
    return groups


def stacks_of_all(runtime: Runtime) -> Iterable[str]:
    """Everything: what `bobbin stacks` prints."""
    locks = Locks(runtime)
    tasks = Tasks(runtime)
    for team in runtime.teams:
        if not _has_news(runtime, team):
            continue
        yield title_of(team)
        for alike, state, frames in _groups(runtime, team, locks):
            ids = ranges([thread.id for thread in alike])
            numbers = ranges([thread.number for thread in alike])
            plural = "s" if len(alike) != 1 else ""
            yield f"  thread{plural} {ids} (number{plural} {numbers}): {state}"
            yield from frames
        yield ""
    yield from waiting_tasks(tasks)
    yield from Guess(runtime, tasks, locks.name, locks.holder).sentences()
    yield from runtime.damage


def waiting_tasks(tasks: Tasks) -> Iterable[str]:
    waits: dict[tuple[str, str], list[float | None]] = {}
    for left in tasks.left:
        waits.setdefault((f"waits in {left.call}", left.place), []).append(left.waits_for_s)
    for task in tasks.waiting:
        waits.setdefault((task.why.value, task.place), []).append(task.waits_for_s)
    if waits:
        yield "Tasks"
        for (why, place), how in waits.items():
            count = len(how)
            at = f" at {place}" if place else ""
            noun = "task" if count == 1 else "tasks"
            verb = why if count == 1 else why.replace("waits", "wait").replace(" its ", " their ")
            yield f"  {count} {noun}{at}: {verb}{how_long(how)}"
        yield ""
    yield from tasks.not_shown()


def write(lines: Iterable[str]) -> None:
    for line in lines:
        gdb.write(line + "\n")
