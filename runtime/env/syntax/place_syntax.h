// SPDX-License-Identifier: Apache-2.0
//
// The grammar of OMP_PLACES (OpenMP 5.2, section 21.1.6) and of GOMP_CPU_AFFINITY. It says what the
// text means, not which of it exists on this machine.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/processors/cpu_set.h"

namespace bobbin {

class Scanner;

enum class PlaceUnit : unsigned char { Threads, Cores, LlCaches, NumaDomains, Sockets };

// "cores", "cores(4)". A count of 0 means all.
struct AbstractPlaces {
  PlaceUnit unit = PlaceUnit::Cores;
  unsigned count = 0;
};

bool parse_abstract_places(std::string_view text, AbstractPlaces& places);
std::string_view place_unit_name(PlaceUnit unit);

// Receives the places of an explicit list in their order. (The functions are not pure virtual,
// because that would need libstdc++.)
class PlaceVisitor {
 public:
  virtual void add(const CpuSet&) {}
  // Removes every place that is equal to this one ("!{2,3}").
  virtual void remove(const CpuSet&) {}
};

inline constexpr unsigned kMaxPlaces = kMaxCpus;

// "{0:4}:8:4,!{4:4}". False when the text is no such list, or names a processor that cannot exist,
// or more than kMaxPlaces places. The visitor has then received a part of the places.
bool parse_explicit_places(std::string_view text, PlaceVisitor& visitor);

// Processors as in "3", "1-2", "4-15:2", `last` included. False: there are none, or they cannot
// exist.
struct CpuRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t stride = 1;
};
enum class Numbers { Decimal, AsInC };
bool read_cpu_range(Scanner& scan, CpuRange& range, Numbers numbers);

// "0 3 1-2 4-15:2": each processor is a place.
bool parse_cpu_affinity(std::string_view text, PlaceVisitor& visitor);

// Is OMP_PLACES or GOMP_CPU_AFFINITY well-formed?
bool places_are_valid(std::string_view text);
bool cpu_affinity_is_valid(std::string_view text);

}  // namespace bobbin
