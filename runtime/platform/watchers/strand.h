// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "platform/watchers/happens_before.h"

// A strand is what ThreadSanitizer takes for a thread (a fiber of its interface). To it, all that a
// kernel thread does is in order, so two sibling tasks that the same thread executes could never
// race. Therefore each task that may be deferred runs on a strand of its own, which follows only
// what the runtime reports: its creation and its predecessors. A task that its creator waits for
// at once stays on the creator's strand.
//
// What the kernel thread's strand did before is in no order with a new strand. That is why
//   - its stack must be one that the detector takes for new memory (renew_memory),
//   - memory that the runtime uses again for tasks is forgotten (forget_order),
//   - thread-local variables, which only one of a thread's tasks uses at a time, are exempt,
//   - a task that asks for its thread's number, to find data of the thread, follows those of the
//     thread that did so before (team/model/thread.h).
//
// A strand costs 10 us under clang's ThreadSanitizer and half a millisecond under that of GCC 12.
// When they take more than a third of the time, tasks run on the strand of the thread that executes
// them, which reports more order.
//
// The child of a fork has no strands. ThreadSanitizer has stopped looking for races in it.
namespace bobbin {

#if defined(BOBBIN_MODEL) || defined(__SANITIZE_THREAD__)

class [[maybe_unused]] Strand {
 public:
  explicit Strand(bool = true) {}
  ~Strand() {}
  bool begun() const { return false; }
};
inline void renew_memory(void*, size_t, int) {}
class Unseen {
 public:
  Unseen() {}
  ~Unseen() {}
};

#else

// As long as it exists, the calling kernel thread is on a new strand, unless there are too many.
class Strand {
 public:
  explicit Strand(bool wanted = true) {
    if (wanted && has_strands()) [[unlikely]]
      begin();
  }
  ~Strand() {
    if (own_ != nullptr) [[unlikely]]
      end();
  }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  bool begun() const { return own_ != nullptr; }

 private:
  void begin();
  void end();

  void* outer_ = nullptr;
  void* own_ = nullptr;
};

// As long as it exists, the detector does not see what the strand does to memory. The runtime
// allocates and frees data of its own on several strands, in an order that it does not report.
class Unseen {
 public:
  Unseen() {
    if (has_strands()) [[unlikely]]
      begin();
  }
  ~Unseen() {
    if (begun_) [[unlikely]]
      end();
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  void begin();
  static void end();

  bool begun_ = false;
};

// Maps pages of zeros in the place of these. `protection`: as mmap takes it.
void renew_memory(void* memory, size_t bytes, int protection);

// Finds ThreadSanitizer's functions. False: they are not all there, or stacks cannot be switched.
bool find_strands();
void forget_memory(const void* memory, size_t bytes);

#endif

}  // namespace bobbin
