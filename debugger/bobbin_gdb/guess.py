# SPDX-License-Identifier: Apache-2.0
"""What a process that makes no progress waits for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .runtime import Runtime, Team, Thread
from .tasks import Tasks, counts_of_children
from .waits import State


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as a user writes them: 0, 2-5."""
    parts: list[str] = []
    ordered = sorted(numbers)
    first = 0
    for i, number in enumerate(ordered):
        if i + 1 < len(ordered) and ordered[i + 1] == number + 1:
            continue
        parts.append(f"{ordered[first]}-{number}" if i > first else str(number))
        first = i + 1
    return ", ".join(parts)


def name_of(thread: Thread) -> str:
    return f"thread {thread.id}"


def names_of(threads: Sequence[Thread]) -> str:
    plural = "s" if len(threads) != 1 else ""
    return f"thread{plural} {ranges([thread.id for thread in threads])}"


def _verb(threads: Sequence[Thread], one: str, several: str) -> str:
    return one if len(threads) == 1 else several


class Guess:
    """Sentences for the user, most important first."""

    def __init__(
        self,
        runtime: Runtime,
        tasks: Tasks,
        lock_name: Callable[[int], str],
        holder: Callable[[int], Thread | None],
    ) -> None:
        self._runtime = runtime
        self._tasks = tasks
        self._lock_name = lock_name
        self._holder = holder

    def sentences(self) -> list[str]:
        found = self._circles()
        for team in self._runtime.teams:
            found += self._about_team(team)
        found += self._about_tasks()
        if found and not self._tasks.left and not self._somebody_runs():
            found.append("No OpenMP thread can go on by itself.")
        return found

    def _somebody_runs(self) -> bool:
        going = (State.RUNNING, State.READY, State.UNBEGUN, State.TASK, State.OTHER)
        return any(thread.state in going for thread in self._runtime.threads())

    def _what_it_does(self, thread: Thread) -> str:
        at = f" at {thread.waits_at}" if thread.waits_at else ""
        if thread.state is State.RUNNING:
            return f"runs{at}"
        if thread.lock != 0:
            return f"waits{at} for {self._lock_with_holder(thread)}"
        if thread.state.waits:
            return f"waits{at} ({thread.state.value})"
        if thread.state is State.UNBEGUN:
            return "has not begun"
        if thread.state is State.ENDED:
            return "has ended its part of the region"
        return f"is {thread.state.value}{at}"

    def _lock_with_holder(self, thread: Thread) -> str:
        if thread.state is State.ORDERED:
            return "its turn"
        holder = self._holder(thread.lock)
        held = f", held by {name_of(holder)}" if holder is not None else ""
        return f"{self._lock_name(thread.lock)}{held}"

    def _circles(self) -> list[str]:
        """Threads that wait for each other's locks."""
        found: list[str] = []
        told: set[int] = set()
        for first in self._runtime.threads():
            circle = self._circle_from(first)
            if not circle or first.id in told:
                continue
            told.update(thread.id for thread in circle)
            steps = [
                f"{name_of(thread)} waits for {self._lock_name(thread.lock)}, held by "
                f"{name_of(circle[(i + 1) % len(circle)])}"
                for i, thread in enumerate(circle)
            ]
            found.append("Deadlock: " + "; ".join(steps) + ".")
        return found

    def _circle_from(self, first: Thread) -> list[Thread]:
        """The threads from this one back to it, each waiting for a lock of the next; or none."""
        circle: list[Thread] = []
        thread: Thread | None = first
        while thread is not None and thread.lock != 0 and thread not in circle:
            circle.append(thread)
            thread = self._holder(thread.lock)
        return circle if circle and thread is first else []

    def _about_team(self, team: Team) -> list[str]:
        if team.is_initial or team.size == 1:
            return []
        own = [self._innermost(thread) for thread in team.threads]
        waiting = [t for t in own if t.team is team and t.state is State.BARRIER]
        region = f"the region at {team.place}"
        if waiting:
            return self._about_barrier(own, waiting, region)
        primary = own[0]
        if primary.team is team and primary.state is State.REGION_END:
            missing = [t for t in own[1:] if t.state is not State.ENDED]
            if missing:
                return [
                    f"{name_of(primary).capitalize()} waits for the end of {region}. "
                    + self._missing(missing)
                ]
        return []

    def _innermost(self, thread: Thread) -> Thread:
        """The same thread in its innermost team, where it is told what it does."""
        return self._runtime.thread_at(thread.address) or thread

    def _about_barrier(self, own: list[Thread], waiting: list[Thread], region: str) -> list[str]:
        places = sorted({thread.waits_at for thread in waiting})
        missing = [thread for thread in own if thread not in waiting]
        if not missing:
            if len(places) > 1:
                return []  # it opens, if no tasks are left
            at = f" at {places[0]}" if places[0] else ""
            return [
                f"All threads of {region} wait at the barrier{at}, and tasks have not completed."
            ]
        head = (
            f"{len(waiting)} of {len(own)} threads of {region} "
            f"{_verb(waiting, 'waits', 'wait')} at a barrier ({', '.join(places)}). "
        )
        return [head + self._missing(missing)]

    def _missing(self, missing: list[Thread]) -> str:
        by_text: dict[str, list[Thread]] = {}
        for thread in missing:
            by_text.setdefault(self._what_it_does(thread), []).append(thread)
        parts = [
            f"{names_of(threads)} {_several(text, threads)}" for text, threads in by_text.items()
        ]
        return "Missing: " + "; ".join(parts) + "."

    def _about_tasks(self) -> list[str]:
        found: list[str] = []
        for thread in self._runtime.threads():
            if thread.state is State.TASKGROUP:
                count = self._tasks.in_taskgroup(self._tasks.current(thread))
                noun = "task" if count == 1 else "tasks"
                found.append(
                    f"{name_of(thread).capitalize()} waits at {thread.waits_at} for {count} {noun} "
                    "of its taskgroup."
                )
            if thread.state is not State.TASKWAIT:
                continue
            counts = counts_of_children(self._tasks, self._tasks.current(thread))
            if counts:
                parts = [
                    f"{count} {_several(what, range(count))}" for what, count in counts.items()
                ]
                total = sum(counts.values())
                noun = "child" if total == 1 else "children"
                found.append(
                    f"{name_of(thread).capitalize()} waits at {thread.waits_at} for {total} {noun} "
                    f"of its task: {', '.join(parts)}{_about_events(counts)}."
                )
        return found


def _about_events(counts: dict[str, int]) -> str:
    return " (omp_fulfill_event)" if any("event" in what for what in counts) else ""


_PLURALS = {"waits": "wait", "runs": "run", "has": "have", "is": "are", "its": "their"}


def _several(text: str, of: Sequence[object]) -> str:
    """The verb for one or for several."""
    if len(of) == 1:
        return text
    verb, _, rest = text.partition(" ")
    return (
        f"{_PLURALS.get(verb, verb)} {rest}".replace(" its event", " their events")
        .replace(" its predecessors", " their predecessors")
        .rstrip()
    )
