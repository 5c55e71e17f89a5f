// SPDX-License-Identifier: Apache-2.0
#include "task/model/discard.h"

#include "task/model/completion.h"
#include "task/model/extras.h"

namespace bobbin {
namespace {

// Takes the place of a parent that may be gone.
constinit Task nobody(nullptr);

}  // namespace

void leave_to_event(Task& task) {
  task.parent = &nobody;
  const Event::Mark before = task.extras->event.leave(Event::Mark::Discarded);
  if (before == Event::Mark::Fulfilled) drop_reference(&task);
}

}  // namespace bobbin
