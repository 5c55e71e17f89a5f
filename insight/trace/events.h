// SPDX-License-Identifier: Apache-2.0
// What a thread writes into its slot of a trace: docs/notes/trace-format.md specifies it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

enum class EventType : uint8_t {
  None,
  ImplicitBegin,
  ImplicitEnd,
  WorkBegin,
  WorkEnd,
  Chunk,
  TaskCreate,
  TaskBegin,
  TaskEnd,
  TaskResume,
  DependenceFrom,
  DependenceTo,
  WaitBegin,
  WaitEnd,
  Carries,  // these three in the slot of a worker
  Looks,
  Sleeps,
  Steal,
  Wake,
};

inline constexpr unsigned kTimeBits = 56;
inline constexpr unsigned kIdBits = 48;
inline constexpr uint64_t kIdMask = (uint64_t{1} << kIdBits) - 1;

struct Event {
  uint64_t time_and_type = 0;
  uint64_t id_and_site = 0;

  uint64_t time() const { return time_and_type & ((uint64_t{1} << kTimeBits) - 1); }
  EventType type() const { return static_cast<EventType>(time_and_type >> kTimeBits); }
  uint64_t id() const { return id_and_site & kIdMask; }
  // Of a damaged file's event it is some site of the table.
  SiteNumber site() const { return static_cast<SiteNumber>((id_and_site >> kIdBits) % kSites); }
};
static_assert(sizeof(Event) == 16);

// The begin of a slot. The ring of events follows, from kRingAt on.
struct TraceSlot {
  SlotHeader header;
  Atomic<uint64_t> written{0};
  uint64_t tasks_made = 0;
  // Where it is carried, if that is known: nothing for a reader of the file.
  TraceSlot* carrier = nullptr;
  int carrier_type = 0;
};
inline constexpr size_t kRingAt = kPage;
static_assert(sizeof(SlotHeader) == 24 && sizeof(TraceSlot) <= kRingAt);

inline constexpr unsigned kTaskBits = 36;  // of an id: the number among the tasks of its maker
inline constexpr unsigned kSlotBits =
    12;  // of the id of a theft: the victim's slot, then the tasks
static_assert(kTaskBits + kSlotBits == kIdBits);

inline constexpr uint64_t kNoSlot = (uint64_t{1} << kSlotBits) - 1;

// The type of the slot of a worker: this and the number of the worker.
inline constexpr int kFirstWorker = 1 << 16;

constexpr uint64_t ring_places(uint32_t slot_bytes) {
  return (slot_bytes - kRingAt) / sizeof(Event);
}

inline constexpr uint32_t kMostTracedThreads = 1024;
// The bytes of a ring: a power of two.
inline constexpr uint32_t kLeastRing = 4096;
inline constexpr uint32_t kUsualRing = 4u << 20;
inline constexpr uint32_t kMostRing = 1u << 30;
// Not, if the file is damaged.
constexpr bool holds_ring(uint32_t slot_bytes) {
  return slot_bytes >= kRingAt + kLeastRing && std::has_single_bit(slot_bytes - kRingAt);
}
// In KiB. `bobbin run --trace-buffer` sets it.
inline constexpr const char* kBufferVariable = "BOBBIN_TRACE_BUFFER";

}  // namespace bobbin::insight
