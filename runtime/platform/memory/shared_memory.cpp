// SPDX-License-Identifier: Apache-2.0
#include "platform/memory/shared_memory.h"

#include <unistd.h>

#include "platform/clocks/clock.h"
#include "platform/hash.h"
#include "platform/keep_errno.h"
#include "platform/locks/futex.h"
#include "platform/small_file.h"

namespace bobbin {
namespace {

// An entry of /proc/self/pagemap (linux: Documentation/admin-guide/mm/pagemap.rst).
constexpr uint64_t kPresent = uint64_t{1} << 63;
constexpr uint64_t kSwapped = uint64_t{1} << 62;
constexpr uint64_t kFileOrShared = uint64_t{1} << 61;

bool ask_kernel(uintptr_t address) {
  const KeepErrno keep_errno;
  const FileDescriptor file("/proc/self/pagemap");
  if (!file.valid()) return true;
  uint64_t entry = 0;
  const auto page = static_cast<off_t>(address / static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)));
  const bool known =
      pread(file.number(), &entry, sizeof entry, page * off_t{sizeof entry}) == sizeof entry;
  return !known || (entry & (kPresent | kSwapped)) == 0 || (entry & kFileOrShared) != 0;
}

// Answers are remembered by pieces of memory that are no larger than a page. The two words of an
// entry may belong to different answers for a moment; then one answer is valid for longer.
constexpr unsigned kPieceBits = 12;
constexpr unsigned kEntryBits = 5;
constexpr uint64_t kRememberedUs = 10'000;

struct Answer {
  Atomic<uint64_t> piece{0};  // twice the piece's number, plus 1 if shared
  Atomic<uint64_t> until{0};  // ticks
};
Answer answers[1u << kEntryBits];

}  // namespace

bool in_shared_memory(const void* address) {
  const auto number = reinterpret_cast<uintptr_t>(address);
  const uint64_t piece = number >> kPieceBits;
  Answer& answer = answers[fibonacci_hash(piece, kEntryBits)];
  const uint64_t seen = answer.piece.load(relaxed);
  const uint64_t now = ticks();
  if (seen >> 1 == piece && now < answer.until.load(relaxed)) return (seen & 1) != 0;
  const bool shared = ask_kernel(number);
  answer.piece.store(2 * piece + (shared ? 1 : 0), relaxed);
  answer.until.store(now + kRememberedUs * ticks_per_us(), relaxed);
  return shared;
}

void wait_across_processes(Atomic<uint32_t>& word, uint32_t value) {
  const timespec limit{0, 1'000'000};
  raw_futex(&word, FUTEX_WAIT, value, &limit);
}

void wake_across_processes(Atomic<uint32_t>& word) { raw_futex(&word, FUTEX_WAKE, 1, nullptr); }

}  // namespace bobbin
