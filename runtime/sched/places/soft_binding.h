// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/worker.h"

namespace bobbin {

// BOBBIN_BIND=soft. For a bound worker that has spun in vain and is about to sleep: takes from the
// inboxes of near places the threads that nobody has begun. Near are the places in the smallest
// group of the machine's tree around this place in which there is another one. These threads belong
// to the worker's place until their next region, and lie with the worker now. False: there are
// none.
//
// Covering (sched/places/post_to_place.h): the worker is awake, and carries what it has taken
// before it sleeps. What it may not take it posts again.
bool take_from_near_places(Worker& worker);

}  // namespace bobbin
