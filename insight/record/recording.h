// SPDX-License-Identifier: Apache-2.0
// The file of this process (layout.h): an instrument opens it at its start and takes a slot for
// each thread. Nothing here is called at an event, except the look for a site that is known.
//
// The child of a fork gets a file of its own under the same addresses. So slots and sites stay
// valid there, and the parent's file is not touched. Only the slot of the forking thread is taken
// in it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "insight/record/layout.h"
#include "omp-tools.h"

namespace bobbin::insight {

struct Shape {
  Instrument instrument;
  uint32_t slot_bytes;  // whole pages
  uint32_t slot_count;
};

// False: there is none, and the reason has been said.
// It begins when the runtime was loaded, if that is known.
bool open_recording(const Shape& shape, const char* runtime, ompt_function_lookup_t lookup);
// Of the process's file.
const char* recording_path();
// The process ends in order, or the instrument is done.
void close_recording();

// Called in the child of a fork, when the slot of the forking thread (nullptr: it has none) is as
// it was in the parent, and all other slots are free.
using ForkedHook = void (*)(SlotHeader* slot);
using CurrentSlot = SlotHeader* (*)();
// `current` gives the slot of the calling thread.
void follow_forks(CurrentSlot current, ForkedHook hook);

// nullptr: there is none left, or no memory.
SlotHeader* take_slot(int thread_type);
// For a slot that its thread had in the parent of this process. False: no memory.
bool take_slot_again(SlotHeader& slot, int thread_type);
void end_slot(SlotHeader& slot);

// Where the file is mapped, and the bytes of a slot.
extern std::byte* recording_begin;
extern uint32_t recording_slot_bytes;

inline FixedPart& recording() { return *reinterpret_cast<FixedPart*>(recording_begin); }

inline unsigned number_of(const SlotHeader& slot) {
  const auto at = reinterpret_cast<const std::byte*>(&slot) - recording_begin;
  return static_cast<unsigned>((static_cast<size_t>(at) - kSlotsAt) / recording_slot_bytes);
}

}  // namespace bobbin::insight
