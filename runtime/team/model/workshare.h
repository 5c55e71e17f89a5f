// SPDX-License-Identifier: Apache-2.0
// The records of worksharing regions, and where each thread is among them. How the threads agree on
// a record is in construct/workshare.h.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "omp-tools.h"
#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"

namespace bobbin {

struct Doacross;

// How the iterations of a worksharing loop get to the threads.
enum class Handout : uint8_t {
  Block,    // static without a chunk size: one contiguous part for each thread
  Cyclic,   // static with a chunk size: chunk k goes to thread k modulo the team's size
  Batches,  // dynamic: all threads draw batches of chunks from one counter
  Counter,  // chunk by chunk: dynamic if iterations wait for each other; sections
  Guided,   // all threads draw shrinking parts from one counter
};

// A loop as all threads of its team agree on it. Iterations are numbered 0 .. count-1. The
// program's value of an iteration is begin + number * step, in arithmetic modulo 2^64, which is
// right for signed and unsigned loops that run up or down and reach up to the limits of their type.
struct LoopPlan {
  uint64_t begin = 0;
  uint64_t end = 0;  // as the program gives it; it is told this as the end of the last chunk
  uint64_t step = 1;
  uint64_t count = 0;
  uint64_t chunk = 1;   // iterations in a chunk; Guided: the least
  uint64_t chunks = 0;  // Cyclic, Batches, Counter: how many, the last one perhaps short
  uint64_t unit = 1;    // Guided: all parts except the last are multiples of it; so is `chunk`
  Handout handout = Handout::Block;
  bool ordered = false;
  ompt_work_t work = ompt_work_loop_static;  // what a tool is told
};

// What the threads of a team share about one worksharing region: loop, sections, single with
// copyprivate, scope with task reductions.
//
// Every thread meets the worksharing regions of its team in the same order (section 11), so the
// number of a region identifies it. A team has a ring of kWorkShares records. Region s uses record
// s % kWorkShares in its lap s / kWorkShares, or an extra record if that record is still busy in an
// earlier lap. The protocol is in construct/workshare.h.
struct alignas(kCacheLine) WorkShare {
  // Lap, phase, and whether a thread sleeps until it changes. Written by the first thread of a
  // region and by the last one to leave; read by all.
  Atomic<uint64_t> turn{0};

  // Set by the first thread, constant while in use.
  LoopPlan plan;
  uintptr_t* reductions =
      nullptr;                   // the region's task reductions: construct/reductions/reduction.h
  Doacross* doacross = nullptr;  // one block of malloc
  void* memory = nullptr;        // the memory that the region requested; likewise

  // The data that the thread that executes a single region gives to the others. That thread writes
  // it (release), and the others read it (acquire).
  Atomic<void*> copyprivate{nullptr};

  // Written by all, whenever they draw: next chunk (Batches, Counter), next iteration (Guided). For
  // copyprivate: the number of threads that are copying the data.
  alignas(kCacheLine) Atomic<uint64_t> next{0};

  // Ordered: the iterations before this one have left their ordered regions. Written by the thread
  // whose turn it is, read by threads that wait for their turn.
  alignas(kCacheLine) Atomic<uint64_t> ordered{0};
  Atomic<uint32_t> left{0};  // threads that have left the region; written by all

  void release_memory() {
    free(doacross);
    doacross = nullptr;
    free(memory);
    memory = nullptr;
  }
};

inline constexpr unsigned kWorkShares = 8;

// The extra records of a place's laps, indexed by lap: a thread finds its own at once, however many
// there are. Among these laps there may be the one that the place itself serves. Guarded by a lock,
// but a fork may leave the child with a half-made change (team/members/fork_child.h): each change
// becomes valid by its last store.
class ExtraWorkShares {
 public:
  bool empty() const { return first_.load(relaxed) >= end(); }
  uint64_t end() const { return end_.load(relaxed); }  // one past the last lap

  // Null: there is none.
  WorkShare* find(uint64_t lap) const {
    return lap >= first_.load(relaxed) && lap < end() ? *slots_.load(relaxed)->of(lap) : nullptr;
  }

  // Adds the record of a lap behind all others. Null: out of memory.
  WorkShare* add(uint64_t lap) {
    if (empty()) first_.store(lap, relaxed);
    const uint64_t first = first_.load(relaxed);
    Slots* slots = slots_.load(relaxed);
    if (slots == nullptr || lap - first >= slots->room) slots = grow(lap - first + 1);
    auto* made = slots != nullptr ? make<WorkShare>() : nullptr;
    if (made == nullptr) return nullptr;
    for (uint64_t none = end() > first ? end() : first; none < lap; none++) {
      *slots->of(none) = nullptr;
    }
    *slots->of(lap) = made;
    end_.store(lap + 1, release);
    return made;
  }

  void remove(uint64_t lap) {
    WorkShare*& slot = *slots_.load(relaxed)->of(lap);
    WorkShare* gone = slot;
    slot = nullptr;
    destroy(gone);
    while (!empty() && find(first_.load(relaxed)) == nullptr) {
      first_.store(first_.load(relaxed) + 1, relaxed);
    }
    if (empty()) free(slots_.exchange(nullptr, relaxed));
  }

  template <class Visit>
  void each(Visit visit) const {
    for (uint64_t lap = first_.load(relaxed); lap < end(); lap++) {
      if (WorkShare* share = find(lap)) visit(*share);
    }
  }

  void clear() {
    each([](WorkShare& share) {
      share.release_memory();
      destroy(&share);
    });
    free(slots_.exchange(nullptr, relaxed));
    first_.store(0, relaxed);
    end_.store(0, relaxed);
  }

 private:
  struct Slots {
    uint64_t room;  // a power of two

    // Null in a slot: there is no record, or all threads have left it.
    WorkShare** of(uint64_t lap) { return reinterpret_cast<WorkShare**>(this + 1) + lap % room; }
  };

  Slots* grow(uint64_t needed) {
    constexpr uint64_t kFewest = 16;
    Slots* old = slots_.load(relaxed);
    uint64_t room = old != nullptr ? 2 * old->room : kFewest;
    while (room < needed) room *= 2;
    auto* slots = static_cast<Slots*>(malloc(sizeof(Slots) + room * sizeof(WorkShare*)));
    if (slots == nullptr) return nullptr;
    slots->room = room;
    for (uint64_t lap = first_.load(relaxed); old != nullptr && lap < end(); lap++) {
      *slots->of(lap) = *old->of(lap);
    }
    slots_.store(slots, release);
    free(old);
    return slots;
  }

  Atomic<uint64_t> first_{0};
  Atomic<uint64_t> end_{0};
  Atomic<Slots*> slots_{nullptr};
};

// The copies of a worksharing region's task reductions. This record lies in their memory. After a
// cancelled region the threads may not meet any more, so its copies stay until the end of the
// parallel region.
struct SharedCopies {
  SharedCopies* next;
  void* memory;
};

// All that a team's threads share about its worksharing regions.
struct WorkShares {
  // Number of single regions without copyprivate that a thread has begun to execute. A thread whose
  // own count of singles equals it takes the region by incrementing it.
  alignas(kCacheLine) Atomic<uint32_t> singles{0};
  // The barrier after which a cancellation of a loop or sections expires: 1 + its generation.
  Atomic<uint64_t> cancelled_until{0};
  Atomic<bool> used{false};             // anything here was used since the last reset
  SpinLock extra_lock;                  // guards the next two
  ExtraWorkShares extras[kWorkShares];  // of each place in the ring
  SharedCopies* copies = nullptr;

  WorkShare ring[kWorkShares];

  void keep_copies(SharedCopies& kept) {
    SpinGuard guard(extra_lock);
    kept.next = copies;
    copies = &kept;
    used.store(true, relaxed);
  }

  void release_copies(SharedCopies& gone) {
    SpinGuard guard(extra_lock);
    SharedCopies** link = &copies;
    while (*link != &gone) link = &(*link)->next;
    *link = gone.next;
    free(gone.memory);
  }

  void release_all_copies() {
    SpinGuard guard(extra_lock);
    while (SharedCopies* first = copies) {
      copies = first->next;
      free(first->memory);
    }
  }

  // Called between two regions of the team, whatever happened in the last one.
  void reset() {
    singles.store(0, relaxed);
    cancelled_until.store(0, relaxed);
    for (WorkShare& share : ring) {
      share.turn.store(0, relaxed);
      share.left.store(0, relaxed);
      share.release_memory();
    }
    for (ExtraWorkShares& laps : extras) laps.clear();
    release_all_copies();
    used.store(false, relaxed);
  }
};

// The chunks that a thread has drawn from a loop's counter and not begun:
// construct/worksharing/loop_batches.h. Programs take chunks, too: the first four are
// bobbin_batch_v1 in bobbin/inline/layout.h.
struct ChunkBatch {
  uint64_t left = 0;        // chunks
  uint64_t begin = 0;       // of the next chunk, unless it is the first one; as the program counts
  uint64_t stride = 0;      // from there to the one after
  uint64_t step = 0;        // from one iteration to the next
  uint64_t end = 0;         // one past the last chunk; 0: nothing drawn yet
  uint64_t size = 1;        // of a batch, adapted to what proved good
  uint64_t drawn_at = 0;    // ticks
  uint64_t draw_ticks = 0;  // how long the draw took
};

// What one thread knows about the worksharing regions of its team.
struct WorkSharePosition {
  uint64_t number = 0;            // regions met so far: the next one's number
  WorkShare* current = nullptr;   // nullptr outside of worksharing regions
  WorkShare* doacross = nullptr;  // see construct/worksharing/doacross_bits.h ...
  uint64_t doacross_number = 0;   // ... and the number of that region
  uint32_t singles = 0;           // single regions without copyprivate met so far

  // Of the loop it is in.
  ChunkBatch batch;            // Batches
  bool begun = false;          // Block, Cyclic: it has asked for iterations
  bool part_is_last = true;    // loop divided among teams: this team has the last part
  uint64_t next_chunk = 0;     // Cyclic: its next chunk, if `begun`
  uint64_t first = 0;          // ordered: the chunk it has, as iterations ...
  uint64_t last = 0;           // ... and one past; equal if it has none
  uint64_t ordered_parts = 0;  // ordered regions that it has left in this chunk

  void enter_loop() {
    batch = {};
    begun = false;
    part_is_last = true;
    first = last = 0;
  }
};

}  // namespace bobbin
