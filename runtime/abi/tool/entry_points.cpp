// SPDX-License-Identifier: Apache-2.0
#include "abi/tool/entry_points.h"

#include <sched.h>

#include <iterator>
#include <string_view>

#include "abi/omp/omp_api.h"
#include "fiber/context/stack.h"
#include "platform/atomic.h"
#include "platform/clocks/clock.h"
#include "sched/workers/pool.h"
#include "task/memory/task_pool.h"
#include "team/members/tool_events.h"
#include "team/model/team.h"
#include "tool/events.h"
#include "tool/own_events.h"
#include "tool/start.h"

namespace bobbin {
namespace {

struct Name {
  int value;
  const char* name;
};

#define BOBBIN_STATE(state) \
  Name { ompt_state_##state, "ompt_state_" #state }
constexpr Name kStates[] = {
    BOBBIN_STATE(undefined),
    BOBBIN_STATE(work_serial),
    BOBBIN_STATE(work_parallel),
    BOBBIN_STATE(work_reduction),
    BOBBIN_STATE(wait_barrier_implicit_parallel),
    BOBBIN_STATE(wait_barrier_implicit_workshare),
    BOBBIN_STATE(wait_barrier_explicit),
    BOBBIN_STATE(wait_barrier_implementation),
    BOBBIN_STATE(wait_barrier_teams),
    BOBBIN_STATE(wait_taskwait),
    BOBBIN_STATE(wait_taskgroup),
    BOBBIN_STATE(wait_mutex),
    BOBBIN_STATE(wait_lock),
    BOBBIN_STATE(wait_critical),
    BOBBIN_STATE(wait_atomic),
    BOBBIN_STATE(wait_ordered),
    BOBBIN_STATE(idle),
    BOBBIN_STATE(overhead),
};
#undef BOBBIN_STATE

constexpr Name kMutexes[] = {{ompt_mutex_impl_none, "none"}, {1, "bobbin_lock"}};

// The first is the one before which an enumeration begins.
template <size_t kCount>
int next_of(const Name (&names)[kCount], int current, int* next, const char** name) {
  for (size_t i = 0; i + 1 < kCount; i++) {
    if (names[i].value != current) continue;
    *next = names[i + 1].value;
    *name = names[i + 1].name;
    return 1;
  }
  return 0;
}

int enumerate_states(int current, int* next, const char** name) {
  return next_of(kStates, current, next, name);
}

int enumerate_mutex_impls(int current, int* next, const char** name) {
  return next_of(kMutexes, current, next, name);
}

int get_callback(ompt_callbacks_t event, ompt_callback_t* callback) {
  return tool::get_callback(event, *callback) ? 1 : 0;
}

// The calling thread, or nullptr for one of which the tool has not been told.
Thread* known_thread() {
  Thread* thread = tls_thread;
  if (thread == nullptr) return nullptr;
  return thread->tool.begun.load(relaxed) || thread->tool.speaks_for != nullptr ? thread : nullptr;
}

ompt_data_t* get_thread_data() {
  Thread* thread = known_thread();
  if (thread == nullptr) return nullptr;
  tool::ThreadState* other = thread->tool.speaks_for;
  return other != nullptr ? &other->data : &thread->tool.data;
}

int get_state(ompt_wait_id_t* wait_id) {
  const Thread* thread = known_thread();
  if (thread == nullptr) return ompt_state_work_serial;
  if (wait_id != nullptr) *wait_id = thread->tool.wait_id;
  return thread->tool.state;
}

tool::TaskState* ancestor_task(int level) {
  const Thread* thread = known_thread();
  tool::TaskState* task = thread != nullptr && level >= 0 ? thread->tool.task : nullptr;
  while (task != nullptr && level-- > 0) task = task->interrupted;
  return task;
}

int get_task_info(int level, int* flags, ompt_data_t** data, ompt_frame_t** frame,
                  ompt_data_t** parallel_data, int* thread_num) {
  tool::TaskState* task = ancestor_task(level);
  if (task == nullptr) return 0;
  // An implicit task is never deferred.
  const bool implicit = (task->flags & ompt_task_implicit) != 0;
  if (flags != nullptr) *flags = task->flags | (implicit ? ompt_task_undeferred : 0);
  if (data != nullptr) *data = &task->data;
  if (frame != nullptr) *frame = &task->frame;
  if (parallel_data != nullptr) *parallel_data = &task->region->data;
  if (thread_num != nullptr) *thread_num = static_cast<int>(task->thread_num);
  return 2;
}

int get_parallel_info(int level, ompt_data_t** data, int* team_size) {
  const Thread* thread = known_thread();
  if (thread == nullptr || level < 0 || thread->tool.task == nullptr) return 0;
  tool::Region* region = thread->tool.task->region;
  for (; level > 0 && region != nullptr; level--) {
    region = region->encountering != nullptr ? region->encountering->region : nullptr;
  }
  if (region == nullptr) return 0;
  if (data != nullptr) *data = &region->data;
  if (team_size != nullptr) *team_size = static_cast<int>(region->size);
  return 2;
}

// Descriptors and data are pooled, so no address is the task's own.
int get_task_memory(void** address, size_t* size, int /*block*/) {
  *address = nullptr;
  *size = 0;
  return 0;
}

// Otherwise the calling thread would become known by asking.
int get_place_num() { return known_thread() != nullptr ? omp_get_place_num() : -1; }

int get_place_proc_ids(int place, int ids_size, int* ids) {
  if (place < 0 || place >= omp_get_num_places()) return 0;
  const int count = omp_get_place_num_procs(place);
  if (count <= ids_size) omp_get_place_proc_ids(place, ids);
  return count;
}

int get_partition_place_nums(int size, int* places) {
  if (known_thread() == nullptr) return 0;
  const int count = omp_get_partition_num_places();
  if (count <= size) omp_get_partition_place_nums(places);
  return count;
}

int get_proc_id() { return known_thread() != nullptr ? sched_getcpu() : -1; }

int get_target_info(uint64_t*, ompt_id_t*, ompt_id_t*) { return 0; }

unsigned get_queued_tasks() {
  const Thread* thread = known_thread();
  return thread != nullptr ? static_cast<unsigned>(thread->member->tasks.size()) : 0;
}

void get_start(bobbin_start_t* start) {
  const ClockReading loaded = clocks_at_start;
  *start = {loaded.ticks, loaded.ns, tool::first_call};
}

void get_usage(bobbin_usage_t* usage) {
  const PoolUsage pool = pool_usage();
  *usage = {count_stacks(), pool.switches, pool.helpers, pool.spares, bytes_of_task_pools()};
}

Atomic<uint64_t> ids_given{0};

uint64_t get_unique_id() { return ids_given.fetch_add(1, relaxed) + 1; }

struct EntryPoint {
  std::string_view name;
  ompt_interface_fn_t function;
};

template <class Function>
EntryPoint entry_point(std::string_view name, Function* function) {
  return {name, reinterpret_cast<ompt_interface_fn_t>(function)};
}

}  // namespace

ompt_interface_fn_t find_entry_point(const char* name) {
  const EntryPoint entry_points[] = {
      entry_point("ompt_enumerate_states", enumerate_states),
      entry_point("ompt_enumerate_mutex_impls", enumerate_mutex_impls),
      entry_point("ompt_set_callback", tool::set_callback),
      entry_point("ompt_get_callback", get_callback),
      entry_point("ompt_get_thread_data", get_thread_data),
      entry_point("ompt_get_num_procs", omp_get_num_procs),
      entry_point("ompt_get_num_places", omp_get_num_places),
      entry_point("ompt_get_place_proc_ids", get_place_proc_ids),
      entry_point("ompt_get_place_num", get_place_num),
      entry_point("ompt_get_partition_place_nums", get_partition_place_nums),
      entry_point("ompt_get_proc_id", get_proc_id),
      entry_point("ompt_get_state", get_state),
      entry_point("ompt_get_parallel_info", get_parallel_info),
      entry_point("ompt_get_task_info", get_task_info),
      entry_point("ompt_get_task_memory", get_task_memory),
      entry_point("ompt_get_num_devices", omp_get_num_devices),
      entry_point("ompt_get_target_info", get_target_info),
      entry_point("ompt_get_unique_id", get_unique_id),
      entry_point("ompt_finalize_tool", stop_watching),
      entry_point("bobbin_set_callback", tool::set_own_callback),
      entry_point("bobbin_get_queued_tasks", get_queued_tasks),
      entry_point("bobbin_get_start", get_start),
      entry_point("bobbin_get_usage", get_usage),
  };
  for (const EntryPoint& entry : entry_points) {
    if (entry.name == name) return entry.function;
  }
  return nullptr;
}

}  // namespace bobbin
