// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel thread that calls the poller while the program's threads are all busy or asleep. As long
// as others look often enough, it only sees that they do.
namespace bobbin::mpi {

void start_polling_thread();
void stop_polling_thread();
void forget_polling_thread();  // in the child of a fork

// The first task waits. If the polling thread sleeps, it wakes.
void wake_polling_thread();

}  // namespace bobbin::mpi
