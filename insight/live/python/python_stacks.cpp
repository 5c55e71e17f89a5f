// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_stacks.h"

namespace bobbin::insight {
namespace {

using enum PythonField;

// What is read while the process changes it may be anything.
constexpr unsigned kMostInterpreters = 256;
constexpr unsigned kMostThreads = 1u << 14;
constexpr unsigned kDeepest = 256;

// By which the interpreter marks where C code has called it: FRAME_OWNED_BY_CSTACK.
constexpr uint8_t kOwnedByC = 3;

}  // namespace

PythonStacks::PythonStacks(const Memory& memory, const LiveModules& modules)
    : memory_(memory), layout_(PythonLayout::of(memory, modules)) {
  if (layout_) codes_.emplace(memory_, *layout_);
}

// Each OpenMP thread that has called Python has a state of its own, too, with the kernel thread
// that carried it when it did so first. New states come first, so that of the root is the last one.
uint64_t PythonStacks::thread_state_of(const PythonLayout& at, int kernel_thread) const {
  uint64_t oldest = 0;
  uint64_t interpreter = memory_.u64(at.runtime + at[Interpreters]);
  unsigned threads = 0;
  for (unsigned i = 0; i < kMostInterpreters && interpreter != 0; i++) {
    uint64_t thread = memory_.u64(interpreter + at[Threads]);
    for (; thread != 0 && threads < kMostThreads; threads++) {
      if (memory_.u64(thread + at[KernelThread]) == static_cast<uint64_t>(kernel_thread)) {
        oldest = thread;
      }
      thread = memory_.u64(thread + at[NextThread]);
    }
    interpreter = memory_.u64(interpreter + at[NextInterpreter]);
  }
  return oldest;
}

uint64_t PythonStacks::innermost_frame_of(const PythonLayout& at, uint64_t thread_state) const {
  const uint64_t frame = memory_.u64(thread_state + at[Frame]);
  const uint64_t through = at[FrameOfCFrame];
  return through == PythonLayout::kNone || frame == 0 ? frame : memory_.u64(frame + through);
}

std::vector<PythonFrame> PythonStacks::of(int kernel_thread) {
  if (!layout_ || !codes_ || kernel_thread <= 0) return {};
  const PythonLayout& at = *layout_;
  const uint64_t thread_state = thread_state_of(at, kernel_thread);
  if (thread_state == 0) return {};
  std::vector<PythonFrame> frames;
  uint64_t frame = innermost_frame_of(at, thread_state);
  for (unsigned depth = 0; depth < kDeepest && frame != 0; depth++) {
    if (memory_.byte(frame + at[Owner]) != kOwnedByC) {
      const std::optional<PythonFrame> one =
          codes_->frame(memory_.u64(frame + at[Code]), memory_.u64(frame + at[Instruction]));
      if (!one) return {};
      frames.push_back(*one);
    }
    frame = memory_.u64(frame + at[PreviousFrame]);
  }
  return frames;
}

}  // namespace bobbin::insight
