// SPDX-License-Identifier: Apache-2.0
//
// KMP_AFFINITY, as Intel's and LLVM's runtimes read it: [modifier,...]type[,permute][,offset].
#pragma once

#include <cstdint>
#include <string_view>

#include "env/syntax/place_syntax.h"

namespace bobbin {

enum class AffinityType : std::uint8_t {
  NotGiven,
  None,      // threads are not bound; `disabled` means the same here
  Compact,   // thread n + 1 as near to thread n as possible
  Scatter,   // as far as possible
  Balanced,  // spread over the cores, consecutive numbers side by side
  Explicit,  // as the list of processors says
};

struct KmpAffinity {
  AffinityType type = AffinityType::NotGiven;
  PlaceUnit granularity = PlaceUnit::Cores;  // the unit in which a thread may move
  bool verbose = false;
  bool only_modifiers = false;  // no type was named
  unsigned permute = 0;
  unsigned offset = 0;
  std::string_view processors;  // the text between the brackets of proclist=[...]

  // Does this variable, and no other, decide how threads are bound?
  bool decides() const { return type != AffinityType::NotGiven && !only_modifiers; }
};

// The fault of a text that is no valid KMP_AFFINITY.
enum class AffinityFault : std::uint8_t {
  None,
  Syntax,
  ListMissing,  // `explicit` without a list of processors
  ListUnused,   // such a list with another type
};
AffinityFault parse_kmp_affinity(std::string_view text, KmpAffinity& affinity);

// The places that the list of an Explicit type names.
bool parse_processor_list(std::string_view text, PlaceVisitor& visitor);

std::string_view affinity_type_name(AffinityType type);

}  // namespace bobbin
