// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process_list.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "insight/live/process/layout.h"
#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"
#include "insight/live/process/proc.h"
#include "insight/live/python/python_stacks.h"

namespace bobbin::insight {

namespace fs = std::filesystem;

namespace {

std::vector<int> all_processes() {
  std::vector<int> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    int number = 0;
    const auto [rest, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (bad == std::errc() && rest == name.data() + name.size()) found.push_back(number);
  }
  return found;
}

}  // namespace

// A process, with what stays from look to look.
struct ProcessList::Watched {
  Watched(int process, LiveModules mapped)
      : number(process),
        memory(process),
        modules(std::move(mapped)),
        layout(memory, *modules.runtime()),
        reader(memory, layout),
        python(std::in_place, memory, modules) {}

  // What the process has mapped since.
  void learn(LiveModules mapped) {
    modules = std::move(mapped);
    if (!python->knows_interpreter()) python.emplace(memory, modules);
  }

  std::string place_of(uint64_t code) {
    const auto [known, is_new] = places.try_emplace(code);
    // places_of_calls() looks at the instruction before the address.
    if (is_new) known->second = places_of_calls({modules.address_of(code + 1)}).front().text();
    return known->second;
  }

  void add_threads(ListedProcess& listed) {
    const LiveProcess now = reader.read();
    for (const LiveThread& thread : now.threads) {
      listed.threads++;
      listed.queued += thread.queued;
      const bool works = thread.state == LiveState::Runs && !thread.waits;
      (works ? listed.working : listed.waiting)++;
    }
    std::map<int, std::string> lines;  // of Python, by root
    std::map<std::tuple<uint64_t, unsigned, std::string>, unsigned> regions;
    for (const LiveRegion& region : now.regions) {
      const auto [line, is_new] = lines.try_emplace(region.root);
      if (is_new) line->second = path_text(own_and_innermost(python->of(region.root)));
      regions[{region.code, region.size, line->second}]++;
    }
    for (const auto& [region, count] : regions) {
      const auto& [code, size, from] = region;
      listed.regions.push_back({place_of(code), size, count, from});
    }
  }

  ListedProcess look() {
    ListedProcess listed;
    listed.process = number;
    listed.command = command_of(number);
    listed.kernel_threads = kernel_threads_of(number);
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last).count();
    const double used = processor_seconds_of(number);
    if (seconds > 0) listed.processors = std::max(0.0, (used - used_before) / seconds);
    last = now;
    used_before = used;
    add_threads(listed);
    return listed;
  }

  int number;
  Memory memory;
  LiveModules modules;
  Layout layout;
  ThreadReader reader;
  std::optional<PythonStacks> python;
  std::map<uint64_t, std::string> places;  // by code
  Clock::time_point last = Clock::now();
  double used_before = processor_seconds_of(number);
};

// Reads the files that a process has mapped only if there may be others than before.
void ProcessList::look_again(int process, Known& known) {
  const ProcessImage image = image_of(process);
  if (image == known.image) return;
  LiveModules modules(process);
  if (modules.runtime() == nullptr) {
    known.watched = nullptr;
  } else if (known.watched != nullptr && image.is_same_program(known.image)) {
    known.watched->learn(std::move(modules));
  } else {
    known.watched = std::make_unique<Watched>(process, std::move(modules));
  }
  known.image = image;
}

ProcessList::ProcessList() = default;
ProcessList::~ProcessList() = default;

std::vector<ListedProcess> ProcessList::look() {
  std::vector<ListedProcess> found;
  std::map<int, Known> still;
  for (const int process : all_processes()) {
    Known& known = still[process];
    if (const auto before = known_.find(process); before != known_.end()) {
      known = std::move(before->second);
    }
    try {
      look_again(process, known);
      if (known.watched != nullptr) found.push_back(known.watched->look());
    } catch (const Unreadable& error) {
      ListedProcess listed;
      listed.process = process;
      listed.command = command_of(process);
      listed.problem = error.what();
      found.push_back(listed);
    }
  }
  known_ = std::move(still);
  std::stable_sort(found.begin(), found.end(), [](const ListedProcess& a, const ListedProcess& b) {
    return a.processors > b.processors;
  });
  return found;
}

}  // namespace bobbin::insight
