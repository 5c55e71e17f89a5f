// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_report.h"

#include <vector>

#include "insight/live/process/layout.h"
#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"
#include "insight/live/process/threads.h"
#include "insight/live/python/python_stacks.h"
#include "insight/report/text.h"

namespace bobbin::insight {

std::string python_stacks_text(int process) try {
  const Memory memory(process);
  const LiveModules modules(process);
  const LiveModule* runtime = modules.runtime();
  if (runtime == nullptr) return {};
  const Layout layout(memory, *runtime);
  PythonStacks stacks(memory, modules);
  std::string out;
  for (const LiveThread& thread : ThreadReader(memory, layout).read().threads) {
    if (!thread.is_root) continue;
    const std::vector<PythonFrame> frames = stacks.of(thread.root);
    if (frames.empty()) continue;
    print(out, "\nPython (LWP %d), the innermost first:\n", thread.root);
    for (const PythonFrame& frame : frames) print(out, "  %s\n", frame.text().c_str());
  }
  return out;
} catch (const Unreadable&) {
  return {};  // gdb's commands tell it
}

}  // namespace bobbin::insight
