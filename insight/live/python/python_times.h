// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"
#include "insight/live/process/threads.h"
#include "insight/live/python/python_stacks.h"
#include "insight/report/profiles/profile.h"

namespace bobbin::insight {

// Where a Python program spends its time, by its lines and the regions that they open.
class PythonTimes {
 public:
  PythonTimes(const Memory& memory, const LiveModules& modules)
      : modules_(modules), stacks_(memory, modules) {}

  // What each root that executes Python does counts for so many seconds. Its stack may change at
  // any time, so this follows at once after `process` was read.
  void look(const LiveProcess& process, double seconds);

  // At this look a thread under the root is at work.
  void add_work_under(int root);

  // Those that took most time come first.
  std::vector<PythonFigures> figures() const;

 private:
  struct Spent {
    double seconds = 0;
    double working = 0;
    uint64_t looks = 0;
  };
  using Key = std::pair<std::vector<PythonFrame>, uint64_t>;  // with the code of the region

  const LiveModules& modules_;
  PythonStacks stacks_;
  std::map<Key, Spent> spent_;
  double seconds_ = 0;         // of this look
  std::map<int, Spent*> now_;  // what counts at this look, by the root
};

}  // namespace bobbin::insight
