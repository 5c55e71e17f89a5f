// SPDX-License-Identifier: Apache-2.0
#include "task/modes/blocking/handle_block.h"

#include "platform/hash.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "task/modes/blocking/blocking.h"

namespace bobbin {
namespace {

struct Note {
  const void* handle;
  Blocker* blocker = nullptr;  // nullptr: unblock_by() came first, and the note is on the heap
  Note* next = nullptr;
};

constexpr unsigned kBits = 8;
constinit SpinLock lock;
constinit Note* notes[1u << kBits];  // guarded by the lock

enum class First : uint8_t { Block, Unblock };

// Takes away a note of the handle that the call `first` has left.
Note* take(const void* handle, First first) {
  for (Note** link = &notes[fibonacci_hash(handle, kBits)]; *link != nullptr;
       link = &(*link)->next) {
    Note* note = *link;
    if (note->handle != handle || (note->blocker != nullptr) != (first == First::Block)) continue;
    *link = note->next;
    return note;
  }
  return nullptr;
}

void leave(Note& note) {
  Note*& first = notes[fibonacci_hash(note.handle, kBits)];
  note.next = first;
  first = &note;
}

}  // namespace

void init_handle_blocks() { add_fork_lock(held_across_fork<lock>); }

void block_by(const void* handle, Thread& thread) {
  Blocker blocker;
  Note own{.handle = handle, .blocker = &blocker};
  Note* early;
  {
    const SpinGuard guard(lock);
    early = take(handle, First::Unblock);
    if (early == nullptr) leave(own);
  }
  if (early != nullptr) {
    free(early);
  } else {
    block(thread, blocker);
  }
}

bool unblock_by(const void* handle) {
  Note* early = make<Note>(Note{.handle = handle});  // not under the lock
  Blocker* blocker;
  {
    const SpinGuard guard(lock);
    const Note* note = take(handle, First::Block);
    if (note == nullptr) {
      if (early != nullptr) leave(*early);
      return early != nullptr;
    }
    blocker = note->blocker;
  }
  free(early);
  unblock(*blocker);
  return true;
}

}  // namespace bobbin
