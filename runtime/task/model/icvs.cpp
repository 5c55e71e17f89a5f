// SPDX-License-Identifier: Apache-2.0
#include "task/model/icvs.h"

#include "platform/memory.h"
#include "task/model/extras.h"

namespace bobbin {

IcvChange::~IcvChange() {
  Task& task = *self().task;
  TaskExtras* extras = extras_of(task);
  if (extras == nullptr) return;
  // A program that changes them back and forth needs no more copies than there are states.
  for (OwnIcvs* known = extras->own_icvs; known != nullptr; known = known->previous) {
    if (known->icvs != icvs_) continue;
    task.icvs = &known->icvs;
    return;
  }
  // Nobody else looks at the own copies while there are no children.
  OwnIcvs* own = task.references.load(acquire) == 1 ? extras->own_icvs : nullptr;
  if (own == nullptr) {
    own = make<OwnIcvs>();
    if (own == nullptr) return;
    own->previous = extras->own_icvs;
    extras->own_icvs = own;
  }
  own->icvs = icvs_;
  task.icvs = &own->icvs;
}

}  // namespace bobbin
