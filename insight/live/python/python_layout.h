// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"

namespace bobbin::insight {

// A place in a structure of the interpreter, in bytes from its begin.
enum class PythonField : uint8_t {
  Interpreters,
  NextInterpreter,
  Threads,
  NextThread,
  KernelThread,
  Frame,  // of a thread; up to 3.12 by way of its C frame
  FrameOfCFrame,
  Code,
  PreviousFrame,
  Instruction,
  Owner,
  File,
  Function,
  FirstLine,
  Locations,
  Instructions,
  Type,
  BytesLength,
  Bytes,
  TextLength,
  TextState,
  AsciiText,
  OtherTextEnd,
};
constexpr size_t kPythonFields = static_cast<size_t>(PythonField::OtherTextEnd) + 1;

// How the CPython of a process lays out its data.
struct PythonLayout {
  // The structure has no such field.
  static constexpr uint64_t kNone = UINT64_MAX;

  // Nothing: the process has no interpreter, or one of another version.
  static std::optional<PythonLayout> of(const Memory& memory, const LiveModules& modules);

  uint64_t operator[](PythonField field) const { return fields[static_cast<size_t>(field)]; }

  std::array<uint64_t, kPythonFields> fields{};
  uint64_t runtime = 0;  // the address of _PyRuntime
  uint64_t code_type = 0;
  uint64_t text_type = 0;
  uint64_t bytes_type = 0;
};

}  // namespace bobbin::insight
