# SPDX-License-Identifier: Apache-2.0
"""Tasks that have been made and are not under way.

There is no list of all tasks. Found are those in queues and, from there and from the tables of
their parents, those with dependences. The number of a task's children tells how many there are
besides: these have ended except for an event.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from . import fibers, stacks
from .memory import byte, pointer, u32
from .runtime import Runtime, Team, Thread

# A queue that is being changed may lead in a circle.
_MOST = 100_000

# Inbox::closed_mark(): the node has completed.
_CLOSED = 1


class Why(enum.Enum):
    """Why a task is not under way. The values are what the user reads."""

    QUEUED = "waits for a thread"
    PREDECESSORS = "waits for its predecessors"
    EVENT = "waits for its event"


@dataclass(frozen=True)
class Task:
    address: int
    parent: int
    place: str  # of its code
    why: Why
    made_by: Thread | None  # the thread whose queue it is in
    waits_for_s: float | None  # how long; None: not known


@dataclass(frozen=True)
class Left:
    """A task that has begun and has left its thread to other tasks while it waits."""

    address: int
    parent: int
    call: str  # in which it waits
    place: str  # of the call
    waits_for_s: float | None


class Tasks:
    """The tasks of a runtime that is stopped."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._layout = runtime.layout
        self.waiting: list[Task] = []
        self._known: set[int] = set()
        self._places: dict[int, str] = {}  # by the address of the code
        self.left = list(self._tasks_that_left())
        self.under_way = self._tasks_under_way()
        for team in runtime.teams:
            self._add_queued(team)
        self._add_dependent()

    def waiting_children(self, parent: int) -> list[Task]:
        return [task for task in self.waiting if task.parent == parent]

    def current(self, thread: Thread) -> int:
        return self._layout.pointer(thread.address, "Fiber.task")

    def children(self, task: int) -> int:
        """How many children have not completed."""
        flags = self._layout["kWaiter"] | self._layout["kContinuationWaiter"]
        return self._layout.u32(task, "Task.children") & ~flags

    def in_taskgroup(self, task: int) -> int:
        """How many tasks of the task's innermost taskgroup have not completed."""
        group = self._layout.pointer(task, "Task.group")
        if group == 0:
            return 0
        flags = self._layout["kWaiter"] | self._layout["kContinuationWaiter"]
        return self._layout.u32(group, "Taskgroup.tasks") & ~flags

    def children_under_way(self, parent: int) -> int:
        left = {task.address for task in self.left}
        return sum(self._parent(task) == parent for task in self.under_way - left)

    def _parent(self, task: int) -> int:
        return self._layout.pointer(task, "Task.parent")

    def _kind(self, task: int) -> int:
        return self._layout.byte(task, "Task.kind")

    def _is_deferred(self, task: int) -> bool:
        return self._kind(task) == self._layout["TaskKind.Deferred"]

    def _tasks_that_left(self) -> Iterator[Left]:
        layout = self._layout
        continuation = pointer(layout["newest_continuation"])
        while continuation != 0:
            since = layout.u64(continuation, "Continuation.waits_since")
            if since != 0:
                task = layout.pointer(continuation, "Continuation.task")
                place = fibers.Suspended(
                    sp=layout.pointer(continuation, "Continuation.sp"),
                    pc=layout["bobbin_context_resumes"],
                )
                with fibers.frames_of(place) as frames:
                    stack = stacks.described(frames, self._runtime.library)
                seconds = self._runtime.clock.seconds_since(since) if since != 1 else None
                yield Left(task, self._parent(task), *stacks.waiting_call(stack), seconds)
            continuation = layout.pointer(continuation, "Continuation.made_before")

    def _tasks_under_way(self) -> set[int]:
        """The current tasks of all threads, those that have left one, and their ancestors."""
        found: set[int] = set()
        current = [self.current(thread) for thread in self._runtime.threads()]
        for task in (*current, *(left.address for left in self.left)):
            while task != 0 and task not in found:
                found.add(task)
                task = self._parent(task)
        return found

    def _extras(self, task: int) -> int:
        return self._layout.pointer(task, "Task.extras")

    def _place(self, task: int) -> str:
        """Of the code of a task that has not begun."""
        layout = self._layout
        function = layout.pointer(task, "Task.function")
        if self._is_in_runtime(function):
            image = layout.pointer(task, "Task.data")
            function = layout.pointer(image, "kmp::TaskImage.routine")
        if function not in self._places:
            self._places[function] = stacks.place_of_code(function)
        return self._places[function]

    def _is_in_runtime(self, function: int) -> bool:
        if function not in self._places:
            return stacks.library_of(function) == self._runtime.library
        return False

    def _add_queued(self, team: Team) -> None:
        for thread in team.threads:
            for task in self._in_deque(thread.member):
                self._add(task, Why.QUEUED, thread)
        layout = self._layout
        trees = [layout.pointer(team.address, "Team.priority_tasks.by_order")]
        mode = layout.pointer(team.address, "Team.mode")
        while mode != 0:
            trees.append(layout.pointer(mode, "Mode.tasks.by_order"))
            mode = layout.pointer(mode, "Mode.next")
        for tree in trees:
            for task in self._in_tree(tree):
                self._add(task, Why.QUEUED, None)

    def _add(self, task: int, why: Why, made_by: Thread | None) -> None:
        # A thread that takes a task names it before it leaves the queue, or after.
        if task in self.under_way or task in self._known:
            return
        self._known.add(task)
        place = self._place(task) if why is not Why.EVENT else ""
        waits = self._waits_for_event(task) if why is Why.EVENT else None
        self.waiting.append(Task(task, self._parent(task), place, why, made_by, waits))

    def _waits_for_event(self, task: int) -> float | None:
        ended = self._layout.u64(self._extras(task), "TaskExtras.block_ended")
        return self._runtime.clock.seconds_since(ended)

    def _in_deque(self, member: int) -> Iterator[int]:
        layout = self._layout
        array = layout.pointer(member, "Member.tasks.array_")
        if array == 0:
            return
        top = layout.u64(member, "Member.tasks.top_")
        bottom = layout.u64(member, "Member.tasks.bottom_")
        mask = layout.u64(array, "Deque<Task>::Array.mask")
        slots = array + layout["sizeof Deque<Task>::Array"]
        for index in range(top, min(bottom, top + mask + 1)):
            yield pointer(slots + 8 * (index & mask))

    def _in_tree(self, family: int) -> Iterator[int]:
        """The tasks of a shared queue: a tree of the youngest of each family."""
        layout = self._layout
        left = [family]
        seen = 0
        while left and seen < _MOST:
            family = left.pop()
            if family == 0:
                continue
            extras = self._extras(family)
            left.append(layout.pointer(extras, "TaskExtras.family.by_order.after"))
            left.append(layout.pointer(extras, "TaskExtras.family.by_order.before"))
            task = family
            while seen < _MOST:
                seen += 1
                task = layout.pointer(self._extras(task), "TaskExtras.next_sibling")
                yield task
                if task == family:
                    break

    def _add_dependent(self) -> None:
        """Follows the order of dependences, from the tasks that are known and from the tables."""
        left = [
            self._layout.pointer(extras, "TaskExtras.node")
            for task in (*self.under_way, *self._known)
            if (extras := self._extras(task)) != 0 and self._is_deferred(task)
        ]
        left += [node for parent in self.under_way for node in self._nodes_in_table(parent)]
        seen: set[int] = {0}
        while left:
            node = left.pop()
            if node in seen or len(seen) == _MOST:
                continue
            seen.add(node)
            head = self._layout.pointer(node, "DependNode.successors.head_")
            if head == _CLOSED:
                continue
            left += self._linked(head)
            if self._kind_of(node) == self._layout["DependNodeKind.Task"]:
                task = self._layout.pointer(node, "DependNode.task")
                self._add(task, self._why(task), None)
        self._complete = len(seen) < _MOST

    def _linked(self, link: int) -> Iterator[int]:
        """The nodes of a list."""
        for _ in range(_MOST):
            if link == 0:
                return
            yield self._layout.pointer(link, "DependLink.node")
            link = self._layout.pointer(link, "DependLink.next")

    def _kind_of(self, node: int) -> int:
        return byte(node + self._layout["DependNode.kind"] + 3) & 7

    def _why(self, task: int) -> Why:
        layout = self._layout
        extras = self._extras(task)
        if not layout.byte(extras, "TaskExtras.detached"):
            return Why.PREDECESSORS
        mark = layout.u32(extras, "TaskExtras.event.mark")
        return Why.EVENT if mark == layout["Event::Mark.BlockEnded"] else Why.PREDECESSORS

    def _nodes_in_table(self, parent: int) -> Iterator[int]:
        """The nodes of the children of a task: each is in a generation, or in a queue of those that
        will be used again once they have completed."""
        layout = self._layout
        extras = self._extras(parent)
        table = layout.pointer(extras, "TaskExtras.table") if extras != 0 else 0
        if table == 0:
            return
        for number in range(layout["DependPool.kClasses"]):
            queue = table + layout["DependTable.nodes.retired_"]
            queue += number * layout["sizeof DependPool::Queue"]
            yield from self._retired(layout.pointer(queue, "DependPool::Queue.oldest"))
        slots = layout.pointer(table, "DependTable.entries.slots_")
        places = layout.u64(table, "DependTable.entries.mask_") + 1 if slots != 0 else 0
        for number in range(places):
            entry = slots + number * layout["sizeof DependEntry"]
            if layout.u64(entry, "DependEntry.key") == 0:
                continue
            yield layout.pointer(entry, "DependEntry.before")
            yield from self._linked(layout.pointer(entry, "DependEntry.members"))

    def _retired(self, node: int) -> Iterator[int]:
        """Linked by the last link that belongs to each node."""
        layout = self._layout
        for _ in range(_MOST):
            if node == 0:
                return
            yield node
            capacity = u32(node + layout["DependNode.kind"]) & 0xFFFFFF
            last = node + layout["sizeof DependNode"] + (capacity - 1) * layout["sizeof DependLink"]
            node = layout.pointer(last, "DependLink.node")

    def not_shown(self) -> list[str]:
        """What the list lacks."""
        if not self._complete:
            return [f"There are more tasks: only {_MOST} places in the order were looked at."]
        for team in self._runtime.teams:
            for thread in team.threads:
                for queue in ("bounded_", "by_data_"):
                    if self._layout.pointer(thread.member, f"Member.tasks.{queue}") != 0:
                        return ["Tasks in the queues of BOBBIN_TASK_POLICY are not shown."]
        return []


def counts_of_children(tasks: Tasks, parent: int) -> dict[str, int]:
    """What the children of a task that have not completed do."""
    waiting = tasks.waiting_children(parent)
    counts = {why.value: sum(task.why is why for task in waiting) for why in Why}
    for left in tasks.left:
        if left.parent == parent:
            what = f"waits in {left.call}"
            counts[what] = counts.get(what, 0) + 1
    counts["is executed"] = tasks.children_under_way(parent)
    rest = tasks.children(parent) - sum(counts.values())
    if rest > 0:
        counts[Why.EVENT.value] += rest
    return {what: count for what, count in counts.items() if count}
