// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/own_calls.h"

#include <link.h>

#include <cstring>

#include "platform/atomic.h"
#include "platform/hash.h"
#include "platform/loader/loader.h"
#include "platform/loader/own_code.h"

namespace bobbin {
namespace {

template <class Value>
Value value_at(uintptr_t address) {
  Value value;
  memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// A loaded file. Nothing is read that does not lie in one of its segments, because what looks like
// an instruction may be the end of another one.
class LoadedObject {
 public:
  explicit LoadedObject(const dl_phdr_info& info) : info_(info) {}

  bool has_code(uintptr_t begin, size_t bytes) const { return holds(begin, bytes, PF_X); }

  // Does the call instruction before the address certainly call this library?
  bool calls_own_code_before(uintptr_t address) const;

 private:
  bool holds(uintptr_t begin, size_t bytes, unsigned flags) const {
    for (unsigned i = 0; i < info_.dlpi_phnum; i++) {
      const ElfW(Phdr)& part = info_.dlpi_phdr[i];
      const uintptr_t offset = begin - info_.dlpi_addr - part.p_vaddr;
      if (part.p_type == PT_LOAD && (part.p_flags & flags) == flags && offset < part.p_memsz &&
          bytes <= part.p_memsz - offset) {
        return true;
      }
    }
    return false;
  }
  bool slot_has_own_code(uintptr_t slot) const {
    return holds(slot, sizeof(uintptr_t), PF_R) && in_own_code(value_at<uintptr_t>(slot));
  }
  bool is_stub_for_own_code(uintptr_t stub) const;

  const dl_phdr_info& info_;
};

#if defined(__x86_64__)
// call DISPLACEMENT, or call *DISPLACEMENT(%rip)
constexpr size_t kCallBytes = 6;
constexpr size_t kDisplacement = sizeof(int32_t);

uintptr_t relative_to_next(uintptr_t next) {
  return next + static_cast<uintptr_t>(intptr_t{value_at<int32_t>(next - kDisplacement)});
}

// jmp *DISPLACEMENT(%rip), behind endbr64 or a number of the symbol in a register.
bool LoadedObject::is_stub_for_own_code(uintptr_t stub) const {
  constexpr uintptr_t kMostBefore = 10;
  constexpr size_t kJumpBytes = 2 + kDisplacement;
  if (!has_code(stub, kMostBefore + kJumpBytes)) return false;
  for (uintptr_t jump = stub; jump <= stub + kMostBefore; jump++) {
    if (value_at<uint16_t>(jump) == 0x25ff &&
        slot_has_own_code(relative_to_next(jump + kJumpBytes)))
      return true;
  }
  return false;
}

bool LoadedObject::calls_own_code_before(uintptr_t address) const {
  if (value_at<uint16_t>(address - kCallBytes) == 0x15ff &&
      slot_has_own_code(relative_to_next(address))) {
    return true;
  }
  return value_at<uint8_t>(address - 1 - kDisplacement) == 0xe8 &&
         is_stub_for_own_code(relative_to_next(address));
}
#elif defined(__aarch64__)
// bl OFFSET
constexpr size_t kCallBytes = 4;

// [bti c]; adrp x16, PAGE; ldr x17, [x16, OFFSET]
bool LoadedObject::is_stub_for_own_code(uintptr_t stub) const {
  constexpr uint32_t kBtiC = 0xd503245f;
  if (!has_code(stub, 3 * sizeof(uint32_t))) return false;
  if (value_at<uint32_t>(stub) == kBtiC) stub += sizeof kBtiC;
  const auto page = value_at<uint32_t>(stub);
  const auto load = value_at<uint32_t>(stub + sizeof page);
  if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return false;
  const auto high = static_cast<int32_t>(page << 8) >> 13;  // 19 bits, with their sign
  const intptr_t pages = intptr_t{high} * 4 + (page >> 29 & 3);
  constexpr uintptr_t kPage = 4096;
  return slot_has_own_code((stub & ~(kPage - 1)) + static_cast<uintptr_t>(pages) * kPage +
                           (load >> 10 & 0xfff) * sizeof(uintptr_t));
}

bool LoadedObject::calls_own_code_before(uintptr_t address) const {
  const auto call = value_at<uint32_t>(address - kCallBytes);
  if ((call & 0xfc000000) != 0x94000000) return false;
  const intptr_t words = static_cast<int32_t>(call << 6) >> 6;
  return is_stub_for_own_code(address - kCallBytes + static_cast<uintptr_t>(words) * kCallBytes);
}
#endif

struct Question {
  uintptr_t address;
  bool answer = false;
};

int ask(dl_phdr_info* info, size_t, void* data) {
  auto& question = *static_cast<Question*>(data);
  const LoadedObject object(*info);
  if (!object.has_code(question.address - kCallBytes, kCallBytes)) return 0;
  question.answer = object.calls_own_code_before(question.address);
  return 1;
}

bool find_out(uintptr_t address) {
  if (in_own_code(address)) return false;
  Question question{address};
  const AskingLoader asking;
  dl_iterate_phdr(ask, &question);
  return question.answer;
}

// The answers for the addresses that were asked for lately: the address, and the answer in the
// lowest bit. Threads write and read the words independently of each other (relaxed).
constexpr unsigned kAnswerBits = 8;
constinit Atomic<uintptr_t> answers[1u << kAnswerBits];

}  // namespace

bool calls_own_code(const void* return_address) {
  const auto address = reinterpret_cast<uintptr_t>(return_address);
  Atomic<uintptr_t>& known = answers[fibonacci_hash(address, kAnswerBits)];
  const uintptr_t answer = known.load(relaxed);
  if (answer >> 1 == address) return (answer & 1) != 0;
  const bool found = find_out(address);
  known.store(address << 1 | (found ? 1 : 0), relaxed);
  return found;
}

}  // namespace bobbin
