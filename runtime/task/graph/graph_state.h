// SPDX-License-Identifier: Apache-2.0
// Who may use a recorded graph. The state is one word:
//
//   0                   nothing is recorded
//   kHeld               one thread, its holder, records the graph, divides it anew or discards it
//   kReady + n          the record is whole, and n replays of it are under way, its users
//   kReady + kStale + n likewise, but the record is to be discarded; n > 0
//   kUnsuitable         the region cannot be recorded
//
// Invariant: only the holder writes the record, and only users and the holder read it. Each move to
// kHeld is a compare-and-swap from a word without kHeld and without users other than the caller, so
// there is one holder, and no user beside it.
//
// The pairs of release and acquire: the holder ends by a store with release, and a user begins by
// a compare-and-swap with acquire, so it sees the whole record. A user leaves with release, and the
// next holder begins with acquire, so it changes nothing that a user still reads. The words between
// these two are written by compare-and-swaps alone, which carry a release on.
//
// Nobody waits for another thread here, because that one may wait for this one: a thread that can
// be neither holder nor user executes the region without the graph.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

class GraphState {
 public:
  enum class Part : uint8_t { Record, Replay, Execute };

  // What the caller does with the region. Record: it holds the graph, and whatever was recorded is
  // to be discarded first. Replay: it is a user.
  Part enter(bool reset) {
    uint32_t before = word_.load(acquire);
    while (true) {
      uint32_t after = before;
      Part part = Part::Execute;
      const bool in_use = (before & kUsers) != 0;
      if (before == 0 || (reset && (before & kHeld) == 0 && !in_use)) {
        after = kHeld;
        part = Part::Record;
      } else if ((before & kReady) != 0 && reset) {
        after = before | kStale;
      } else if ((before & (kReady | kStale)) == kReady) {
        after = before + 1;
        part = Part::Replay;
      }
      if (word_.compare_exchange_weak(before, after, acq_rel, acquire)) return part;
    }
  }

  // A user leaves. True: it holds the graph now, and is to discard the record.
  bool leave() {
    uint32_t before = word_.load(relaxed);
    while (true) {
      const bool discards = (before & kUsers) == 1 && (before & kStale) != 0;
      const uint32_t after = discards ? kHeld : before - 1;
      if (word_.compare_exchange_weak(before, after, acq_rel, relaxed)) return discards;
    }
  }

  // A user leaves, and holds the graph. False: there are others, or the record is to be discarded.
  bool hold_alone() {
    uint32_t only = kReady | 1;
    return word_.compare_exchange_strong(only, kHeld, acq_rel, relaxed);
  }

  // --- By the holder, which is it no more.

  void end_ready() { word_.store(kReady, release); }
  void end_as_user() { word_.store(kReady | 1, release); }
  void end_empty() { word_.store(0, release); }
  void end_unsuitable() { word_.store(kUnsuitable, release); }

 private:
  static constexpr uint32_t kReady = 1u << 31;
  static constexpr uint32_t kHeld = 1u << 30;
  static constexpr uint32_t kUnsuitable = 1u << 29;
  static constexpr uint32_t kStale = 1u << 28;
  static constexpr uint32_t kUsers = kStale - 1;

  Atomic<uint32_t> word_{0};
};

}  // namespace bobbin
