// SPDX-License-Identifier: Apache-2.0
#include "construct/single.h"

#include "team/short_wait.h"

namespace bobbin {
namespace {

// In a cancelled region no barrier keeps the executing thread, and with it its data, until the
// others have copied. So each of the others counts itself in when it comes and out when it has
// copied. The executing thread closes the count when it is zero. A thread that comes later finds
// the count closed and keeps its own values, because its region has been cancelled meanwhile.
constexpr uint64_t kClosed = uint64_t{1} << 63;

Atomic<uint64_t>& copying(WorkShare& share) { return share.next; }

void expect_copies(WorkShare& fresh) {
  expect_copyprivate(fresh);
  copying(fresh).store(0, relaxed);
}

void close_copying(Thread& thread, WorkShare& share) {
  ShortWait wait(thread);
  for (uint64_t none = 0; !copying(share).compare_exchange_weak(none, kClosed, acquire, relaxed);
       none = 0) {
    wait.pause();
  }
}

void copy_counted(Thread& thread, WorkShare& share, void* to, Copyprivate copy) {
  if ((copying(share).fetch_add(1, acquire) & kClosed) != 0) return;
  copy(to, await_copyprivate(thread, share));
  copying(share).fetch_sub(1, release);
}

}  // namespace

void share_copyprivate(Thread& thread, void* data, Copyprivate copy, bool executed) {
  WorkShare& share = enter_share(thread, expect_copies);
  if (executed) {
    give_copyprivate(share, data);
    await_copyprivate(thread, share);
  } else if (global_icvs().cancellation) [[unlikely]] {
    copy_counted(thread, share, data, copy);
  } else {
    copy(data, await_copyprivate(thread, share));
  }
  barrier_wait(thread);
  if (executed && thread.member->team->cancelled.load(relaxed)) close_copying(thread, share);
  leave_share(thread);
}

}  // namespace bobbin
