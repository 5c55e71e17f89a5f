// SPDX-License-Identifier: Apache-2.0
#include "sched/places/soft_binding.h"

#include <algorithm>

#include "env/icv.h"
#include "sched/places/post_to_place.h"
#include "sched/processors/whereabouts.h"
#include "sched/workers/pool.h"

namespace bobbin {
namespace {

bool may_begin(const Worker& worker, const Fiber& fiber) {
  const bool in_group = worker.group == nullptr || fiber.group.load(relaxed) == worker.group;
  return in_group && fiber.sp == nullptr;
}

bool take_from(BoundPlace& place, Worker& worker) {
  if (place.inbox.empty()) return false;
  bool found = false;
  for (Fiber* fiber = place.inbox.take_all_fifo(); fiber != nullptr;) {
    Fiber* next = fiber->next;
    if (may_begin(worker, *fiber)) {
      fiber->place.store(worker.place, relaxed);
      worker.inbox.push(fiber);
      found = true;
    } else {
      post_to_place(*fiber);
    }
    fiber = next;
  }
  if (found) count_taken(worker, place.processor);
  return found;
}

}  // namespace

bool take_from_near_places(Worker& worker) {
  const bool may = worker.kind == WorkerKind::Helper || worker.kind == WorkerKind::Root;
  if (!global_icvs().soft_binding || worker.bound == nullptr || !may) return false;
  whereabouts.read_machine();
  const Distance& distance = whereabouts.distance();
  const BoundPlaces& places = bound_places();
  const auto level = [&](int place) {
    return distance.between(worker.bound->processor, places[place].processor);
  };
  const int count = static_cast<int>(places.count());
  unsigned nearest = distance.levels();
  for (int place = 0; place < count; place++) {
    if (place != worker.place) nearest = std::min(nearest, level(place));
  }
  bool found = false;
  for (int place = 0; place < count && !found; place++) {
    found = place != worker.place && level(place) == nearest && take_from(places[place], worker);
  }
  return found;
}

}  // namespace bobbin
