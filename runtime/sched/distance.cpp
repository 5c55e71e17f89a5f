// SPDX-License-Identifier: Apache-2.0
#include "sched/distance.h"

#include <algorithm>
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
  groups_ = positions_ = nullptr;
  levels_ = 1;
  kinds_[0] = Nearness::Machine;
  span_ = processors_ = 0;
}

void Distance::fill(const Topology& topology) {
  static_assert(std::size(kGroups) == kMostLevels - 1);
  const unsigned count = topology.count();
  if (count == 0 || count >= kNoGroup) return;
  unsigned span = 0;
  for (unsigned i = 0; i < count; ++i) span = std::max(span, topology[i].cpu + 1);
  auto* table = static_cast<std::uint16_t*>(std::malloc(kMostLevels * span * sizeof *groups_));
  if (table == nullptr) return;
  std::fill_n(table, kMostLevels * span, kNoGroup);
  groups_ = table;
  positions_ = table + (kMostLevels - 1) * span;
  span_ = span;
  processors_ = count;
  for (unsigned i = 0; i < span; ++i) positions_[i] = 0;
  for (unsigned i = 0; i < count; ++i) positions_[topology[i].cpu] = static_cast<uint16_t>(i);
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

}  // namespace bobbin
