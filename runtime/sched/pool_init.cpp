// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "env/display.h"
#include "env/icv.h"
#include "fiber/rseq.h"
#include "fiber/tls_block.h"
#include "platform/diagnostics.h"
#include "platform/load.h"
#include "platform/mono.h"
#include "platform/thread_maker.h"
#include "sched/pool_state.h"
#include "sched/processor_changes.h"

namespace bobbin {

constinit Pool pool;
bool kernel_provider = false;
bool threads_are_bound = false;
bool resting_threads_are_called = false;

void init_pool() {
  const GlobalIcvs& icvs = global_icvs();
  const char* reason = nullptr;
  bool fibers_possible = tls_blocks_supported(&reason);
  kernel_provider = icvs.provider == ProviderChoice::Kernel || !fibers_possible;
  if (!kernel_provider && icvs.provider == ProviderChoice::Auto && mono_present()) {
    reason = "Mono is there, which waits for threads to end";
    kernel_provider = true;
  }
  if (!kernel_provider && icvs.provider == ProviderChoice::Auto && threads_made_by_others()) {
    reason = "another library sets threads up in a pthread_create of its own";
    kernel_provider = true;
  }
  if (!kernel_provider && has_rseq_of_others()) {
    reason = "the program registers areas for restartable sequences itself (rseq)";
    kernel_provider = true;
  }
  if (kernel_provider && icvs.provider == ProviderChoice::Fiber) {
    warn("BOBBIN_PROVIDER=fiber is not possible here: %s; using kernel threads", reason);
  }
  threads_are_bound = icvs.binds_threads() && !kernel_provider;
  resting_threads_are_called = kernel_provider || threads_are_bound;
  // As many as there are processors, unless BOBBIN_WORKERS says otherwise. If threads are bound,
  // each place has its share of the helpers.
  pool.set_workers(icvs.workers);
  pool.make_room_for(threads_are_bound ? kMaxHelpers
                                       : std::max(icvs.workers, machine_processors()));
  note_provider(kernel_provider ? "kernel" : "fiber", kernel_provider && reason ? reason : "");
  set_stack_size(icvs.stack_size);
  begin_to_follow_processors();
  init_spin_limits();
}

}  // namespace bobbin
