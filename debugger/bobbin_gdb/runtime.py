# SPDX-License-Identifier: Apache-2.0
"""The teams and threads of a stopped process.

Everything is found from the workers of the roots. A thread's member names its innermost team, and a
team names the member that has forked it; so a thread with an inner team is known by its own member
and the one that it has now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import gdb

from . import fibers, stacks
from .memory import Layout, NoRuntimeError, pointer
from .since import Clock
from .waits import State


@dataclass
class Thread:
    """An OpenMP thread, as a member of one team. It has the same id in an inner team of its own."""

    address: int
    member: int
    team: Team
    number: int  # in the team
    id: int  # for the user, in this stop of the process
    state: State = State.RUNNING
    place: fibers.Place | None = None  # None: it has no frames
    kernel_thread: int = 0  # 0: no kernel thread carries it
    stack: list[stacks.Frame] = field(default_factory=list)
    waits_at: str = ""  # where its code has called the runtime
    lock: int = 0  # for which it waits; 0: not known
    waits_for_s: float | None = None  # how long it has been in its state; None: not known

    @property
    def has_inner_team(self) -> bool:
        return self.team.layout.pointer(self.address, "Fiber.member") != self.member


@dataclass
class Team:
    address: int
    layout: Layout
    level: int
    size: int
    place: str  # of the code of its region
    parent: Thread | None  # which has forked it
    threads: list[Thread] = field(default_factory=list)

    @property
    def is_initial(self) -> bool:
        return self.parent is None

    def number(self, name: str) -> int:
        return self.layout.u32(self.address, name)


class Runtime:
    """What there is. Made once for each stop."""

    def __init__(self) -> None:
        self.layout = Layout()
        self.clock = Clock(self.layout)
        self.library = stacks.library_of(self.layout["bobbin_context_resumes"])
        self.teams: list[Team] = []
        self.damage: list[str] = []  # what could not be read
        self._threads: dict[int, Thread] = {}  # by address: the outermost place of each
        self._carried = fibers.kernel_threads()
        for root in self._roots():
            try:
                self._add_teams(root, None)
            except gdb.MemoryError as error:
                self.damage.append(f"the teams of a root cannot be read: {error}")
        waiters = self._waiters()
        for thread in self.threads():
            self._look_at(thread, waiters)

    def threads(self) -> list[Thread]:
        return list(self._threads.values())

    def thread(self, id: int) -> Thread:
        for thread in self.threads():
            if thread.id == id:
                return thread
        raise gdb.GdbError(f"there is no OpenMP thread {id}: see `bobbin threads`")

    def thread_at(self, address: int) -> Thread | None:
        return self._threads.get(address)

    def _roots(self) -> Iterator[int]:
        """The threads of the roots."""
        layout = self.layout
        for slot in range(layout.u32_at("pool.highest")):
            worker = pointer(layout["pool.registry"] + 8 * slot)
            if worker == 0 or layout.byte(worker, "Worker.kind") != layout["WorkerKind.Root"]:
                continue
            group = layout.pointer(worker, "Worker.group")
            if group != 0:
                yield layout.pointer(group, "Group.root")

    def _members_of(self, thread: int, outermost: int) -> list[int]:
        """The places of a thread in teams, from the one below `outermost` (0: in none) inwards."""
        found: list[int] = []
        member = self.layout.pointer(thread, "Fiber.member")
        while member not in (0, outermost):
            if member in found or len(found) > 1000:
                raise gdb.MemoryError("a team encloses itself")
            found.append(member)
            team = self.layout.pointer(member, "Member.team")
            member = self.layout.pointer(team, "Team.encountering")
        return found[::-1]

    def _add_teams(self, thread: int, parent: Thread | None) -> None:
        """The teams that the thread has forked and not joined, and those within them."""
        for member in self._members_of(thread, parent.member if parent is not None else 0):
            team = self._add_team(self.layout.pointer(member, "Member.team"), parent)
            own = [each for each in team.threads if each.address == thread]
            if not own:
                raise gdb.MemoryError("a thread is not in its team")
            for each in team.threads:
                if each.address != thread and each.has_inner_team:
                    self._add_teams(each.address, each)
            parent = own[0]

    def _add_team(self, address: int, parent: Thread | None) -> Team:
        layout = self.layout
        code = layout.pointer(address, "Team.code") or layout.pointer(address, "Team.function")
        team = Team(
            address=address,
            layout=layout,
            level=layout.u32(address, "Team.level"),
            size=layout.u32(address, "Team.size"),
            place=stacks.place_of_code(code),
            parent=parent,
        )
        self.teams.append(team)
        members = layout.pointer(address, "Team.members")
        for number in range(team.size):
            member = pointer(members + 8 * number)
            thread = layout.pointer(member, "Member.thread")
            known = self._threads.get(thread)
            made = Thread(
                address=thread,
                member=member,
                team=team,
                number=number,
                id=known.id if known is not None else len(self._threads) + 1,
            )
            team.threads.append(made)
            # What a thread does, it does as a member of its innermost team.
            self._threads[thread] = made
        return team

    def _waiters(self) -> dict[int, int]:
        """The locks, or other words, by the thread that waits for one in the table of waiters."""
        layout = self.layout
        found: dict[int, int] = {}
        for number in range(layout["kWaitBuckets"]):
            bucket = layout["wait_buckets"] + number * layout["sizeof WaitBucket"]
            node = layout.pointer(bucket, "WaitBucket.first")
            while node != 0 and len(found) < 100_000:
                thread = layout.pointer(node, "WaitNode.thread")
                found[thread] = layout.pointer(node, "WaitNode.key.address")
                node = layout.pointer(node, "WaitNode.next")
        return found

    def _look_at(self, thread: Thread, waiters: dict[int, int]) -> None:
        layout = self.layout
        team = thread.team
        if thread.number != 0 and self._has_ended(thread):
            thread.state = State.ENDED
            return
        words = layout.pointer(team.address, "Team.unbegun.words_")
        stride = 8 * layout.u32(team.address, "Team.unbegun.stride_")
        if pointer(words + thread.number // 64 * stride) >> thread.number % 64 & 1:
            thread.state = State.UNBEGUN
            return
        state = layout.u32(thread.address, "Fiber.state")
        suspended = state == layout["FiberState.Waiting"]
        # The loop of a root's worker has the root's thread pointer.
        tls = layout.pointer(thread.address, "Fiber.tls")
        carrier = self._carried.get(tls) if not suspended else None
        if carrier is not None:
            thread.place = carrier
            thread.kernel_thread = carrier.ptid[1]
        else:
            thread.place = fibers.Suspended(
                sp=layout.pointer(thread.address, "Fiber.sp"), pc=layout["bobbin_context_resumes"]
            )
        with fibers.frames_of(thread.place) as frames:
            thread.stack = stacks.described(frames, self.library)
        thread.state, thread.waits_at = stacks.state_of(thread.stack)
        if carrier is None and not suspended:
            thread.state = State.READY
        elif thread.state.waits:
            thread.lock = waiters.get(thread.address, 0)
            since = layout.u64(thread.address, "Fiber.waits_since")
            thread.waits_for_s = self.clock.seconds_since(since)

    def _has_ended(self, thread: Thread) -> bool:
        rested = self.layout.u64(thread.member, "Member.rested")
        return rested == self.layout.u64(thread.team.address, "Team.region")


def read() -> Runtime:
    """Raises NoRuntimeError if there is no OpenMP thread on Bobbin."""
    if not gdb.selected_inferior().threads():
        raise NoRuntimeError("there is no process and no core file")
    runtime = Runtime()
    if not runtime.teams:
        raise NoRuntimeError("no thread has used OpenMP so far")
    return runtime
