// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/single.h"

#include "construct/worksharing/copy_count.h"
#include "team/members/short_wait.h"

namespace bobbin {
namespace {

CopyCount copies_from(WorkShare& share) { return CopyCount(share.next); }

void expect_copies(WorkShare& fresh) {
  expect_copyprivate(fresh);
  copies_from(fresh).open();
}

void copy_counted(Thread& thread, WorkShare& share, void* to, Copyprivate copy) {
  CopyCount copies = copies_from(share);
  if (!copies.enter()) return;
  copy(to, await_copyprivate(thread, share));
  copies.leave();
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
  if (executed && thread.member->team->cancelled.load(relaxed)) {
    CopyCount copies = copies_from(share);
    for (ShortWait wait(thread); !copies.close();) wait.pause();
  }
  leave_share(thread);
}

}  // namespace bobbin
