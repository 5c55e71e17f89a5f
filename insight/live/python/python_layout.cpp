// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_layout.h"

#include <cstring>
#include <string>

#include "insight/report/symbols/elf_symbols.h"

namespace bobbin::insight {
namespace {

constexpr uint64_t kNone = PythonLayout::kNone;

// By PythonField. From 3.13 on the interpreter tells the places itself, in the structure
// _Py_DebugOffsets with which _PyRuntime begins: then this is where in that structure. The numbers
// are those that `offsetof` gives with the headers of 3.11.2, 3.11.7, 3.12.1 and 3.13.0 on 64-bit
// Linux (docs/references.md).
struct Row {
  uint64_t in_3_11;
  uint64_t in_3_12;
  uint64_t told_in_3_13;
};
constexpr Row kRows[] = {
    {40, 40, 40},     // _PyRuntimeState.interpreters.head
    {0, 0, 64},       // PyInterpreterState.next
    {16, 72, 72},     // PyInterpreterState.threads.head
    {8, 8, 168},      // PyThreadState.next
    {160, 144, 200},  // PyThreadState.native_thread_id
    {56, 56, 184},    // PyThreadState.cframe; from 3.13 on current_frame
    {8, 0, kNone},    // _PyCFrame.current_frame
    {32, 0, 240},     // _PyInterpreterFrame.f_code; from 3.13 on f_executable
    {48, 8, 232},     // _PyInterpreterFrame.previous
    {56, 56, 248},    // _PyInterpreterFrame.prev_instr; from 3.13 on instr_ptr
    {69, 70, 264},    // _PyInterpreterFrame.owner
    {112, 112, 280},  // PyCodeObject.co_filename
    {128, 128, 296},  // PyCodeObject.co_qualname
    {72, 68, 312},    // PyCodeObject.co_firstlineno
    {136, 136, 304},  // PyCodeObject.co_linetable
    {184, 192, 344},  // PyCodeObject.co_code_adaptive
    {8, 8, 360},      // PyObject.ob_type
    {16, 16, 520},    // PyVarObject.ob_size
    {32, 32, 528},    // PyBytesObject.ob_sval
    {16, 16, 552},    // PyASCIIObject.length
    {32, 32, 544},    // PyASCIIObject.state
    {48, 40, 560},    // sizeof(PyASCIIObject)
    {80, 64, 536},    // sizeof(PyUnicodeObject), whose last member lies where other text begins
};
static_assert(std::size(kRows) == kPythonFields);

constexpr char kCookie[] = "xdebugpy";
constexpr uint64_t kVersion = 8;  // in _Py_DebugOffsets
constexpr uint64_t kFarthest = 1u << 20;

// What the interpreter tells of itself; nothing: it is inconsistent.
bool ask(const Memory& memory, PythonLayout& layout, uint64_t version) {
  char cookie[sizeof kCookie - 1] = {};
  memory.read(layout.runtime, cookie, sizeof cookie);
  if (std::memcmp(cookie, kCookie, sizeof cookie) != 0) return false;
  if (memory.u64(layout.runtime + kVersion) != version) return false;
  for (size_t i = 0; i < kPythonFields; i++) {
    const uint64_t told = kRows[i].told_in_3_13;
    layout.fields[i] = told == kNone ? kNone : memory.u64(layout.runtime + told);
    if (told != kNone && layout.fields[i] > kFarthest) return false;
  }
  return true;
}

bool fill(const Memory& memory, PythonLayout& layout, uint64_t version) {
  // PY_VERSION_HEX: two digits each for the major, minor and micro version, then the kind of
  // release. Earlier ones than candidates (c) may be laid out otherwise.
  if ((version >> 4 & 0xf) < 0xc) return false;
  switch (version >> 16) {
    case 0x030b:
      for (size_t i = 0; i < kPythonFields; i++) layout.fields[i] = kRows[i].in_3_11;
      return true;
    case 0x030c:
      for (size_t i = 0; i < kPythonFields; i++) layout.fields[i] = kRows[i].in_3_12;
      return true;
    case 0x030d:
      return ask(memory, layout, version);
    default:
      return false;
  }
}

// Whether the file may be an interpreter. Its symbols tell, but reading them takes a while.
bool may_be_python(const LiveModule& module) {
  const std::string name = module.path.filename();
  return name.starts_with("python") || name.starts_with("libpython");
}

}  // namespace

std::optional<PythonLayout> PythonLayout::of(const Memory& memory, const LiveModules& modules) {
  for (const LiveModule& module : modules.all()) {
    if (!may_be_python(module)) continue;
    const ElfSymbols symbols(module.path);
    bool complete = true;
    const auto address_of = [&](const char* name) {
      const uint64_t offset = symbols.offset_of_object(name);
      complete = complete && offset != 0;
      return module.base + offset;
    };
    PythonLayout layout;
    layout.runtime = address_of("_PyRuntime");
    layout.code_type = address_of("PyCode_Type");
    layout.text_type = address_of("PyUnicode_Type");
    layout.bytes_type = address_of("PyBytes_Type");
    const uint64_t version = memory.u64(address_of("Py_Version"));
    if (complete && fill(memory, layout, version)) return layout;
  }
  return std::nullopt;
}

}  // namespace bobbin::insight
