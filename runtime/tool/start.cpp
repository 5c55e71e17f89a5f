// SPDX-License-Identifier: Apache-2.0
#include "tool/start.h"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "platform/raised_privileges.h"
#include "platform/text.h"
#include "tool/events.h"
#include "tool/own_events.h"

// The linker exports the definition of a program that it links with the library because of this.
extern "C" [[gnu::weak]] ompt_start_tool_result_t* ompt_start_tool(unsigned int, const char*);

namespace bobbin::tool {
namespace {

using StartTool = ompt_start_tool_result_t* (*)(unsigned int, const char*);

constexpr unsigned kVersion = 202111;  // _OPENMP of OpenMP 5.2
constexpr const char* kRuntime = "Bobbin";

ompt_start_tool_result_t* active = nullptr;
Atomic<bool> finalized{false};

// Is the file that has this function an OpenMP runtime itself? The runtimes of LLVM and Intel
// define ompt_start_tool too, and a copy under another name may be mapped beside Bobbin.
bool in_runtime(StartTool function) {
  Dl_info file;
  if (dladdr(reinterpret_cast<void*>(function), &file) == 0) return false;
  void* handle = dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  void* entry = dlsym(handle, "__kmpc_fork_call");
  Dl_info owner;
  const bool own =
      entry != nullptr && dladdr(entry, &owner) != 0 && owner.dli_fbase == file.dli_fbase;
  dlclose(handle);
  return own;
}

StartTool linked_tool() {
  StartTool function = ompt_start_tool;
  if (function == nullptr) {
    function = reinterpret_cast<StartTool>(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  }
  return function != nullptr && !in_runtime(function) ? function : nullptr;
}

// Says what tool-verbose-init-var asks for.
class Log {
 public:
  explicit Log(const char* where) {
    if (equal_ignoring_case(where, "stdout")) {
      file_ = stdout;
    } else if (equal_ignoring_case(where, "stderr")) {
      file_ = stderr;
    } else if (!equal_ignoring_case(where, "disabled") && !has_raised_privileges()) {
      file_ = opened_ = fopen(where, "we");
      if (opened_ == nullptr) warn("OMP_TOOL_VERBOSE_INIT: cannot write to '%.200s'", where);
    }
  }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (opened_ != nullptr) fclose(opened_);
  }

  [[gnu::format(printf, 2, 3)]] void say(const char* format, ...) {
    if (file_ == nullptr) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file_, format, arguments);
    va_end(arguments);
    fflush(file_);
  }

 private:
  FILE* file_ = nullptr;
  FILE* opened_ = nullptr;
};

ompt_start_tool_result_t* ask(Log& log, StartTool function, const char* where) {
  ompt_start_tool_result_t* result = function(kVersion, kRuntime);
  log.say("bobbin: tool: ompt_start_tool in %s: %s\n", where,
          result != nullptr ? "starts" : "declines");
  return result;
}

// tool-libraries-var has names separated by colons.
ompt_start_tool_result_t* search(Log& log, const char* libraries) {
  char* names = strdup(libraries);
  if (names == nullptr) return nullptr;
  ompt_start_tool_result_t* found = nullptr;
  char* rest = names;
  while (char* name = strsep(&rest, ":")) {
    if (*name == '\0') continue;
    void* library = dlopen(name, RTLD_LAZY);
    if (library == nullptr) {
      log.say("bobbin: tool: %s\n", dlerror());
      continue;
    }
    auto function = reinterpret_cast<StartTool>(dlsym(library, "ompt_start_tool"));
    if (function == nullptr) {
      log.say("bobbin: tool: %s has no ompt_start_tool\n", name);
    } else if ((found = ask(log, function, name)) != nullptr) {
      break;
    }
    dlclose(library);
  }
  free(names);
  return found;
}

ompt_start_tool_result_t* find(Log& log, const char* libraries) {
  ompt_start_tool_result_t* found = nullptr;
  if (StartTool function = linked_tool()) found = ask(log, function, "the program");
  if (found != nullptr || libraries == nullptr) return found;
  if (!has_raised_privileges()) return search(log, libraries);
  log.say("bobbin: tool: OMP_TOOL_LIBRARIES is ignored: the program has raised privileges\n");
  return nullptr;
}

}  // namespace

void look_for_tool() {
  const char* libraries = getenv("OMP_TOOL_LIBRARIES");
  watched = (libraries != nullptr && *libraries != '\0') || linked_tool() != nullptr;
}

bool start_tool(ompt_function_lookup_t lookup, bool enabled, const char* libraries,
                const char* verbose) {
  Log log(verbose);
  if (!enabled) log.say("bobbin: tool: OMP_TOOL=disabled\n");
  // Without a tool the loader is not asked: another thread may have its lock, and wait for this
  // one.
  active = enabled && watched ? find(log, libraries) : nullptr;
  if (active != nullptr) {
    // A tool that returns 0 does not want to be active.
    constexpr int kHost = 0;
    watched = true;
    if (active->initialize(lookup, kHost, &active->tool_data) == 0) active = nullptr;
    log.say("bobbin: tool: %s\n", active != nullptr ? "active" : "it does not want to be active");
  } else {
    log.say("bobbin: tool: none\n");
  }
  if (watched && active == nullptr) watched = false;
  return watched;
}

void finalize_tool() {
  if (active == nullptr || finalized.exchange(true, acq_rel)) return;
  if (active->finalize != nullptr) active->finalize(&active->tool_data);
  forget_callbacks();
  forget_own_callbacks();
  watched = false;
}

}  // namespace bobbin::tool
