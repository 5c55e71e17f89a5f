// SPDX-License-Identifier: Apache-2.0
#include "abi/interpose.h"
#include "construct/allocator.h"
#include "construct/critical.h"
#include "construct/marked_blocks.h"
#include "construct/threadprivate.h"
#include "construct/wait_address.h"
#include "env/display.h"
#include "env/icv.h"
#include "env/tools.h"
#include "platform/clock.h"
#include "platform/stack_guard.h"
#include "sched/fork_handlers.h"
#include "sched/pool.h"
#include "team/member.h"
#include "team/root.h"

namespace bobbin {
namespace {

Atomic<uint32_t> started{0};

int current_thread_num() {
  Thread* thread = tls_thread;
  return thread != nullptr ? static_cast<int>(thread->member->num) : -1;
}

[[gnu::constructor]] void initialise_library() { init_runtime(); }

}  // namespace

void init_runtime() {
  // Only one thread exists while libraries are initialised.
  if (started.exchange(1, acq_rel) != 0) return;
  init_clock();
  init_interposed();
  init_env();
  init_environment_allocator();
  init_pool();
  init_roots();
  display_env_if_asked();
  warn_of_tools();
  init_wait_table();
  init_critical();
  init_marked_blocks();
  init_threadprivate();
  install_fork_handlers();
  install_stack_guard(StackGuardHooks{describe_guard, current_thread_num});
}

}  // namespace bobbin
