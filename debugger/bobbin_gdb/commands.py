# SPDX-License-Identifier: Apache-2.0
"""gdb's commands: `help bobbin` lists them."""

from __future__ import annotations

import gdb

from . import fibers, report, runtime
from .memory import NoRuntimeError
from .tasks import Tasks


def _id(argument: str) -> int:
    try:
        return int(argument)
    except ValueError:
        raise gdb.GdbError("which thread? Give an id of `bobbin threads`, such as 2") from None


class Bobbin(gdb.Command):
    """Show the OpenMP threads of a program on Bobbin, whichever kernel thread carries them."""

    def __init__(self) -> None:
        super().__init__("bobbin", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class Teams(gdb.Command):
    """List the regions that are open, the outermost first."""

    def __init__(self) -> None:
        super().__init__("bobbin teams", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        report.write(report.teams(runtime.read()))


class Threads(gdb.Command):
    """List the OpenMP threads by region: id, number in the team, and what the thread does."""

    def __init__(self) -> None:
        super().__init__("bobbin threads", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        report.write(report.threads(runtime.read()))


class TaskList(gdb.Command):
    """Count the tasks that wait, by source line: for a thread, for predecessors, for an event."""

    def __init__(self) -> None:
        super().__init__("bobbin tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        lines = list(report.waiting_tasks(Tasks(runtime.read())))
        report.write(lines or ["No task waits."])


class Stacks(gdb.Command):
    """Show everything: threads with their backtraces, waiting tasks, and what is missing.

    $bobbin_status is 0 afterwards, 1 if no runtime was found, 125 if something failed."""

    def __init__(self) -> None:
        super().__init__("bobbin stacks", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        gdb.set_convenience_variable("bobbin_status", 125)
        try:
            lines = list(report.stacks_of_all(runtime.read()))
        except NoRuntimeError:
            gdb.set_convenience_variable("bobbin_status", 1)
            raise
        report.write(lines)
        gdb.set_convenience_variable("bobbin_status", 0)


class Select(gdb.Command):
    """Select an OpenMP thread, for gdb's own commands (bt, frame, print): `bobbin thread ID`.

    The frames of a thread that no kernel thread carries appear below the newest frame of one that
    does something else. `bobbin thread` alone, or selecting another thread, ends that."""

    def __init__(self) -> None:
        super().__init__("bobbin thread", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        fibers.show(None)
        if not argument:
            return
        thread = runtime.read().thread(_id(argument))
        if thread.place is None:
            raise gdb.GdbError(f"thread {thread.id} {thread.state.value}: it has no frames")
        if isinstance(thread.place, fibers.Suspended):
            fibers.show(thread.place)
            frame = fibers.first_frame_of(thread.place)
        else:
            thread.place.switch()
            frame = gdb.newest_frame()
        if frame is not None:
            frame.select()
            gdb.execute("frame", from_tty)


class Backtrace(gdb.Command):
    """Print all frames of an OpenMP thread: `bobbin backtrace ID`."""

    def __init__(self) -> None:
        super().__init__("bobbin backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool) -> None:
        thread = runtime.read().thread(_id(argument))
        if thread.place is None:
            raise gdb.GdbError(f"thread {thread.id} {thread.state.value}: it has no frames")
        with fibers.frames_of(thread.place) as frames:
            for number, frame in enumerate(frames):
                line = frame.find_sal()
                name = frame.name() or "??"
                at = f" at {line.symtab.filename}:{line.line}" if line.symtab is not None else ""
                gdb.write(f"#{number:<3} {frame.pc():#018x} in {name} (){at}\n")


def register() -> None:
    fibers.register()
    for command in (Bobbin, Teams, Threads, TaskList, Stacks, Select, Backtrace):
        command()
