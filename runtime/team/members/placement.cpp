// SPDX-License-Identifier: Apache-2.0
#include "team/members/placement.h"

#include "env/places.h"
#include "platform/memory/blocks.h"
#include "platform/processors/processors.h"

namespace bobbin {

namespace {

// What thread `num` of the team gets.
Placement placement_of(unsigned num, unsigned threads, const Placement& here, ProcBind policy) {
  Placement placement = here;
  if (here.place < 0 || policy == ProcBind::Primary) return placement;
  if (policy == ProcBind::False) {  // asked for while the program runs
    if (num != 0) placement.place = -1;
    return placement;
  }
  const unsigned places = here.partition_size;
  const unsigned own = static_cast<unsigned>(here.place) - here.partition_begin;
  auto at = [&](unsigned offset) {
    return static_cast<int>(here.partition_begin + offset % places);
  };
  if (policy == ProcBind::Spread) {
    // There are as many subpartitions as threads, or as places if those are fewer. The primary's is
    // first.
    const unsigned parts = threads < places ? threads : places;
    const unsigned first = block_owner(places, parts, own);
    const unsigned part =
        (first + (threads <= places ? num : block_owner(threads, parts, num))) % parts;
    const IterationRange block = block_of(places, parts, part);
    const auto begin = static_cast<unsigned>(block.first);
    placement.place = part == first ? here.place : at(begin);
    placement.partition_begin = here.partition_begin + begin;
    placement.partition_size = static_cast<unsigned>(block.last) - begin;
  } else {  // close; "true" leaves the choice to the runtime
    // KMP_AFFINITY numbers the places, and thread n gets the n-th, by turns.
    const bool by_turns = threads <= places || global_icvs().affinity.decides();
    placement.place = at(own + (by_turns ? num : block_owner(threads, places, num)));
  }
  return placement;
}

}  // namespace

void assign_places(Thread& primary, Team& team, ProcBind policy) {
  const PlacedFor wanted{primary.placement, policy, team.size};
  if (team.placed_for == wanted) {
    primary.placement = team.primary_placement;
    return;
  }
  team.placed_for = wanted;
  for (unsigned num = 0; num < team.size; num++) {
    const Placement placement = placement_of(num, team.size, wanted.primary, policy);
    const bool goes_on = num != 0 && placement.place == team.blocks[num - 1].place;
    team.blocks[num] = {placement.place, goes_on ? team.blocks[num - 1].first : num};
    if (num != 0) {
      team.members[num]->thread->placement = placement;
    } else {
      primary.placement = team.primary_placement = placement;
    }
  }
}

void assign_initial_place(Thread& thread, unsigned place) {
  const PlaceList& list = place_list();
  if (list.count() == 0) return;
  thread.placement = Placement{static_cast<int>(place % list.count()), 0, list.count()};
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
