// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_times.h"

#include <algorithm>

namespace bobbin::insight {

void PythonTimes::look(const LiveProcess& process, double seconds) {
  seconds_ = seconds;
  now_.clear();
  for (const LiveThread& thread : process.threads) {
    if (!thread.is_root) continue;
    const std::vector<PythonFrame> frames = own_and_innermost(stacks_.of(thread.root));
    if (frames.empty()) continue;
    Spent& spent = spent_[{frames, thread.level != 0 ? thread.code : 0}];
    spent.seconds += seconds;
    spent.looks++;
    now_[thread.root] = &spent;
  }
}

void PythonTimes::add_work_under(int root) {
  const auto found = now_.find(root);
  if (found != now_.end()) found->second->working += seconds_;
}

std::vector<PythonFigures> PythonTimes::figures() const {
  std::vector<PythonFigures> found;
  std::vector<CodeAddress> regions;
  for (const auto& [key, spent] : spent_) {
    const auto& [frames, code] = key;
    found.push_back({.frames = frames,
                     .in_region = code != 0,
                     .region = {},
                     .seconds = spent.seconds,
                     .working = spent.working,
                     .samples = spent.looks});
    // places_of_calls() looks at the instruction before the address.
    regions.push_back(code != 0 ? modules_.address_of(code + 1) : CodeAddress{});
  }
  const std::vector<Place> places = places_of_calls(regions);
  for (size_t i = 0; i < found.size(); i++) found[i].region = places[i];
  std::stable_sort(found.begin(), found.end(), [](const PythonFigures& a, const PythonFigures& b) {
    return a.seconds > b.seconds;
  });
  return found;
}

}  // namespace bobbin::insight
