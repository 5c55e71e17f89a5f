# SPDX-License-Identifier: Apache-2.0
"""Kernel threads, suspended fibers, and the frames of either.

A suspended fiber is not shown by setting a kernel thread's registers, because a core file cannot be
changed, and a process should not be. Instead an unwinder says that the newest frame of the selected
kernel thread was called from the fiber.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import gdb
import gdb.unwinder

# The names of the stack pointer, of the program counter and of the thread pointer.
_REGISTERS = {
    "i386:x86-64": ("rsp", "rip", "fs_base"),
    "aarch64": ("sp", "pc", "tpidr"),
}


def _registers() -> tuple[str, str, str]:
    name = gdb.selected_inferior().architecture().name()
    for known, names in _REGISTERS.items():
        if name.startswith(known):
            return names
    raise gdb.GdbError(f"Bobbin does not run on {name}")


@dataclass(frozen=True)
class Suspended:
    """The registers of a fiber: the stack pointer, and the instruction that tells the others."""

    sp: int
    pc: int


class _FrameId:
    def __init__(self, sp: gdb.Value, pc: gdb.Value) -> None:
        self.sp = sp
        self.pc = pc


class _FiberUnwinder(gdb.unwinder.Unwinder):
    """Shows one suspended fiber below the newest frame of the selected thread."""

    def __init__(self) -> None:
        super().__init__("bobbin-fiber")
        self._fiber: Suspended | None = None
        self._at = (0, 0)  # the registers of the thread that was selected

    def exchange(self, state: tuple[Suspended | None, tuple[int, int]]) -> None:
        self._fiber, self._at = state
        gdb.invalidate_cached_frames()

    def state(self) -> tuple[Suspended | None, tuple[int, int]]:
        return self._fiber, self._at

    def show(self, fiber: Suspended | None) -> None:
        self._fiber = None
        gdb.invalidate_cached_frames()
        if fiber is None:
            return
        frame = gdb.newest_frame()
        sp_name, pc_name, _ = _registers()
        self._at = (int(frame.read_register(sp_name)), int(frame.read_register(pc_name)))
        self._fiber = fiber
        gdb.invalidate_cached_frames()

    def __call__(self, pending_frame: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        if self._fiber is None:
            return None
        sp_name, pc_name, _ = _registers()
        sp, pc = pending_frame.read_register(sp_name), pending_frame.read_register(pc_name)
        if (int(sp), int(pc)) != self._at:
            return None
        # gdb takes a frame for corrupt if it is below the one that it called.
        fiber_sp = gdb.Value(self._fiber.sp).cast(sp.type)
        info = pending_frame.create_unwind_info(_FrameId(fiber_sp, pc))
        info.add_saved_register(sp_name, fiber_sp)
        info.add_saved_register(pc_name, gdb.Value(self._fiber.pc).cast(pc.type))
        return info


_unwinder = _FiberUnwinder()


def register() -> None:
    gdb.unwinder.register_unwinder(None, _unwinder, replace=True)


def show(fiber: Suspended | None) -> None:
    """From now on gdb's own commands show the fiber's frames, too; None: only the thread's."""
    _unwinder.show(fiber)


def first_frame_of(fiber: Suspended) -> gdb.Frame | None:
    """While it is shown: the frame of the function that it called to leave its stack."""
    frame: gdb.Frame | None = gdb.newest_frame()
    while frame is not None and frame.pc() != fiber.pc:
        frame = frame.older()
    return frame.older() if frame is not None else None


@contextmanager
def _kept_selection() -> Iterator[None]:
    thread = gdb.selected_thread()
    shown = _unwinder.state()
    show(None)
    try:
        yield
    finally:
        if thread is not None and thread.is_valid():
            thread.switch()
        _unwinder.exchange(shown)


def _frames_from(frame: gdb.Frame | None) -> Iterator[gdb.Frame]:
    while frame is not None:
        yield frame
        try:
            frame = frame.older()
        except gdb.error:
            return


# libthread_db takes fibers for threads, too, with ids above all that the kernel gives out.
_HIGHEST_LWP = 1 << 22

Place = Suspended | gdb.InferiorThread


@contextmanager
def frames_of(place: Place) -> Iterator[Iterator[gdb.Frame]]:
    """The frames of a kernel thread or of a suspended fiber, the newest first."""
    with _kept_selection():
        if isinstance(place, Suspended):
            show(place)
            yield _frames_from(first_frame_of(place))
        else:
            place.switch()
            yield _frames_from(gdb.newest_frame())


def kernel_threads() -> dict[int, gdb.InferiorThread]:
    """By thread pointer, which says which OpenMP thread the kernel thread carries."""
    found: dict[int, gdb.InferiorThread] = {}
    name = _registers()[2]
    with _kept_selection():
        for thread in gdb.selected_inferior().threads():
            if thread.ptid[1] > _HIGHEST_LWP:
                continue
            thread.switch()
            value = gdb.newest_frame().read_register(name)
            found[int(value) & (1 << 64) - 1] = thread
    return found
