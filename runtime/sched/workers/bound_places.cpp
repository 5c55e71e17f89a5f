// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/bound_places.h"

#include <algorithm>

#include "env/places.h"
#include "platform/memory.h"
#include "platform/memory/first_use.h"
#include "platform/processors/processors.h"
#include "sched/workers/pool.h"
#include "sched/workers/worker.h"

// Which places there are, and how many helpers each of them has.
namespace bobbin {

void BoundPlaces::fill() {
  const PlaceList& list = place_list();
  places_ = static_cast<BoundPlace*>(allocate_lasting(list.count() * sizeof(BoundPlace)));
  if (places_ == nullptr) return;
  count_ = list.count();
  unsigned processors = 0;
  for (unsigned i = 0; i < count_; i++) processors += list.size(i);
  unsigned helpers = 0;
  for (unsigned i = 0; i < count_; i++) {
    // If there are more processors than helpers, each place gets its share of the helpers.
    const unsigned share = processors <= kMaxHelpers
                               ? list.size(i)
                               : std::max(1U, list.size(i) * kMaxHelpers / processors);
    BoundPlace& place = *new (&places_[i]) BoundPlace;
    place.processor = static_cast<int>(*list.cpus(i));
    place.first_helper = helpers;
    place.most_helpers = std::min(share, kMaxHelpers - helpers);
    helpers += place.most_helpers;
  }
}

// The memory stays, because it is lasting.
void BoundPlaces::clear() { count_ = 0; }

const BoundPlaces& bound_places() {
  static constinit FirstUse<BoundPlaces> places;
  return places.get([](BoundPlaces& made) { made.fill(); });
}

void belong_to_place(Worker& worker, int place) {
  worker.place = place;
  worker.bound = place >= 0 ? &bound_places()[place] : nullptr;
}

void move_to_place_of(const Worker& worker) {
  set_affinity_mask(place_list().mask(static_cast<unsigned>(worker.place)));
}

}  // namespace bobbin
