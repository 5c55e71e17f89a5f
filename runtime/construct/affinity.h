// SPDX-License-Identifier: Apache-2.0
// What the routines about places tell (OpenMP 5.2, section 18.3): places, their processors, and the
// partition of the calling thread.
#pragma once

#include <cstdint>

#include "env/affinity_format.h"
#include "env/places.h"
#include "team/model/root.h"
#include "team/model/thread.h"
#include "team/regions/roots.h"

namespace bobbin {

inline const PlaceList& settled_places() {
  init_runtime();
  return place_list();
}

// 0: there is no such place.
inline unsigned processors_of(std::int64_t place) {
  const PlaceList& list = settled_places();
  const bool there_is = place >= 0 && place < std::int64_t{list.count()};
  return there_is ? list.size(static_cast<unsigned>(place)) : 0;
}

// Writes the numbers of the place's processors to integers of either size.
template <class Int>
void tell_processors(std::int64_t place, Int* numbers) {
  const unsigned count = processors_of(place);
  for (unsigned i = 0; i < count; ++i) {
    numbers[i] = static_cast<Int>(place_list().cpus(static_cast<unsigned>(place))[i]);
  }
}

// Writes the numbers of the places in the calling thread's partition.
template <class Int>
void tell_partition(Int* numbers) {
  const Placement& placement = self().placement;
  const auto first = static_cast<Int>(placement.partition_begin);
  for (unsigned i = 0; i < placement.partition_size; ++i) numbers[i] = first + static_cast<Int>(i);
}

// The fields of the affinity format for the calling thread.
AffinityFields affinity_fields();

}  // namespace bobbin
