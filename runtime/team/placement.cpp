// SPDX-License-Identifier: Apache-2.0
#include "team/placement.h"

#include "env/places.h"
#include "platform/blocks.h"
#include "platform/processors.h"

namespace bobbin {

void assign_places(Thread& primary, Team& team, ProcBind policy) {
  const Placement here = primary.placement;
  if (here.place < 0) return;
  team.members[0]->thread = &primary;
  unsigned places = here.partition_size;
  unsigned threads = team.size;
  unsigned own = static_cast<unsigned>(here.place) - here.partition_begin;
  auto at = [&](unsigned offset) {
    return static_cast<int>(here.partition_begin + offset % places);
  };
  for (unsigned num = 0; num < threads; num++) {
    Placement placement = here;
    if (policy == ProcBind::Spread) {
      // There are as many subpartitions as threads, or as places if those are fewer. The primary's
      // is first.
      unsigned parts = threads < places ? threads : places;
      unsigned first = block_owner(places, parts, own);
      unsigned part =
          (first + (threads <= places ? num : block_owner(threads, parts, num))) % parts;
      IterationRange block = block_of(places, parts, part);
      auto begin = static_cast<unsigned>(block.first);
      placement.place = part == first ? here.place : at(begin);
      placement.partition_begin = here.partition_begin + begin;
      placement.partition_size = static_cast<unsigned>(block.last) - begin;
    } else if (policy != ProcBind::Primary) {  // close; "true" leaves the choice to the runtime
      placement.place = at(own + (threads <= places ? num : block_owner(threads, places, num)));
    }
    team.members[num]->thread->placement = placement;
  }
}

void assign_initial_place(Thread& thread) {
  const PlaceList& list = place_list();
  if (list.count() == 0) return;
  thread.placement = Placement{0, 0, list.count()};
  move_to_place(thread);
}

Placement among_all_places(const Placement& here) {
  return here.place < 0 ? here : Placement{here.place, 0, place_list().count()};
}

void move_to_place(Thread& thread) {
  int place = thread.placement.place;
  if (place < 0 || place == thread.bound_place) return;
  CpuSet mask = place_list().mask(static_cast<unsigned>(place));
  // A place may be gone because its processor was taken offline. Until it is back the thread stays
  // where it is.
  if (set_affinity_mask(mask)) thread.bound_place = place;
}

}  // namespace bobbin
