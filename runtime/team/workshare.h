// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "env/icv.h"
#include "platform/atomic.h"

namespace bobbin {

struct OrderedState;
struct DoacrossState;

// What the threads of a team share about one worksharing construct: loop, sections, single, scope.
//
// Every thread meets the worksharing regions of its team in the same order (section 11), so the
// number of a region identifies it. A team has a ring of kWorkShares records; region number s uses
// record s % kWorkShares. The record's `turn` tells whom it serves:
//   2s      free for region s            (the first thread to come takes it: CAS 2s -> 2s+1 ...)
//   2s+1    being set up, then in use for region s once `ready` says s
// and when the last thread of the team has left region s, turn becomes 2(s + kWorkShares). A thread
// that runs ahead (nowait) waits for its record to come round.
struct alignas(kCacheLine) WorkShare {
  // Claimed and published: see construct/workshare.
  Atomic<uint64_t> turn{0};
  Atomic<uint64_t> ready{0};
  Atomic<uint32_t> left{0};          // threads that have left the region
  Atomic<bool> cancelled{false};

  // Set by the first thread, constant while in use.
  Schedule schedule;
  bool is_unsigned = false;
  int64_t begin = 0, end = 0, step = 1, chunk = 0;
  uint64_t ubegin = 0, uend = 0, ustep = 1, uchunk = 0;
  void* copyprivate = nullptr;       // single: the broadcast structure
  void* reductions = nullptr;        // task reductions of the region
  OrderedState* ordered = nullptr;
  DoacrossState* doacross = nullptr;
  void* memory = nullptr;            // what the region asked for ("mem" of GOMP_loop_start)

  // Drawn from by all.
  alignas(kCacheLine) Atomic<uint64_t> next{0};

  // Free for region `number` again, whatever happened to it: between regions of the team.
  void reset(uint64_t number) {
    turn.store(2 * number, relaxed);
    left.store(0, relaxed);
    cancelled.store(false, relaxed);
  }
};

inline constexpr unsigned kWorkShares = 8;

// What one thread knows about the region that it is in.
struct WorkSharePosition {
  uint64_t number = 0;               // of the region; next one gets number + 1
  WorkShare* current = nullptr;      // nullptr outside of worksharing regions
  int64_t static_trip = 0;           // chunks of a static schedule taken so far; -1: the last one
  uint64_t ordered_iteration = 0;
};

}  // namespace bobbin
