// SPDX-License-Identifier: Apache-2.0
#include "insight/trace/callbacks.h"

#include "bobbin/tool.h"
#include "insight/record/event_kinds.h"
#include "insight/record/instrument.h"
#include "insight/record/recording.h"
#include "insight/record/sites.h"
#include "insight/trace/events.h"
#include "platform/clocks/clock.h"

namespace bobbin::insight {
namespace {

using GetThreadData = ompt_data_t* (*)();
GetThreadData get_thread_data = nullptr;
// Constant once the recording is open, except that a child of a fork begins its own.
uint64_t begin_ticks = 0;
uint64_t place_mask = 0;

// That of the calling thread. nullptr: it has none, and its events are lost.
TraceSlot* current_slot() {
  const ompt_data_t* data = get_thread_data();
  return data != nullptr ? static_cast<TraceSlot*>(data->ptr) : nullptr;
}

SlotHeader* current_header() {
  TraceSlot* slot = current_slot();
  return slot != nullptr ? &slot->header : nullptr;
}

void write(TraceSlot& slot, EventType type, SiteNumber site, uint64_t id) {
  const uint64_t now = ticks();
  const uint64_t number = slot.written.load(relaxed);
  auto* ring = reinterpret_cast<Event*>(reinterpret_cast<std::byte*>(&slot) + kRingAt);
  Event& event = ring[number & place_mask];
  // The counters of processors may differ a little.
  const uint64_t time = now > begin_ticks ? now - begin_ticks : 0;
  event.time_and_type = time | uint64_t{static_cast<uint8_t>(type)} << kTimeBits;
  event.id_and_site = (id & kIdMask) | uint64_t{site} << kIdBits;
  // The process may be killed between the two.
  slot.written.store(number + 1, release);
  slot.header.last = now;
}

void note(EventType type, SiteNumber site = 0, uint64_t id = 0) {
  if (TraceSlot* slot = current_slot()) write(*slot, type, site, id);
}

// The word of a task.
//   bits 0-47 the id, 0 of an implicit task | 48-59 the site | 62 begun
class TaskWord {
 public:
  static constexpr uint64_t kBegun = uint64_t{1} << 62;

  explicit TaskWord(uint64_t word) : word_(word) {}
  explicit TaskWord(const ompt_data_t* data) : word_(data != nullptr ? data->value : 0) {}
  TaskWord(uint64_t id, SiteNumber site) : word_(id | uint64_t{site} << kIdBits) {}

  uint64_t word() const { return word_; }
  uint64_t id() const { return word_ & kIdMask; }
  SiteNumber site() const { return static_cast<SiteNumber>(word_ >> kIdBits & (kSites - 1)); }
  bool begun() const { return (word_ & kBegun) != 0; }

 private:
  uint64_t word_;
};

void thread_begin(ompt_thread_t type, ompt_data_t* data) { data->ptr = take_slot(type); }

void thread_end(ompt_data_t* data) {
  auto* slot = static_cast<TraceSlot*>(data->ptr);
  if (slot == nullptr) return;
  slot->header.last = ticks();
  end_slot(slot->header);
}

// The data of a region are its site.
void parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned, int,
                    const void* code) {
  region->value = site_of(SiteKind::Region, code);
}

// In the child of a fork threads of the parent may live on, and each begins with an implicit task.
bool lives(TraceSlot& slot, int type) {
  return slot.header.state != SlotState::Free || take_slot_again(slot.header, type);
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, unsigned,
                   unsigned thread_num, int flags) {
  TraceSlot* slot = current_slot();
  if ((flags & ompt_task_initial) != 0 || slot == nullptr || !lives(*slot, ompt_thread_worker)) {
    return;
  }
  if (endpoint == ompt_scope_end) {
    write(*slot, EventType::ImplicitEnd, TaskWord(task).site(), thread_num);
    return;
  }
  const SiteNumber site = region != nullptr ? static_cast<SiteNumber>(region->value) : SiteNumber{};
  task->value = TaskWord(0, site).word();
  write(*slot, EventType::ImplicitBegin, site, thread_num);
}

// Where a construct is. If the call was the last one of its function, the compiler has made a jump
// of it, which returns into the runtime; and of a construct that is one with its region, or of the
// region's end, most threads are not told the place. Then it is the place of the task.
const void* place_of(const ompt_data_t* task, const void* code) {
  return code == nullptr || is_runtime(code) ? code_of(TaskWord(task).site()) : code;
}

void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
          uint64_t count, const void* code) {
  // The others only pass it by.
  if (type == ompt_work_single_other || type == ompt_work_distribute) return;
  const SiteNumber site = site_of(kind_of(type), place_of(task, code));
  note(endpoint == ompt_scope_end ? EventType::WorkEnd : EventType::WorkBegin, site, count);
}

void dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t kind, ompt_data_t instance) {
  if (kind == ompt_dispatch_section) note(EventType::Chunk, 0, 1);
  if (kind != ompt_dispatch_ws_loop_chunk) return;
  note(EventType::Chunk, 0, static_cast<const ompt_dispatch_chunk_t*>(instance.ptr)->iterations);
}

void task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* made, int flags, int,
                 const void* code) {
  made->value = 0;
  TraceSlot* slot = current_slot();
  if (slot == nullptr || (flags & ompt_task_explicit) == 0) return;
  const SiteNumber site = site_of(SiteKind::Task, code);
  const TaskWord task(uint64_t{number_of(slot->header)} << kTaskBits | ++slot->tasks_made, site);
  made->value = task.word();
  write(*slot, EventType::TaskCreate, site, task.id());
}

void task_schedule(ompt_data_t* left, ompt_task_status_t status, ompt_data_t* next) {
  if (next == nullptr) return;  // a detached task's event, or a taskwait with dependences
  TraceSlot* slot = current_slot();
  if (slot == nullptr) return;
  const bool ended =
      status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach;
  const TaskWord before(left);
  // A task that was cancelled before it began has no end.
  if (ended && before.begun()) write(*slot, EventType::TaskEnd, before.site(), before.id());
  const TaskWord after(next);
  if (after.id() != 0 && !after.begun()) {
    next->value |= TaskWord::kBegun;
    write(*slot, EventType::TaskBegin, after.site(), after.id());
  } else if (!ended) {
    write(*slot, EventType::TaskResume, after.site(), after.id());
  }
}

void task_dependence(ompt_data_t* from, ompt_data_t* to) {
  TraceSlot* slot = current_slot();
  if (slot == nullptr) return;
  const TaskWord first(from);
  const TaskWord second(to);
  if (first.id() == 0 || second.id() == 0) return;
  write(*slot, EventType::DependenceFrom, first.site(), first.id());
  write(*slot, EventType::DependenceTo, second.site(), second.id());
}

void sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*,
                      ompt_data_t* task, const void* code) {
  note(endpoint == ompt_scope_end ? EventType::WaitEnd : EventType::WaitBegin,
       site_of(kind_of(kind), place_of(task, code)));
}

void mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void* code) {
  if (waits_for(kind)) note(EventType::WaitBegin, site_of(kind_of(kind), code));
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t, const void* code) {
  if (waits_for(kind)) note(EventType::WaitEnd, site_of(kind_of(kind), code));
}

// Its owner has set it once more, so it did not wait.
void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void* code) {
  if (endpoint != ompt_scope_end) note(EventType::WaitEnd, site_of(SiteKind::Lock, code));
}

uint64_t slot_of(const ompt_data_t* thread) {
  const auto* slot = thread != nullptr ? static_cast<TraceSlot*>(thread->ptr) : nullptr;
  return slot != nullptr ? number_of(slot->header) : kNoSlot;
}

void steal(ompt_data_t* victim, unsigned tasks, bobbin_distance_t /*distance*/) {
  if (tasks != 0) note(EventType::Steal, 0, slot_of(victim) | uint64_t{tasks} << kSlotBits);
}

void wake(ompt_data_t* woken) { note(EventType::Wake, 0, slot_of(woken)); }

// What the parent has written is the parent's. The thread that has forked is where it was.
void begin_again(SlotHeader* header) {
  begin_ticks = recording().header.begin.ticks;
  if (header == nullptr) return;
  auto& slot = *reinterpret_cast<TraceSlot*>(header);
  slot.written.store(0, relaxed);
  header->begin = header->last = ticks();
  TraceSlot* carrier = slot.carrier;
  if (carrier == nullptr || !take_slot_again(carrier->header, slot.carrier_type)) return;
  write(*carrier, EventType::Carries, 0, number_of(*header));
}

// Writes into the slot of the worker, which is the calling kernel thread.
void worker(ompt_data_t* data, unsigned number, bobbin_worker_state_t state, ompt_data_t* thread) {
  static TraceSlot none;
  const int type = kFirstWorker + static_cast<int>(number);
  if (data->ptr == nullptr) {
    SlotHeader* taken = take_slot(type);
    data->ptr = taken != nullptr ? static_cast<void*>(taken) : &none;
  }
  if (data->ptr == &none) return;
  auto& slot = *static_cast<TraceSlot*>(data->ptr);
  if (!lives(slot, type)) return;
  switch (state) {
    case bobbin_worker_carries:
      if (thread != nullptr && thread->ptr != nullptr) {
        static_cast<TraceSlot*>(thread->ptr)->carrier = &slot;
        static_cast<TraceSlot*>(thread->ptr)->carrier_type = type;
      }
      return write(slot, EventType::Carries, 0, slot_of(thread));
    case bobbin_worker_looks:
      return write(slot, EventType::Looks, 0, 0);
    case bobbin_worker_sleeps:
      return write(slot, EventType::Sleeps, 0, 0);
  }
}

}  // namespace

bool watch_for_trace(ompt_function_lookup_t lookup) {
  auto* set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
  get_thread_data = reinterpret_cast<GetThreadData>(lookup("ompt_get_thread_data"));
  if (set == nullptr || get_thread_data == nullptr) return false;
  begin_ticks = recording().header.begin.ticks;
  place_mask = ring_places(recording_slot_bytes) - 1;
  const WantedEvent wanted[] = {
      BOBBIN_WANTED(thread_begin),     BOBBIN_WANTED(thread_end),    BOBBIN_WANTED(implicit_task),
      BOBBIN_WANTED(parallel_begin),   BOBBIN_WANTED(work),          BOBBIN_WANTED(dispatch),
      BOBBIN_WANTED(task_create),      BOBBIN_WANTED(task_schedule), BOBBIN_WANTED(nest_lock),
      BOBBIN_WANTED(task_dependence),  BOBBIN_WANTED(mutex_acquire), BOBBIN_WANTED(mutex_acquired),
      BOBBIN_WANTED(sync_region_wait),
  };
  set_callbacks(set, wanted);
  if (auto* own = reinterpret_cast<bobbin_set_callback_t>(lookup("bobbin_set_callback"))) {
    own(bobbin_callback_steal, reinterpret_cast<ompt_callback_t>(steal));
    own(bobbin_callback_wake, reinterpret_cast<ompt_callback_t>(wake));
    own(bobbin_callback_worker, reinterpret_cast<ompt_callback_t>(worker));
  }
  follow_forks(current_header, begin_again);
  return true;
}

}  // namespace bobbin::insight
