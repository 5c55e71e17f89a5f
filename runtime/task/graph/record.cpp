// SPDX-License-Identifier: Apache-2.0
#include "task/graph/record.h"

#include <cstdlib>

#include "platform/hash.h"
#include "platform/memory.h"
#include "task/depend/registration.h"

namespace bobbin {
namespace {

// Makes room for one more item. False: out of memory.
template <class T>
bool make_room(T*& items, uint32_t count, uint32_t& capacity) {
  if (count < capacity) return true;
  if (capacity >= TaskRecorder::kMostTasks * 2) return false;
  const uint32_t wanted = capacity == 0 ? 64 : 2 * capacity;
  auto* larger = static_cast<T*>(realloc(items, wanted * sizeof(T)));
  if (larger == nullptr) return false;
  items = larger;
  capacity = wanted;
  return true;
}

}  // namespace

void TaskRecord::free() {
  while (SavedChunk* chunk = saved) {
    saved = chunk->next;
    ::free(chunk);
  }
  ::free(tasks);
  ::free(places);
  ::free(successors);
  *this = {};
}

TaskRecorder::~TaskRecorder() {
  record_.free();
  ::free(edges_);
  ::free(links_);
  ::free(entries_);
}

// Data keep their addresses, because a task may hold addresses of its own data.
void* TaskRecorder::take_saved(size_t size, size_t alignment) {
  auto* at = static_cast<char*>(align_up(free_, alignment));
  if (free_ == nullptr || at > free_end_ || size > static_cast<size_t>(free_end_ - at)) {
    constexpr size_t kFirst = 4096;
    constexpr size_t kMost = size_t{1} << 20;
    size_t wanted = record_.saved == nullptr ? kFirst : 2 * record_.saved->size;
    if (wanted > kMost) wanted = kMost;
    if (wanted < sizeof(SavedChunk) + size + alignment)
      wanted = sizeof(SavedChunk) + size + alignment;
    auto* chunk = static_cast<SavedChunk*>(malloc(wanted));
    if (chunk == nullptr) return nullptr;
    *chunk = {record_.saved, wanted};
    record_.saved = chunk;
    free_end_ = reinterpret_cast<char*>(chunk) + wanted;
    at = static_cast<char*>(align_up(chunk + 1, alignment));
  }
  free_ = at + size;
  return at;
}

RecordedTask* TaskRecorder::add(const TaskSpec& spec) {
  constexpr size_t kMostData = size_t{1} << 31;
  const uint32_t index = record_.count;
  if (index >= kMostTasks || spec.size > kMostData) return nullptr;
  // One more place than there are tasks, for the end of the successors.
  if (!make_room(record_.tasks, index, task_capacity_) ||
      !make_room(record_.places, index + 1, place_capacity_)) {
    return nullptr;
  }
  const size_t alignment = spec.alignment > kSavedStep ? spec.alignment : kSavedStep;
  void* saved = take_saved(round_up(spec.size, kSavedStep), alignment);
  if (saved == nullptr) return nullptr;
  const bool on_stack = spec.size <= kLargestOnStack && alignment <= kCacheLine;
  RecordedTask& task = record_.tasks[index];
  // Addresses are set anew in a copy.
  const bool constant = spec.rare->constant_data && spec.rare->relocate == nullptr;
  task = {spec.function, spec.rare->relocate, saved,    static_cast<uint32_t>(spec.size), constant,
          on_stack,      spec.final_task,     spec.tied};
  RecordedPlace& place = record_.places[index];
  place = {0, 0, kNone, spec.priority, 0};
  if (!on_stack && !constant) {
    if (alignment > record_.alignment) record_.alignment = alignment;
    place.apart = round_up(record_.bytes_apart, record_.alignment);
    record_.bytes_apart = place.apart + spec.size;
  }
  record_.count++;
  if (enter(index, spec.depend)) return &task;
  record_.count--;
  return nullptr;
}

bool TaskRecorder::enter(uint32_t task, const DependList& depend) {
  if (names_all_memory(depend)) return enter_all_memory(task);
  for (size_t i = 0; i < depend.count; i++) {
    if (!enter(task, depend.items[i])) return false;
  }
  return true;
}

bool TaskRecorder::enter_all_memory(uint32_t task) {
  for (size_t i = 0; entry_bits_ != 0 && i < size_t{1} << entry_bits_; i++) {
    Entry& entry = entries_[i];
    if (entry.used && !follow(task, entry.members)) return false;
    entry.used = false;
  }
  entry_count_ = 0;
  if (!follow(task, all_memory_)) return false;
  all_memory_ = kNone;
  return prepend(all_memory_, task);
}

// mutexinoutset: the tasks exclude each other in the order in which they were recorded.
bool TaskRecorder::enter(uint32_t task, const Dependence& dependence) {
  Entry* entry = entry_for(dependence.address);
  if (entry == nullptr) return false;
  const DependKind kind =
      dependence.kind == DependKind::MutexInoutset ? DependKind::Out : dependence.kind;
  const bool empty = entry->members == kNone;
  if (!empty && is_shared(kind) && kind == entry->kind) {
    return follow(task, entry->before) && prepend(entry->members, task);
  }
  if (!empty) {
    entry->before = entry->members;
    entry->members = kNone;
  }
  entry->kind = kind;
  return follow(task, entry->before) && prepend(entry->members, task);
}

bool TaskRecorder::follow(uint32_t task, uint32_t list) {
  for (; list != kNone; list = links_[list].next) {
    const uint32_t from = links_[list].task;
    RecordedPlace& predecessor = record_.places[from];
    if (from == task || predecessor.mark == task) continue;
    if (!make_room(edges_, edge_count_, edge_capacity_)) return false;
    predecessor.mark = task;
    edges_[edge_count_++] = {from, task};
    record_.places[task].predecessors++;
  }
  return true;
}

bool TaskRecorder::prepend(uint32_t& list, uint32_t task) {
  if (!make_room(links_, link_count_, link_capacity_)) return false;
  links_[link_count_] = {task, list};
  list = link_count_++;
  return true;
}

TaskRecorder::Entry& TaskRecorder::slot_for(uintptr_t address) {
  const size_t mask = (size_t{1} << entry_bits_) - 1;
  size_t slot = fibonacci_hash(address, entry_bits_);
  while (entries_[slot].used && entries_[slot].address != address) slot = (slot + 1) & mask;
  return entries_[slot];
}

bool TaskRecorder::grow_entries() {
  Entry* old = entries_;
  const size_t old_size = entry_bits_ == 0 ? 0 : size_t{1} << entry_bits_;
  const unsigned bits = entry_bits_ == 0 ? 6 : entry_bits_ + 1;
  auto* larger = static_cast<Entry*>(calloc(size_t{1} << bits, sizeof(Entry)));
  if (larger == nullptr) return false;
  entries_ = larger;
  entry_bits_ = bits;
  for (size_t i = 0; i < old_size; i++) {
    if (old[i].used) slot_for(old[i].address) = old[i];
  }
  ::free(old);
  return true;
}

// nullptr: out of memory.
TaskRecorder::Entry* TaskRecorder::entry_for(uintptr_t address) {
  if (entry_bits_ == 0 || 2 * (size_t{entry_count_} + 1) > size_t{1} << entry_bits_) {
    if (!grow_entries()) return nullptr;
  }
  Entry& entry = slot_for(address);
  if (!entry.used) {
    entry = {address, kNone, all_memory_, DependKind::In, true};
    entry_count_++;
  }
  return &entry;
}

// Sorts the edges by the tasks that they come from.
TaskRecord TaskRecorder::finish() {
  TaskRecord record = record_;
  record_ = {};
  record.successors = static_cast<uint32_t*>(malloc((size_t{edge_count_} + 1) * sizeof(uint32_t)));
  if (record.successors == nullptr || record.count == 0) return record;
  RecordedPlace* places = record.places;
  for (uint32_t i = 0; i <= record.count; i++) places[i].first_successor = 0;
  for (uint32_t i = 0; i < edge_count_; i++) places[edges_[i].from].first_successor++;
  uint32_t end = 0;
  for (uint32_t i = 0; i <= record.count; i++) {
    end += places[i].first_successor;
    places[i].first_successor = end;
  }
  for (uint32_t i = edge_count_; i > 0; i--) {
    const Edge& edge = edges_[i - 1];
    record.successors[--places[edge.from].first_successor] = edge.to;
  }
  return record;
}

}  // namespace bobbin
