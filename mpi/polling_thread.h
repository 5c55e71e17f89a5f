// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pending.h"

// A kernel thread that calls the poller while the program's threads are all busy or asleep. As long
// as others look often enough, it only sees that they do.
namespace bobbin::mpi {

void start_polling_thread();
void stop_polling_thread();
void forget_polling_thread();  // in the child of a fork

// From now on the poller looks whether it has come. If the polling thread sleeps, it wakes.
void look_for(Pending& pending);

}  // namespace bobbin::mpi
