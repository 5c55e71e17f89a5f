// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "env/display.h"
#include "env/icv.h"
#include "fiber/context/rseq.h"
#include "fiber/tls/tls_block.h"
#include "platform/diagnostics.h"
#include "platform/loader/thread_maker.h"
#include "platform/mono.h"
#include "platform/processors/load.h"
#include "sched/places/processor_changes.h"
#include "sched/workers/pool_state.h"

namespace bobbin {

constinit Pool pool;
bool threads_are_bound = false;

namespace {

// Why threads have to be kernel threads; null: they can be fibers.
const char* hindrance_to_fibers(ProviderChoice asked) {
  const char* reason = nullptr;
  if (!tls_blocks_supported(&reason)) return reason;
  if (asked == ProviderChoice::Auto && mono_present()) {
    return "Mono is there, which waits for threads to end";
  }
  if (asked == ProviderChoice::Auto && threads_made_by_others()) {
    return "another library sets threads up in a pthread_create of its own";
  }
  if (has_rseq_of_others()) {
    return "the program registers areas for restartable sequences itself (rseq)";
  }
  return nullptr;
}

void choose_provider(const GlobalIcvs& icvs) {
  const char* hindrance = hindrance_to_fibers(icvs.provider);
  if (hindrance != nullptr && icvs.provider == ProviderChoice::Fiber) {
    warn("BOBBIN_PROVIDER=fiber is not possible here: %s; using kernel threads", hindrance);
  }
  if (hindrance != nullptr || icvs.provider == ProviderChoice::Kernel) {
    provider = kernel_threads;
  } else if (icvs.binds_threads()) {
    provider = bound_fibers;
    threads_are_bound = true;
  }
  const bool as_asked = hindrance == nullptr || icvs.provider == ProviderChoice::Kernel;
  note_provider(provider.name, as_asked ? "" : hindrance);
}

}  // namespace

void init_pool() {
  const GlobalIcvs& icvs = global_icvs();
  choose_provider(icvs);
  // As many as there are processors, unless BOBBIN_WORKERS says otherwise. If threads are bound,
  // each place has its share of the helpers.
  pool.set_workers(icvs.workers);
  pool.make_room_for(threads_are_bound ? kMaxHelpers
                                       : std::max(icvs.workers, machine_processors()));
  set_stack_size(icvs.stack_size);
  begin_to_follow_processors();
  init_spin_limits();
}

}  // namespace bobbin
