// SPDX-License-Identifier: Apache-2.0
#include "env/tools.h"

#include <dlfcn.h>

#include "env/settings.h"
#include "platform/diagnostics.h"

namespace bobbin {
namespace {

// Is the file that has this function an OpenMP runtime itself? The runtimes of LLVM and Intel
// define ompt_start_tool too, and a copy under another name may be mapped beside Bobbin.
bool is_runtime(const Dl_info& file) {
  void* handle = dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  void* entry = dlsym(handle, "__kmpc_fork_call");
  Dl_info owner;
  bool own = entry != nullptr && dladdr(entry, &owner) != 0 && owner.dli_fbase == file.dli_fbase;
  dlclose(handle);
  return own;
}

}  // namespace

void warn_of_tools() {
  if (global_icvs().tool == ToolState::Disabled) return;
  if (const char* list = global_icvs().tool_libraries) {
    warn("OMP_TOOL_LIBRARIES='%.200s': there is no tools interface (OMPT) yet; no tool is loaded",
         list);
  }
  void* start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  Dl_info file;
  if (start == nullptr || dladdr(start, &file) == 0 || is_runtime(file)) return;
  warn("%s has a tool (ompt_start_tool): there is no tools interface (OMPT) yet; nothing calls it",
       file.dli_fname);
}

}  // namespace bobbin
