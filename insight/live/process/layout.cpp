// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/layout.h"

#include <cstring>

#include "insight/report/symbols/elf_symbols.h"

namespace bobbin::insight {
namespace {

constexpr const char* kTable = "bobbin_debugger_v1";

struct Entry {
  uint64_t name;
  uint64_t value;
};

std::string text_at(const Memory& memory, uint64_t at) {
  char text[80];
  return {text, strnlen(text, memory.read(at, text, sizeof text))};
}

}  // namespace

Layout::Layout(const Memory& memory, const LiveModule& runtime) {
  const ElfSymbols symbols(runtime.path);
  const uint64_t offset = symbols.offset_of_object(kTable);
  const uint64_t count = symbols.size_of_object(kTable) / sizeof(Entry);
  if (count < 2) throw OtherVersion(runtime.path.string() + " has no table of its data");
  const uint64_t table = runtime.base + offset;
  // An entry without a name ends the table.
  for (uint64_t number = 0; number < count - 1; number++) {
    Entry entry{};
    memory.read(table + number * sizeof entry, &entry, sizeof entry);
    const std::string name = text_at(memory, entry.name);
    // The loader has not written its address yet, or the process now executes another program.
    if (name.empty()) throw StillLoading();
    values_[name] = entry.value;
  }
}

uint64_t Layout::operator[](const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw OtherVersion("the process runs on a Bobbin of another version than this command: " +
                       name + " is not described");
  }
  return found->second;
}

}  // namespace bobbin::insight
