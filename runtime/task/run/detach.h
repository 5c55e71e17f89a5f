// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/event.h"

namespace bobbin {

void fulfill_event(Event& event);

// Of all tasks that are never made, for their region had been cancelled: the program may fulfil it,
// and nothing comes of it.
extern Event nobodys_event;

// For an undeferred task, whose block has ended.
void await_event(Thread& thread, Event& event);

}  // namespace bobbin
