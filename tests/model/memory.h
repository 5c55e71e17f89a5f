// SPDX-License-Identifier: Apache-2.0
// The memory model: which stores a load may read, and what a thread knows after it.
//
// An operational form of C++20's model, after view machines (Kang et al., POPL'17; Dang et al.,
// POPL'20). Every location keeps the history of its stores. The position in it is the modification
// order, which here is the order of execution. A thread's Knowledge consists of
//   view   for each location, the oldest store that coherence still lets it read.
// A release store carries the storing thread's knowledge as its message. A relaxed store carries
// the knowledge at that thread's last release fence. An acquire load takes the message over; after
// a relaxed load a later acquire fence does so. A read-modify-write reads the newest store and
// passes that store's message on: a release sequence. seq_cst fences exchange views with one global
// view (not clocks: they order, but do not synchronise). seq_cst loads and stores exchange just
// their own location with it. The order S of seq_cst operations and the modification orders follow
// the order of execution. That excludes a few behaviours (those of 2+2W and load buffering). All
// weak behaviours caused by a missing release, acquire or store-load fence are included.
//
// In addition, a hash of each thread's causal past is kept: of its operations and of the stores
// that they read. Equal hashes of all threads and locations mean equal states, however they were
// interleaved.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/engine.h"

namespace bobbin::model {

inline constexpr int kMaxThreads = 8;

struct Clock {
  std::uint32_t at[kMaxThreads] = {};
  void join(const Clock& other);
};

struct Epoch {
  std::uint32_t thread = 0;
  std::uint32_t time = 0;
  bool before(const Clock& clock) const { return time <= clock.at[thread]; }
};

struct View {
  std::vector<std::uint16_t> oldest;
  void join(const std::uint16_t* other, std::size_t count);
  void raise(std::uint32_t location, std::uint32_t index);
  std::uint32_t at(std::uint32_t location) const {
    return location < oldest.size() ? oldest[location] : 0;
  }
};

struct Knowledge {
  Clock clock;
  View view;
  void reset();
};

// Immutable; lives in the memory's arena until the execution ends.
struct Message {
  Clock clock;
  std::uint32_t count;
  std::uint16_t* oldest;
};

struct Store {
  Word value;
  const Message* message;
  std::uint64_t hash;
  Epoch by;
};

struct Location {
  const char* name = nullptr;
  const void* address = nullptr;
  std::uint32_t size = 0;
  Epoch created;
  bool dead = false;
  std::uint32_t last_access[kMaxThreads] = {};
  std::vector<Store> stores;  // atomics
  Epoch last_write;           // plain variables
  std::uint32_t last_read[kMaxThreads] = {};
  std::uint64_t hash = 0;      // of everything that has happened to it
  std::uint64_t identity = 0;  // the same in all executions in which it was created in the same way
  std::uint32_t newest() const { return static_cast<std::uint32_t>(stores.size()) - 1; }
};

class Memory {
 public:
  // Starts an execution: no locations, and only thread 0.
  void reset();

  // Returns the object's location, registering it first if this execution has not seen it.
  std::uint32_t locate(const void* address, std::uint32_t size, const Word* initial);
  std::uint32_t create(int thread, const void* address, std::uint32_t size, const Word* initial);
  Location& location(std::uint32_t id) { return locations_[id]; }
  std::uint32_t location_count() const { return used_; }

  void fork(int parent, int child);
  void join(int thread, int ended);

  // The oldest store of `id` that `thread` may read.
  std::uint32_t oldest_readable(int thread, std::uint32_t id, std::memory_order order) const;
  void read(int thread, std::uint32_t id, std::uint32_t index, std::memory_order order);
  void write(int thread, std::uint32_t id, Word value, std::memory_order order);
  // Reads the newest store and puts `value` behind it.
  void update(int thread, std::uint32_t id, Word value, std::memory_order order);
  void fence(int thread, std::memory_order order);

  // These return the reason why the access is an error, or nullptr.
  const char* check_access(int thread, std::uint32_t id);
  const char* plain_read(int thread, std::uint32_t id);
  const char* plain_write(int thread, std::uint32_t id);
  // The memory [address, address + size) is freed.
  const char* retire(int thread, const void* address, std::size_t size);

  // Mixes an event that is not an access (a choice, a wake-up) into the thread's past.
  void note(int thread, std::uint64_t event);
  // Mixes an event of an object whose operations are totally ordered (the allocator, a wait queue).
  void note_ordered(int thread, std::uint64_t event);
  std::uint64_t hash() const;
  std::uint64_t thread_hash(int thread) const { return threads_[thread].hash; }

 private:
  struct ThreadState {
    Knowledge now;
    Knowledge on_acquire_fence;  // messages of stores that relaxed loads have read
    Knowledge at_release_fence;  // `now` at the time of the last release fence
    std::uint64_t hash = 0;
  };

  struct Known {
    std::uintptr_t address = 0;
    std::uint32_t run = 0;
    std::uint32_t id = 0;
  };

  // The entry of the address, or the free entry where it belongs.
  Known& entry(std::uintptr_t address);
  std::uint32_t add(const void* address, std::uint32_t size, const Word* initial, Epoch created,
                    std::uint64_t hash);
  void tick(int thread) { ++threads_[thread].now.clock.at[thread]; }
  const Message* freeze(const Knowledge& knowledge, const Message* also);
  void append(int thread, std::uint32_t id, Word value, const Message* message);
  void take(int thread, const Message* message, bool acquires);
  void raise_sc(std::uint32_t id, std::uint32_t index);
  void set_location_hash(Location& location, std::uint64_t hash);
  void* arena_take(std::size_t bytes);

  ThreadState threads_[kMaxThreads];
  View sc_;
  std::uint64_t sc_hash_ = 0;  // of the view; a sum, so independent of the order
  std::uint64_t ordered_hash_ = 0;
  std::uint64_t locations_hash_ = 0;
  std::vector<Location> locations_;
  std::uint32_t used_ = 0;
  // By address, with open addressing. Entries of earlier executions count as free.
  std::vector<Known> known_ = std::vector<Known>(1024);
  std::uint32_t run_ = 0;
  std::vector<char*> blocks_;
  std::size_t block_ = 0;
  std::size_t offset_ = 0;
};

std::uint64_t mix(std::uint64_t a, std::uint64_t b);

inline bool is_acquire(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
inline bool is_release(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
inline bool is_sc(std::memory_order order) { return order == std::memory_order_seq_cst; }

}  // namespace bobbin::model
