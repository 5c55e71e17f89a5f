// SPDX-License-Identifier: Apache-2.0
#include "model/explore.h"

#include <signal.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "model/scheduler.h"

namespace bobbin::model {
namespace {

std::uint32_t atomic_id(const Object& object) {
  return scheduler->memory().locate(object.address, object.size, &object.initial);
}

// A crash of the code under test is a failure like any other. The trace shows what led to it.
void on_crash(int, siginfo_t*, void* context) {
  if (scheduler == nullptr) {
    signal(SIGSEGV, SIG_DFL);
    return;
  }
  char message[80] = "invalid memory access";
#if defined(__x86_64__)
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (registers[REG_RIP] == 0) {
    std::snprintf(message, sizeof message, "call of a function that has no stand-in, from %#llx",
                  *reinterpret_cast<unsigned long long*>(registers[REG_RSP]));
  }
#else
  (void)context;
#endif
  scheduler->fail(message, {});
}

class CrashHandler {
 public:
  CrashHandler() {
    struct sigaction action = {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_NODEFER | SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before_);
  }
  ~CrashHandler() { sigaction(SIGSEGV, &before_, nullptr); }

 private:
  struct sigaction before_;
};

}  // namespace

namespace engine {

bool active() { return scheduler != nullptr; }

void create(Object object, Where where) {
  Memory& memory = scheduler->memory();
  std::uint32_t id =
      memory.create(scheduler->current(), object.address, object.size, &object.initial);
  scheduler->record(Op::Create, id, object.initial.low, where);
}

Word load(Object object, std::memory_order order, Where where) {
  std::uint32_t id = atomic_id(object);
  scheduler->point_before_load(id);
  Memory& memory = scheduler->memory();
  int thread = scheduler->current();
  scheduler->require(memory.check_access(thread, id), where);
  std::uint32_t index = scheduler->pick_store(id, memory.oldest_readable(thread, id, order),
                                              [](const Store&) { return true; });
  memory.read(thread, id, index, order);
  scheduler->note_read(id, index);
  Location& location = memory.location(id);
  Word value = location.stores[index].value;
  scheduler->record(Op::Load, id, value.low, where, order, location.newest() - index);
  return value;
}

void store(Object object, Word value, std::memory_order order, Where where) {
  scheduler->point();
  Memory& memory = scheduler->memory();
  int thread = scheduler->current();
  std::uint32_t id = atomic_id(object);
  scheduler->require(memory.check_access(thread, id), where);
  memory.write(thread, id, value, order);
  scheduler->record(Op::Store, id, value.low, where, order);
}

Word rmw_begin(Object object, std::memory_order, Where where) {
  scheduler->point();
  Memory& memory = scheduler->memory();
  std::uint32_t id = atomic_id(object);
  scheduler->require(memory.check_access(scheduler->current(), id), where);
  return memory.location(id).stores.back().value;
}

void rmw_end(Object object, Word value, std::memory_order order, Where where) {
  Memory& memory = scheduler->memory();
  std::uint32_t id = atomic_id(object);
  memory.update(scheduler->current(), id, value, order);
  scheduler->note_read(id, memory.location(id).newest());
  scheduler->record(Op::Update, id, value.low, where, order);
}

bool compare_exchange(Object object, Word& expected, Word desired, std::memory_order success,
                      std::memory_order failure, Where where) {
  scheduler->point();
  Memory& memory = scheduler->memory();
  int thread = scheduler->current();
  std::uint32_t id = atomic_id(object);
  scheduler->require(memory.check_access(thread, id), where);
  Location& location = memory.location(id);
  // An older store with the expected value is not an option: the exchange would have to follow it
  // directly in the modification order, where another store already is.
  std::uint32_t index =
      scheduler->pick_store(id, memory.oldest_readable(thread, id, failure),
                            [&](const Store& store) { return store.value != expected; });
  Word value = location.stores[index].value;
  if (value == expected) {
    memory.update(thread, id, desired, success);
    scheduler->note_read(id, location.newest());
    scheduler->record(Op::Update, id, desired.low, where, success);
    return true;
  }
  memory.read(thread, id, index, failure);
  memory.note(thread, 30);
  scheduler->note_read(id, index);
  scheduler->record(Op::CasFailed, id, value.low, where, failure, location.newest() - index);
  expected = value;
  return false;
}

void fence(std::memory_order order, Where where) {
  // Only for a seq_cst fence does its position among other threads' operations matter. Other fences
  // are part of the thread's next or previous operation.
  if (is_sc(order)) scheduler->point();
  scheduler->memory().fence(scheduler->current(), order);
  scheduler->record(Op::Fence, kNoLocation, 0, where, order);
}

void spin_hint(Where where) {
  scheduler->record(Op::Spin, kNoLocation, 0, where);
  scheduler->spin();
}

int choose(int options, Where where) {
  int taken = scheduler->choose(options);
  scheduler->memory().note(scheduler->current(), 40 + static_cast<std::uint64_t>(taken));
  scheduler->record(Op::Choose, kNoLocation, static_cast<std::uint64_t>(taken), where);
  return taken;
}

// The kernel compares and queues under a lock that futex_wake also takes, after a full barrier.
WaitResult futex_wait(Object object, Word expected, bool may_time_out, Where where) {
  scheduler->point();
  Memory& memory = scheduler->memory();
  int thread = scheduler->current();
  std::uint32_t id = atomic_id(object);
  scheduler->require(memory.check_access(thread, id), where);
  memory.fence(thread, std::memory_order_seq_cst);
  Location& location = memory.location(id);
  memory.read(thread, id, location.newest(), std::memory_order_relaxed);
  scheduler->record(Op::Wait, id, expected.low, where);
  if (location.stores.back().value != expected) return WaitResult::Changed;
  return scheduler->wait(id, may_time_out, where);
}

int futex_wake(Object object, int count, Where where) {
  scheduler->point();
  Memory& memory = scheduler->memory();
  std::uint32_t id = atomic_id(object);
  memory.fence(scheduler->current(), std::memory_order_seq_cst);
  int woken = scheduler->wake(id, count);
  memory.note_ordered(scheduler->current(), 50 + static_cast<std::uint64_t>(woken));
  scheduler->record(Op::Wake, id, static_cast<std::uint64_t>(woken), where);
  return woken;
}

void create_plain(const void* address, std::uint32_t size, Where where) {
  if (!active()) return;
  Memory& memory = scheduler->memory();
  std::uint32_t id = memory.create(scheduler->current(), address, size, nullptr);
  scheduler->record(Op::Create, id, 0, where);
}

void read_plain(const void* address, std::uint32_t size, Where where) {
  if (!active()) return;
  Memory& memory = scheduler->memory();
  std::uint32_t id = memory.locate(address, size, nullptr);
  scheduler->record(Op::PlainRead, id, 0, where);
  scheduler->require(memory.plain_read(scheduler->current(), id), where);
}

void write_plain(const void* address, std::uint32_t size, Where where) {
  if (!active()) return;
  Memory& memory = scheduler->memory();
  std::uint32_t id = memory.locate(address, size, nullptr);
  scheduler->record(Op::PlainWrite, id, 0, where);
  scheduler->require(memory.plain_write(scheduler->current(), id), where);
}

}  // namespace engine

std::ostream& operator<<(std::ostream& out, const Result& result) {
  out << result.executions << " executions (" << result.pruned << " cut short), " << result.states
      << " states, " << result.seconds << " s";
  if (result.failed) {
    return out << "\n" << result.message << "\n" << result.trace << "replay: " << result.schedule;
  }
  return out << (result.complete ? "" : ": NOT COMPLETE within the limits");
}

Result explore_task(const Options& options, Task body) {
  Scheduler local(options, body);
  CrashHandler crashes;
  scheduler = &local;
  Result result = local.explore();
  scheduler = nullptr;
  if (std::getenv("BOBBIN_MODEL_VERBOSE") != nullptr) std::cerr << result << '\n';
  return result;
}

void spawn_task(Task task, Role role) { scheduler->spawn(task, role); }

void join_all(Where where) {
  scheduler->join_all();
  scheduler->record(Op::Join, kNoLocation, 0, where);
}

int self() { return scheduler->current(); }

void keep_per_thread(void** variable) { scheduler->keep_per_thread(variable); }

void* allocate(std::size_t size, Where where) {
  if (!engine::active()) return ::operator new(size);
  scheduler->point();
  void* block = scheduler->allocate(size);
  scheduler->record(Op::Allocate, kNoLocation, reinterpret_cast<std::uintptr_t>(block), where);
  return block;
}

void deallocate(void* block, std::size_t size, Where where) {
  if (!engine::active()) return ::operator delete(block);
  scheduler->point();
  scheduler->record(Op::Free, kNoLocation, reinterpret_cast<std::uintptr_t>(block), where);
  scheduler->require(scheduler->memory().retire(scheduler->current(), block, size), where);
  scheduler->deallocate(block, size);
}

void name_object(Object object, const char* text) {
  if (engine::active()) scheduler->memory().location(atomic_id(object)).name = text;
}

void check(bool condition, const char* text, Where where) {
  if (condition || !engine::active()) return;
  scheduler->fail((std::string("check failed: ") + text).c_str(), where);
}

}  // namespace bobbin::model
