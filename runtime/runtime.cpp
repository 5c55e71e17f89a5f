// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "abi/c_library.h"
#include "abi/tool/watching.h"
#include "construct/locks/critical.h"
#include "construct/memory/allocator.h"
#include "construct/memory/marked_blocks.h"
#include "construct/memory/pinned_memory.h"
#include "construct/memory/threadprivate.h"
#include "construct/wait_address.h"
#include "env/affinity_format.h"
#include "env/display.h"
#include "env/environment.h"
#include "env/icv.h"
#include "fiber/context/executable_stacks.h"
#include "fiber/context/stack.h"
#include "fiber/tls/tls_block.h"
#include "fiber/tls/tls_image.h"
#include "platform/clocks/clock.h"
#include "platform/loader/thread_maker.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/mono.h"
#include "platform/signals/signal_actions.h"
#include "platform/signals/stack_guard.h"
#include "platform/watchers/race_detector.h"
#include "sched/kernel_threads/child_process.h"
#include "sched/kernel_threads/kept.h"
#include "sched/signals/signals.h"
#include "sched/sleep/tuning_report.h"
#include "sched/workers/pool.h"
#include "task/child_process.h"
#include "task/model/tool_events.h"
#include "task/modes/blocking/handle_block.h"
#include "task/modes/blocking/timed_block.h"
#include "task/modes/continuation_stealing.h"
#include "team/carriers/inlined_self.h"
#include "team/members/fork_child.h"
#include "team/members/member.h"
#include "team/members/tool_events.h"
#include "team/regions/free_agents.h"
#include "team/regions/roots.h"
#include "team/regions/team_store.h"
#include "tool/start.h"

namespace bobbin {
namespace {

Atomic<bool> prepared{false};
SpinLock settling;
bool settled = false;  // guarded by `settling`
Atomic<bool> tool_started{false};

int current_thread_num() {
  Thread* thread = tls_thread;
  return thread != nullptr ? static_cast<int>(thread->member->num) : -1;
}

bool on_own_kernel_thread() {
  return !provider.threads_move && tls_thread != nullptr && tls_thread->own_member != nullptr;
}

// Prepares what must exist before everything else. It asks the loader, because later a thread that
// waits for a worker may hold the loader's lock. It also installs the handlers for fork and for
// stack overflow. Only one thread exists while libraries are initialised.
[[gnu::constructor]] void prepare() {
  if (prepared.exchange(true, acq_rel)) return;
  init_clock();
  note_start_environment();
  init_race_detector();
  init_interposed();
  init_tls_images();
  heed_executable_stacks();
  init_signal_actions();
  mono_present();
  threads_made_by_others();
  init_affinity_format();  // from here on in the order of the layers: see ForkLock
  init_stacks();
  init_tls_blocks();
  init_pool_fork_lock();
  init_kept();
  init_teams();
  init_roots();
  init_free_agents();
  init_tool_events();
  init_inlined_self();
  init_fork_child();
  init_continuations();
  init_handle_blocks();
  init_timed_blocks();
  init_watched_completion();
  init_tasks_of_child();
  init_wait_table();
  init_critical();
  init_marked_blocks();
  init_pinned_memory();
  init_threadprivate();
  tool::look_for_tool();
  add_fork_lock(held_across_fork<settling>);
  install_fork_handlers();
  install_stack_guard(StackGuardHooks{describe_guard, current_thread_num, on_own_kernel_thread});
}

// Other threads wait until this is done, so nothing here asks the loader. Otherwise a region in a
// library's constructor, whose thread holds the loader's lock, would wait for a thread that waits
// for that lock.
void settle() {
  tool::first_call = ticks();
  prepare();
  init_env();
  init_allocators();
  init_pool();
  if (provider.threads_move) init_signals();
  display_env_if_asked();
  report_heuristics_at_exit();
}

// Other threads wait here. The tool itself may use OpenMP while it starts.
void start_tool_once() {
  static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  static bool begun = false;
  pthread_mutex_lock(&mutex);
  if (!begun) {
    begun = true;
    if (start_watching()) programs_call_here = false;
    tool_started.store(true, release);
  }
  pthread_mutex_unlock(&mutex);
}

}  // namespace

// Not by pthread_once: it ends a process whose filter of system calls refuses futex.
void init_runtime() {
  {
    SpinGuard guard{settling};
    if (!settled) settle();
    settled = true;
  }
  if (!tool_started.load(acquire)) start_tool_once();
}

}  // namespace bobbin
