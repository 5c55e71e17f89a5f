// SPDX-License-Identifier: Apache-2.0
// The events of the tools interface (OMPT, OpenMP 5.2, chapter 19) and the callbacks that a tool
// has set for them.
//
// `watched` is the one test that an event costs while there is no tool. Where it is true, tasks
// take no short cut, every thread passes the barrier at the end of its region, and programs do not
// use the code that is inlined into them (team/carriers/inlined_self.h). So all events are where
// the specification has them. It changes only before the first OpenMP construct.
#pragma once

#include "omp-tools.h"
#include "platform/atomic.h"

// NAME is that of the callback without its prefix.
#define BOBBIN_TOOL_EVENTS(EVENT) \
  EVENT(thread_begin)             \
  EVENT(thread_end)               \
  EVENT(parallel_begin)           \
  EVENT(parallel_end)             \
  EVENT(task_create)              \
  EVENT(task_schedule)            \
  EVENT(implicit_task)            \
  EVENT(control_tool)             \
  EVENT(dependences)              \
  EVENT(task_dependence)          \
  EVENT(work)                     \
  EVENT(masked)                   \
  EVENT(dispatch)                 \
  EVENT(flush)                    \
  EVENT(cancel)                   \
  EVENT(nest_lock)                \
  EVENT(error)

// Callbacks that share a type with another one.
#define BOBBIN_TOOL_EVENTS_OF_TYPE(EVENT) \
  EVENT(sync_region, sync_region)         \
  EVENT(sync_region_wait, sync_region)    \
  EVENT(reduction, sync_region)           \
  EVENT(mutex_acquire, mutex_acquire)     \
  EVENT(lock_init, mutex_acquire)         \
  EVENT(lock_destroy, mutex)              \
  EVENT(mutex_acquired, mutex)            \
  EVENT(mutex_released, mutex)

namespace bobbin::tool {

// True until it is known that there is no tool.
#if defined(BOBBIN_MODEL)
inline constexpr bool watched = false;
#else
inline constinit Relaxed<bool> watched{true};
#endif

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names.
// The callbacks that the tool has set; null: it has set none for this event. The tool may change
// them at any time.
struct Callbacks {
#define BOBBIN_FIELD(name) Relaxed<ompt_callback_##name##_t> name{nullptr};
  BOBBIN_TOOL_EVENTS(BOBBIN_FIELD)
#undef BOBBIN_FIELD
#define BOBBIN_FIELD(name, type) Relaxed<ompt_callback_##type##_t> name{nullptr};
  BOBBIN_TOOL_EVENTS_OF_TYPE(BOBBIN_FIELD)
#undef BOBBIN_FIELD
};
inline constinit Callbacks callbacks;
// NOLINTEND(bugprone-macro-parentheses)

// Calls the callback of the event, if the tool has set one.
template <class Callback, class... Arguments>
void tell(const Relaxed<Callback>& callback, Arguments... arguments) {
  if (Callback wanted = callback) wanted(arguments...);
}

// ompt_set_callback and ompt_get_callback.
ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback);
bool get_callback(ompt_callbacks_t event, ompt_callback_t& callback);
// Removes all callbacks: from now on the tool is told nothing.
void forget_callbacks();

}  // namespace bobbin::tool
