// SPDX-License-Identifier: Apache-2.0
#include "insight/live/layout.h"

#include <cstring>

#include "insight/report/elf_symbols.h"

namespace bobbin::insight {
namespace {

constexpr const char* kTable = "bobbin_debugger_v1";
constexpr int kMostNames = 1000;

std::string text_at(const Memory& memory, uint64_t at) {
  char text[80];
  return {text, strnlen(text, memory.read(at, text, sizeof text))};
}

}  // namespace

Layout::Layout(const Memory& memory, const LiveModule& runtime) {
  const uint64_t table = ElfSymbols(runtime.path).offset_of_object(kTable);
  if (table == 0) throw OtherVersion(runtime.path.string() + " has no table of its data");
  struct Entry {
    uint64_t name;
    uint64_t value;
  };
  for (int number = 0; number < kMostNames; number++) {
    Entry entry{};
    memory.read(runtime.base + table + sizeof entry * number, &entry, sizeof entry);
    if (entry.name == 0) break;
    values_[text_at(memory, entry.name)] = entry.value;
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
