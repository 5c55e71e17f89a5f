// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "insight/live/process/calls.h"
#include "insight/live/process/entry_points.h"
#include "insight/live/process/modules.h"
#include "insight/live/process/threads.h"
#include "insight/record/site_kind.h"
#include "insight/report/symbols/elf_symbols.h"

namespace bobbin::insight {

// What a thread does at one moment, and where: the address behind a call, or behind the begin of a
// function (places_of_calls() takes either); 0: not known.
struct LiveActivity {
  SiteKind kind = SiteKind::None;
  uint64_t code = 0;
  uint64_t function = 0;  // in which it is, if it executes the program's own code
};

// Tells it for the threads of a process.
class ActivityReader {
 public:
  ActivityReader(int process, const Memory& memory, const LiveModules& modules)
      : process_(process), modules_(modules), calls_(memory, modules) {}

  LiveActivity of(const LiveThread& thread);

 private:
  LiveActivity in_runtime(const LiveThread& thread, uint64_t sp);
  LiveActivity at_work(const LiveThread& thread, uint64_t pc, uint64_t sp);
  const ElfSymbols& symbols_of(const LiveModule& module);
  uint64_t begin_of_function(uint64_t code);
  std::string function_at(uint64_t code);
  // What calls of an entry point tell of a thread that is in the runtime.
  struct Entry {
    bool is_openmp = false;        // rather than a function of the C library that Bobbin interposes
    std::optional<SiteKind> kind;  // nothing: a thread waits for nobody there
  };
  Entry entry_at(uint64_t address);
  uint64_t function_of_task(uint64_t pc, uint64_t sp);

  int process_;
  const LiveModules& modules_;
  Calls calls_;
  EntryPoints entry_points_;
  std::map<std::string, ElfSymbols> symbols_;  // by file
  std::map<uint64_t, Entry> entries_;
};

}  // namespace bobbin::insight
