# SPDX-License-Identifier: Apache-2.0
"""The runtime's data in a process or a core file.

The library exports a table of names with addresses, offsets and other numbers, so that this works
without debug information: runtime/abi/native/debugger_view.cpp.
"""

from __future__ import annotations

import gdb

TABLE = "bobbin_debugger_v1"


class NoRuntimeError(gdb.GdbError):
    """There is no runtime to look at."""


def _read(address: int, size: int) -> int:
    return int.from_bytes(gdb.selected_inferior().read_memory(address, size).tobytes(), "little")


def byte(address: int) -> int:
    return _read(address, 1)


def u32(address: int) -> int:
    return _read(address, 4)


def u64(address: int) -> int:
    return _read(address, 8)


pointer = u64


def _text(address: int) -> str:
    return str(gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string())


class Layout:
    """The table. `layout["Fiber.sp"]` is the offset of that field."""

    def __init__(self) -> None:
        try:
            entry = int(gdb.parse_and_eval(f"(unsigned long) &{TABLE}"))
        except gdb.error:
            raise NoRuntimeError("Bobbin is not loaded: no library has " + TABLE) from None
        self._values: dict[str, int] = {}
        while name := pointer(entry):
            self._values[_text(name)] = u64(entry + 8)
            entry += 16

    def __getitem__(self, name: str) -> int:
        try:
            return self._values[name]
        except KeyError:
            raise NoRuntimeError(
                f"this library does not describe {name}: take the script that came with it"
            ) from None

    def pointer(self, base: int, field: str) -> int:
        return pointer(base + self[field])

    def u32(self, base: int, field: str) -> int:
        return u32(base + self[field])

    def u64(self, base: int, field: str) -> int:
        return u64(base + self[field])

    def byte(self, base: int, field: str) -> int:
        return byte(base + self[field])

    def u32_at(self, name: str) -> int:
        """The number in the variable of that name."""
        return u32(self[name])
