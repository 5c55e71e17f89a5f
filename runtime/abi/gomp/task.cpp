// SPDX-License-Identifier: Apache-2.0
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/gomp/depend.h"
#include "abi/gomp/task_call.h"
#include "task/create/create.h"
#include "task/model/childless.h"
#include "task/model/taskgroup.h"
#include "task/wait/depend_wait.h"
#include "task/wait/wait.h"
#include "tool/own_events.h"

using namespace bobbin;
using namespace bobbin::gomp;

namespace {

[[gnu::noinline]] void wait_for_children() {
  if (taskwait_passes(tls_thread, BOBBIN_RETURN_ADDRESS)) return;
  BOBBIN_CALL_SITE;
  taskwait(self());
}

}  // namespace

#if defined(__x86_64__)
// If the last arguments were declared one by one, GCC would load them at once, into registers that
// it has to save first.
BOBBIN_ENTRY void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, RestOfCall rest) {
  create(function, data, copy, size, alignment, if_clause, rest);
}
#else
BOBBIN_ENTRY void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                            long size, long alignment, bool if_clause, unsigned flags,
                            void** depend, int priority, void* event_handle) {
  RestOfCall rest{flags, depend, priority, event_handle};
  create(function, data, copy, size, alignment, if_clause, rest);
}
#endif

BOBBIN_ENTRY void GOMP_taskwait() {
  const Thread* thread = tls_thread;
  if (thread != nullptr && !tool::watched && childless(*thread->task)) return;
  wait_for_children();
}

BOBBIN_ENTRY void GOMP_taskwait_depend(void** depend) {
  BOBBIN_CALL_SITE;
  DecodedDepend decoded(depend);
  taskwait(self(), decoded.list());
}

// GCC 14: an empty task that others may depend on.
BOBBIN_ENTRY void GOMP_taskwait_depend_nowait(void** depend) {
  BOBBIN_CALL_SITE;
  DecodedDepend decoded(depend);
  create_empty_task(self(), decoded.list());
}

BOBBIN_ENTRY void GOMP_taskyield() {
  BOBBIN_CALL_SITE;
  taskyield(self());
}

BOBBIN_ENTRY void GOMP_taskgroup_start() {
  BOBBIN_CALL_SITE;
  taskgroup_begin(self());
}
BOBBIN_ENTRY void GOMP_taskgroup_end() {
  BOBBIN_CALL_SITE;
  taskgroup_end(self());
}
