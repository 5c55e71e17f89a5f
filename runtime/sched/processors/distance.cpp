// SPDX-License-Identifier: Apache-2.0
#include "sched/processors/distance.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>

namespace bobbin {
namespace {

// The groups that a processor is in, from the smallest to the largest below the machine.
constexpr struct {
  unsigned Processor::* number;
  Nearness kind;
} kGroups[] = {{&Processor::core, Nearness::Core},
               {&Processor::cache, Nearness::Cache},
               {&Processor::numa, Nearness::Node},
               {&Processor::package, Nearness::Package}};

// How many groups of this kind there are.
unsigned groups_in(const Topology& topology, unsigned Processor::* group) {
  return topology[topology.count() - 1].*group + 1;  // the numbers are dense and ascend
}

}  // namespace

void Distance::clear() {
  std::free(groups_);
  groups_ = positions_ = caches_ = nullptr;
  levels_ = 1;
  kinds_[0] = Nearness::Machine;
  kinds_of_cores_ = 1;
  span_ = processors_ = 0;
}

void Distance::fill(const Topology& topology) {
  static_assert(std::size(kGroups) == kMostLevels - 1);
  const unsigned count = topology.count();
  if (count == 0 || count >= kNoGroup) return;
  unsigned span = 0;
  for (unsigned i = 0; i < count; ++i) span = std::max(span, topology[i].cpu + 1);
  auto* table =
      static_cast<std::uint16_t*>(std::malloc((kMostLevels + 1) * span * sizeof *groups_));
  if (table == nullptr) return;
  std::fill_n(table, kMostLevels * span, kNoGroup);
  groups_ = table;
  positions_ = table + (kMostLevels - 1) * span;
  caches_ = positions_ + span;
  std::fill_n(caches_, span, 0);
  for (unsigned i = 0; i < count; ++i) {
    caches_[topology[i].cpu] = static_cast<std::uint16_t>(topology[i].cache);
  }
  span_ = span;
  processors_ = count;
  order_by_speed(topology);
  unsigned divided_into = count;
  for (const auto& [group, kind] : kGroups) {
    const unsigned groups = groups_in(topology, group);
    if (groups == divided_into || groups == 1) continue;
    for (unsigned i = 0; i < count; ++i) {
      groups_[(levels_ - 1) * span + topology[i].cpu] =
          static_cast<std::uint16_t>(topology[i].*group);
    }
    kinds_[levels_ - 1] = kind;
    kinds_[levels_++] = Nearness::Machine;
    divided_into = groups;
  }
}

void Distance::order_by_speed(const Topology& topology) {
  std::fill_n(positions_, span_, kNoGroup);
  unsigned position = 0;
  kinds_of_cores_ = 0;
  for (unsigned bound = UINT_MAX; position < processors_; ++kinds_of_cores_) {
    kind_begin_[kinds_of_cores_] = position;
    unsigned fastest = 0;
    for (unsigned i = 0; i < processors_; ++i) {
      if (topology[i].speed < bound) fastest = std::max(fastest, topology[i].speed);
    }
    if (kinds_of_cores_ == kMostKinds - 1) fastest = 0;
    for (unsigned i = 0; i < processors_; ++i) {
      const Processor& here = topology[i];
      if (here.speed >= bound || here.speed < fastest) continue;
      positions_[here.cpu] = static_cast<uint16_t>(position++);
    }
    bound = fastest;
  }
  std::fill(kind_begin_ + kinds_of_cores_, std::end(kind_begin_), processors_);
}

}  // namespace bobbin
