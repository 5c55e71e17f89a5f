// SPDX-License-Identifier: Apache-2.0
// The functions of the instrumented types and of the tests' worlds (tests/model/engine.h,
// explore.h), for counting instead of exploring: each access goes to the memory, and to the
// schedule's machine. So the runtime's code, compiled as for the explorer, runs on many threads
// under one schedule.
#include "model/engine.h"

#include <cstdlib>
#include <limits>

#include "model/count/schedule.h"
#include "model/explore.h"

namespace bobbin::model {

using count::schedule;

namespace {

Word value_at(const Object& object) {
  Word word;
  std::memcpy(static_cast<void*>(&word), object.address, object.size);
  return word;
}

// The object of an Atomic is not const itself.
void put(const Object& object, Word value) {
  std::memcpy(const_cast<void*>(object.address), &value, object.size);
}

}  // namespace

namespace engine {

bool active() { return schedule != nullptr; }

void create(Object, Where) {}
void create_plain(const void*, std::uint32_t, Where) {}

Word load(Object object, std::memory_order, Where where) {
  schedule->read(object.address, where);
  return value_at(object);
}

void store(Object object, Word value, std::memory_order, Where where) {
  schedule->write(object.address, where);
  put(object, value);
}

Word rmw_begin(Object object, std::memory_order, Where where) {
  schedule->own(object.address, where);
  return value_at(object);
}

void rmw_end(Object object, Word value, std::memory_order, Where) {
  put(object, value);
  schedule->changed(schedule->machine().line_of(object.address));
}

// A processor takes the line for itself, whether or not the exchange succeeds then.
bool compare_exchange(Object object, Word& expected, Word desired, std::memory_order,
                      std::memory_order, Where where) {
  count::Line& line = schedule->own(object.address, where);
  const Word value = value_at(object);
  if (value == expected) {
    put(object, desired);
    schedule->changed(line);
    return true;
  }
  expected = value;
  return false;
}

void fence(std::memory_order, Where) {}
void spin_hint(Where) { schedule->spin(); }

// The one choice is how long a bounded spin lasts: as long as it takes.
int choose(int, Where) { return std::numeric_limits<int>::max(); }

WaitResult futex_wait(Object object, Word expected, bool, Where where) {
  schedule->read(object.address, where);
  if (value_at(object) != expected) return WaitResult::Changed;
  schedule->wait(object.address);
  return WaitResult::Woken;
}

int futex_wake(Object object, int count, Where) { return schedule->wake(object.address, count); }

void read_plain(const void* address, std::uint32_t, Where where) {
  if (active()) schedule->read(address, where);
}
void write_plain(const void* address, std::uint32_t, Where where) {
  if (active()) schedule->write(address, where);
}

}  // namespace engine

void spawn_task(Task task, Role) { schedule->spawn(task); }
int self() { return static_cast<int>(schedule->current()); }
void keep_per_thread(void** variable) { schedule->keep_per_thread(variable); }
void* allocate(std::size_t size, Where) { return schedule->allocate(size); }
void deallocate(void*, std::size_t, Where) {}  // freed with the execution

void name_object(Object object, const char* text) {
  const auto* begin = static_cast<const char*>(object.address);
  schedule->machine().name(begin, begin + object.size, text);
}

void check(bool condition, const char* text, Where where) {
  if (condition) return;
  schedule->fail(std::string("check failed: ") + text + ", line " + std::to_string(where.line()));
}

}  // namespace bobbin::model
