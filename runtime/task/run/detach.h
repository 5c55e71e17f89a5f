// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/event.h"

namespace bobbin {

void fulfill_event(Event& event);

// The event of all tasks that are never made because their region had been cancelled. The program
// may fulfil it, without any effect.
extern Event nobodys_event;

// For an undeferred task whose block has ended.
void await_event(Thread& thread, Event& event);

}  // namespace bobbin
