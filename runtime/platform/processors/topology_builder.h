// SPDX-License-Identifier: Apache-2.0
//
// The common part of the sources of a topology. A source names groups by any numbers that it has (a
// package id, the first processor of a core). The builder makes the dense numbers and the order of
// the list.
#pragma once

#include <cstdlib>

#include "platform/processors/topology.h"

namespace bobbin {

struct TopologyBuilder {
  explicit TopologyBuilder(unsigned capacity)
      : processors(static_cast<Processor*>(std::malloc(capacity * sizeof(Processor)))) {}
  ~TopologyBuilder() { std::free(processors); }
  TopologyBuilder(const TopologyBuilder&) = delete;
  TopologyBuilder& operator=(const TopologyBuilder&) = delete;

  void add(const Processor& processor) { processors[count++] = processor; }

  // Replaces measures of speed by the numbers of kinds, from the slowest. Cores whose measures
  // differ by less than a quarter are of one kind, because equal cores may differ by some per cent.
  void rank_speeds() {
    constexpr unsigned kMostKinds = 8;
    unsigned slowest[kMostKinds];
    unsigned kinds = 0;
    for (unsigned bound = 0; kinds < kMostKinds; ++kinds) {
      bool found = false;
      for (unsigned i = 0; i < count; ++i) {
        const unsigned speed = processors[i].speed;
        if (speed < bound || (found && speed >= slowest[kinds])) continue;
        slowest[kinds] = speed;
        found = true;
      }
      if (!found) break;
      bound = slowest[kinds] + slowest[kinds] / 4 + 1;
    }
    for (unsigned i = 0; i < count; ++i) {
      unsigned kind = 0;
      while (kind + 1 < kinds && processors[i].speed >= slowest[kind + 1]) ++kind;
      processors[i].speed = kind;
    }
  }

  void finish(Topology& topology) {
    sort();
    number();
    std::free(topology.processors_);
    topology.processors_ = processors;
    topology.count_ = count;
    processors = nullptr;
  }

  Processor* processors;
  unsigned count = 0;

 private:
  static bool before(const Processor& a, const Processor& b) {
    if (a.package != b.package) return a.package < b.package;
    if (a.numa != b.numa) return a.numa < b.numa;
    if (a.cache != b.cache) return a.cache < b.cache;
    if (a.core != b.core) return a.core < b.core;
    return a.cpu < b.cpu;
  }

  void sort() {
    std::qsort(processors, count, sizeof(Processor), [](const void* a, const void* b) {
      const auto& p = *static_cast<const Processor*>(a);
      const auto& q = *static_cast<const Processor*>(b);
      return before(p, q) ? -1 : before(q, p) ? 1 : 0;
    });
  }

  // Equal ids mean one group only inside the same enclosing group, because core ids repeat in each
  // package.
  void number() {
    Processor dense{}, last{};
    for (unsigned i = 0; i < count; ++i) {
      const Processor here = processors[i];
      if (i != 0) {
        const bool package = here.package != last.package;
        const bool numa = package || here.numa != last.numa;
        const bool cache = numa || here.cache != last.cache;
        const bool core = cache || here.core != last.core;
        dense.package += package ? 1 : 0;
        dense.numa += numa ? 1 : 0;
        dense.cache += cache ? 1 : 0;
        dense.core += core ? 1 : 0;
      }
      last = here;
      dense.cpu = here.cpu;
      dense.speed = here.speed;
      processors[i] = dense;
    }
  }
};

}  // namespace bobbin
