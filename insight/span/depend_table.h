// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "insight/span/node.h"
#include "omp-tools.h"

namespace bobbin::insight {

// The order of the child tasks of one task by their dependences (OpenMP 5.2, section 15.9.5). The
// runtime does not tell pairs of which the first has ended, so the tool looks for itself.
//
// At each address there is the present set of tasks that need not wait for each other, because all
// of them read, or are of an inoutset, and the set before, for which they wait. Tasks that exclude
// each other (mutexinoutset) are taken for a set, because their order is free.
class DependTable {
 public:
  static DependTable* create();
  static void destroy(DependTable* table);

  // The node waits for what was there before it.
  void add(Node& node, const ompt_dependence_t* dependences, int count);

 private:
  struct Entry {
    uint64_t address = 0;
    bool used = false;
    ompt_dependence_type_t type = ompt_dependence_type_out;
    NodeList before;
    NodeList present;
  };

  static Entry& place_of(uint64_t address, Entry* entries, uint32_t size);
  Entry* find(uint64_t address);
  bool grow();
  void add_at(Node& node, uint64_t address, ompt_dependence_type_t type);
  void add_at_all(Node& node);
  void forget_entries();

  Entry* entries_ = nullptr;
  uint32_t size_ = 0;  // a power of two
  uint32_t used_ = 0;
  NodeList everything_;  // the last task that waited for all addresses
};

}  // namespace bobbin::insight
