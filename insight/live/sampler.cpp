// SPDX-License-Identifier: Apache-2.0
#include "insight/live/sampler.h"

#include <algorithm>
#include <string>

#include "insight/live/process/proc.h"
#include "omp-tools.h"

namespace bobbin::insight {
namespace {

const LiveModule& runtime_in(const LiveModules& modules) {
  const LiveModule* runtime = modules.runtime();
  if (runtime == nullptr) throw StillLoading();
  return *runtime;
}

}  // namespace

Sampler::Sampler(int process)
    : process_(process),
      memory_(process),
      modules_(process),
      layout_(memory_, runtime_in(modules_)),
      threads_of_(memory_, layout_),
      activities_(process, memory_, modules_),
      python_(memory_, modules_),
      processor_seconds_before_(processor_seconds_of(process)) {}

bool Sampler::look(double seconds) {
  // A process that has ended, or executes another program, has no such memory.
  uint32_t highest = 0;
  if (memory_.read(layout_["pool.highest"], &highest, sizeof highest) != sizeof highest)
    return false;
  seconds_ += seconds;
  looks_++;
  const LiveProcess now = threads_of_.read();
  python_.look(now, seconds);
  for (const LiveThread& one : now.threads) {
    const LiveActivity activity = activities_.of(one);
    if (is_work(activity.kind) || activity.kind == SiteKind::Serial)
      python_.add_work_under(one.root);
    const auto [entry, is_new] = threads_.try_emplace(one.fiber);
    Thread& thread = entry->second;
    if (is_new) thread.order = threads_.size();
    thread.is_root = one.is_root;
    Spent& spent = thread.at[{activity.kind, activity.code}];
    spent.seconds += seconds;
    spent.looks++;
    if (activity.function == 0) continue;
    functions_[activity.function].seconds += seconds;
    functions_[activity.function].looks++;
  }
  return true;
}

ThreadFigures Sampler::figures_of(const Thread& thread) const {
  ThreadFigures figures;
  figures.type = thread.is_root ? ompt_thread_initial : ompt_thread_worker;
  for (const auto& [key, spent] : thread.at) {
    figures.seconds += spent.seconds;
    figures.spent[static_cast<unsigned>(key.first)] += spent.seconds;
  }
  return figures;
}

std::vector<SiteFigures> Sampler::sites() const {
  std::map<Key, SiteFigures> by_key;
  for (const auto& [fiber, thread] : threads_) {
    for (const auto& [key, spent] : thread.at) {
      SiteFigures& site = by_key[key];
      site.seconds += spent.seconds;
      site.count += spent.looks;
      site.threads++;
      site.longest = std::max(site.longest, spent.seconds);
    }
  }
  std::vector<SiteFigures> found;
  std::vector<CodeAddress> addresses;
  for (auto& [key, site] : by_key) {
    site.kind = key.first;
    site.known = key.second != 0;
    found.push_back(site);
    addresses.push_back(site.known ? modules_.address_of(key.second) : CodeAddress{});
  }
  const std::vector<Place> places = places_of_calls(addresses);
  for (size_t i = 0; i < found.size(); i++) found[i].place = places[i];
  std::sort(found.begin(), found.end(),
            [](const SiteFigures& a, const SiteFigures& b) { return a.seconds > b.seconds; });
  return found;
}

std::vector<FunctionFigures> Sampler::functions() const {
  std::vector<FunctionFigures> found;
  std::vector<CodeAddress> addresses;
  for (const auto& [code, spent] : functions_) {
    found.push_back({.place = {}, .seconds = spent.seconds, .samples = spent.looks});
    addresses.push_back(modules_.address_of(code));
  }
  const std::vector<Place> places = places_of_calls(addresses);
  for (size_t i = 0; i < found.size(); i++) found[i].place = places[i];
  std::sort(found.begin(), found.end(), [](const FunctionFigures& a, const FunctionFigures& b) {
    return a.seconds > b.seconds;
  });
  return found;
}

ProcessFigures Sampler::figures() const {
  ProcessFigures process;
  process.process = process_;
  process.command = command_of(process_);
  process.runtime = "Bobbin";
  process.ended_in_order = true;
  process.seconds = seconds_;
  process.samples = looks_;
  process.processor_seconds = processor_seconds_of(process_) - processor_seconds_before_;
  std::vector<const Thread*> in_order;
  in_order.reserve(threads_.size());
  for (const auto& [fiber, thread] : threads_) in_order.push_back(&thread);
  std::sort(in_order.begin(), in_order.end(),
            [](const Thread* a, const Thread* b) { return a->order < b->order; });
  for (const Thread* thread : in_order) process.threads.push_back(figures_of(*thread));
  process.sites = sites();
  process.functions = functions();
  process.python = python_.figures();
  return process;
}

}  // namespace bobbin::insight
