# SPDX-License-Identifier: Apache-2.0
"""Frames as the user reads them: those of the runtime are one line, its entry point."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

import gdb

from .waits import State, state_in

# A deep recursion need not be read to its end.
_MOST_FRAMES = 200


@dataclass(frozen=True)
class Frame:
    function: str
    place: str  # file and line, or the library
    in_runtime: bool
    in_libc: bool = False
    in_layer: bool = False  # between the program and MPI
    in_header: bool = False  # inlined from a header of the system or of the compiler


def library_of(address: int) -> str | None:
    """The shared library that has the address; None: the program."""
    return gdb.solib_name(address)


def _symbol_at(address: int) -> str:
    """The name of the symbol, with the distance from it; empty: there is none."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    match = re.match(r"(\S+(?: \+ \d+)?) in section", text)
    return match[1].replace(" ", "") if match else ""


def object_at(address: int) -> str:
    """What the program calls the variable at the address."""
    return _symbol_at(address) or f"{address:#x}"


def line_at(address: int) -> str:
    line = gdb.find_pc_line(address)
    if line.symtab is None or line.line == 0:
        return ""
    return f"{os.path.basename(line.symtab.filename)}:{line.line}"


def _first_line_at(address: int) -> str:
    """A table of lines may have several rows for the beginning of a function. The first one is the
    line of its declaration."""
    symtab = gdb.find_pc_line(address).symtab
    table = symtab.linetable() if symtab is not None else None
    if symtab is None or table is None:
        return ""
    lines = (row.line for row in table if row.pc == address and row.line != 0)
    line = next(lines, 0)
    return f"{os.path.basename(symtab.filename)}:{line}" if line != 0 else ""


def place_of_code(address: int) -> str:
    """Where a function is in the source, or its name."""
    return _first_line_at(address) or line_at(address) or _symbol_at(address) or f"{address:#x}"


def _called_at(return_address: int) -> str:
    """The function that the call instruction before the address names; empty: none."""
    architecture = gdb.selected_inferior().architecture()
    # x86-64 calls by a displacement or through the table of addresses; AArch64 by a displacement.
    for size in (5, 6) if architecture.name().startswith("i386") else (4,):
        try:
            instruction = architecture.disassemble(return_address - size, count=1)[0]
        except gdb.MemoryError:
            continue
        match = re.match(r"(?:call|bl)\w* .*<(\w+)(?:@\S*)?>", instruction["asm"])
        if match and instruction["length"] == size:
            return match[1]
    return ""


def _place_of(frame: gdb.Frame) -> tuple[str, bool]:
    """File and line, or nothing; and whether it is inlined from a header of the system."""
    line = frame.find_sal()
    if line is None or line.symtab is None or line.line == 0:
        return "", False
    path = line.symtab.filename
    in_header = frame.type() == gdb.INLINE_FRAME and is_system_header(path)
    return f"{os.path.basename(path)}:{line.line}", in_header


def is_system_header(path: str) -> bool:
    """As insight/report/symbols/symbols.cpp has it."""
    path = os.path.normpath(path)
    return (path.startswith("/usr/") and "/include/" in path) or any(
        part in path for part in ("/include/c++/", "/lib/gcc/", "/lib/clang/")
    )


class _Run:
    """Frames of the runtime in a row, the newest first."""

    def __init__(self, library: str) -> None:
        self._library = library
        self._names: list[str] = []

    def add(self, name: str) -> None:
        self._names.append(name)

    def entries(self, caller: int) -> list[Frame]:
        """The entry point, which returns to `caller`. If the program's code has left by a jump, the
        entry point to which it has jumped is further in, and comes first."""
        if not self._names:
            return []
        outer = self._names[-1]
        if caller and state_in(outer) is None:
            # In a stripped library it has no name if it has left by a jump itself.
            outer = _called_at(caller) or outer
        inner = next((name for name in self._names[:-1] if state_in(name) is not None), None)
        self._names = []
        found = [Frame(outer, self._library, True)]
        if inner is not None:
            found.insert(0, Frame(inner, self._library, True))
        return found


def described(frames: Iterable[gdb.Frame], library: str | None) -> list[Frame]:
    """The frames, the newest first. Of those of the runtime only the entry points are kept."""
    found: list[Frame] = []
    run = _Run(os.path.basename(library or ""))
    for frame in frames:
        if len(found) == _MOST_FRAMES:
            break
        pc = frame.pc()
        file = library_of(pc)
        name = frame.name() or _symbol_at(pc) or f"{pc:#x}"
        if library is not None and file == library:
            run.add(name)
            continue
        found += run.entries(pc)
        base = os.path.basename(file) if file else ""
        place, in_header = _place_of(frame)
        in_layer = base.startswith("libbobbin-mpi-")
        found.append(
            Frame(name, place or base, False, base.startswith("libc.so"), in_layer, in_header)
        )
    found += run.entries(0)
    # What has called the code of the program tells nothing.
    while len(found) > 1 and (found[-1].in_runtime or found[-1].in_libc):
        found.pop()
    return found


def state_of(stack: list[Frame]) -> tuple[State, str]:
    """What a thread with these frames does, and where its code has called the runtime."""
    for number, frame in enumerate(stack):
        if not frame.in_runtime:
            if frame.in_libc:
                continue
            break
        state = state_in(frame.function)
        callers = stack[number + 1 :]
        if state is State.BLOCKED:
            return state, waiting_call(stack)[1]
        while len(callers) > 1 and callers[0].in_header:
            callers.pop(0)
        caller = callers[0] if callers else None
        if state is not None:
            if caller is None or caller.in_runtime:
                return state, ""
            return state, caller.place or caller.function
        if caller is None:
            # Nothing of the program is on the stack: before or after its part.
            return State.OTHER, ""
        break  # a function of libc that Bobbin interposes, or an entry point that does not wait
    return State.RUNNING, _own_place(stack)


def _own_place(stack: list[Frame]) -> str:
    """The newest line of the program itself; empty: it has none, or it is the newest anyway."""
    own = [f for f in stack if not (f.in_runtime or f.in_libc or f.in_layer or f.in_header)]
    return next((frame.place for frame in own if ":" in frame.place), "")


def waiting_call(stack: list[Frame]) -> tuple[str, str]:
    """The function that the program's code has called, such as MPI_Recv, and where; or what there
    is of both."""
    own = _own_place(stack)
    call = ""
    for frame in stack:
        is_programs = frame.place == own if own else not (frame.in_runtime or frame.in_layer)
        if is_programs and not frame.in_libc:
            return call, frame.place or frame.function
        if not frame.in_header:
            state = state_in(frame.function) if frame.in_runtime else None
            is_construct = state is not None and state is not State.BLOCKED
            call = state.value if state is not None and is_construct else frame.function
            call = call.removeprefix("P") if call.startswith("PMPI_") else call
    return call, ""
