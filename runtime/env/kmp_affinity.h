// SPDX-License-Identifier: Apache-2.0
//
// KMP_AFFINITY, as Intel's and LLVM's runtimes read it: [modifier,...]type[,permute][,offset].
#pragma once

#include <cstdint>
#include <string_view>

#include "env/place_syntax.h"

namespace bobbin {

enum class AffinityType : std::uint8_t {
  NotGiven,
  None,      // threads are not bound; `disabled` says the same here
  Compact,   // thread n + 1 as near to thread n as can be
  Scatter,   // as far as can be
  Balanced,  // spread over the cores, neighbours in number side by side
  Explicit,  // as the list of processors has it
};

struct KmpAffinity {
  AffinityType type = AffinityType::NotGiven;
  PlaceUnit granularity = PlaceUnit::Cores;  // what a thread may move about in
  bool verbose = false;
  bool only_modifiers = false;  // no type was named
  unsigned permute = 0;
  unsigned offset = 0;
  std::string_view processors;  // what stands between the brackets of proclist=[...]

  // Whether it, and not other variables, says how threads are bound.
  bool decides() const { return type != AffinityType::NotGiven && !only_modifiers; }
};

// What is wrong with a text that is no KMP_AFFINITY.
enum class AffinityFault : std::uint8_t {
  None,
  Syntax,
  ListMissing,  // `explicit` without a list of processors
  ListUnused,   // such a list with another type
};
AffinityFault parse_kmp_affinity(std::string_view text, KmpAffinity& affinity);

// The places that the list of an Explicit one names.
bool parse_processor_list(std::string_view text, PlaceVisitor& visitor);

std::string_view affinity_type_name(AffinityType type);

}  // namespace bobbin
