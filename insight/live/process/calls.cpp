// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/calls.h"

#include <cstring>

namespace bobbin::insight {
namespace {

constexpr size_t kWords = 1024;  // of a stack that are looked at

std::vector<uint64_t> words_at(const Memory& memory, uint64_t sp) {
  constexpr uint64_t kPage = 4096;
  std::vector<uint64_t> words(kWords);
  // What lies beyond the stack may not be mapped, and then nothing of a page is read.
  const size_t first = kPage - sp % kPage;
  size_t got = memory.read(sp, words.data(), first);
  const size_t rest = kWords * sizeof(uint64_t) - first;
  if (got == first) got += memory.read(sp + first, words.data() + first / sizeof(uint64_t), rest);
  words.resize(got / sizeof(uint64_t));
  return words;
}

#if defined(__x86_64__)

int32_t displacement(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

#else

// The displacement of BL, which is in words.
int64_t displacement(uint32_t instruction) {
  return static_cast<int64_t>(static_cast<int32_t>(instruction << 6) >> 6) * 4;
}

#endif

}  // namespace

#if defined(__x86_64__)

bool Calls::follows_call(uint64_t address) const {
  uint8_t code[7];
  if (memory_.read(address - sizeof code, code, sizeof code) != sizeof code) return false;
  if (code[2] == 0xe8 || (code[1] == 0xff && code[2] == 0x15)) return true;
  // By a register, or by memory at a register and a displacement.
  return (code[5] == 0xff && (code[6] & 0xf8) == 0xd0) ||
         (code[5] == 0xff && (code[6] & 0xf8) == 0x10) ||
         (code[4] == 0xff && (code[5] & 0xf8) == 0x50) ||
         (code[1] == 0xff && (code[2] & 0xf8) == 0x90);
}

uint64_t Calls::called_before(uint64_t address) const {
  uint8_t code[6];
  if (memory_.read(address - sizeof code, code, sizeof code) != sizeof code) return 0;
  if (code[1] == 0xe8) return through_table(address + displacement(code + 2));
  // Compiled with -fno-plt: through a word that holds the address.
  const bool by_word = code[0] == 0xff && code[1] == 0x15;
  return by_word ? memory_.u64(address + displacement(code + 2)) : 0;
}

// A stub jumps to the address in a word of the table: perhaps behind ENDBR64, perhaps with BND.
uint64_t Calls::through_table(uint64_t stub) const {
  static constexpr uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
  uint8_t code[16];
  if (memory_.read(stub, code, sizeof code) != sizeof code) return stub;
  size_t at = std::memcmp(code, kEndbr64, sizeof kEndbr64) == 0 ? sizeof kEndbr64 : 0;
  if (code[at] == 0xf2) at++;
  if (code[at] != 0xff || code[at + 1] != 0x25) return stub;
  return memory_.u64(stub + at + 6 + displacement(code + at + 2));
}

#else

bool Calls::follows_call(uint64_t address) const {
  const uint32_t instruction = memory_.u32(address - 4);
  return instruction >> 26 == 0x25 || (instruction & 0xfffffc1f) == 0xd63f0000;
}

uint64_t Calls::called_before(uint64_t address) const {
  const uint32_t instruction = memory_.u32(address - 4);
  if (instruction >> 26 != 0x25) return 0;
  return through_table(address - 4 + displacement(instruction));
}

// ADRP x16, page; LDR x17, [x16, offset]; ...; BR x17
uint64_t Calls::through_table(uint64_t stub) const {
  const uint32_t page = memory_.u32(stub);
  const uint32_t load = memory_.u32(stub + 4);
  if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return stub;
  const uint64_t low = page >> 29 & 3;
  const auto high = static_cast<int64_t>(static_cast<int32_t>(page << 8) >> 13);
  const int64_t pages = high * 4 + static_cast<int64_t>(low);
  return memory_.u64((stub & ~uint64_t{4095}) + pages * 4096 + (load >> 10 & 0xfff) * 8);
}

#endif

std::vector<RuntimeCall> Calls::of_runtime(uint64_t sp) const {
  std::vector<RuntimeCall> found;
  for (const uint64_t word : words_at(memory_, sp)) {
    const LiveModule* module = modules_.with_code(word);
    if (module == nullptr || module->is_runtime || module->is_c_library) continue;
    const uint64_t entry = called_before(word);
    const LiveModule* called = entry != 0 ? modules_.with_code(entry) : nullptr;
    if (called != nullptr && called->is_runtime) found.push_back({word, entry});
  }
  return found;
}

bool Calls::is_for_runtime(uint64_t sp) const {
  for (const uint64_t word : words_at(memory_, sp)) {
    const LiveModule* module = modules_.with_code(word);
    if (module == nullptr || module->is_c_library || !follows_call(word)) continue;
    return module->is_runtime;
  }
  return false;
}

std::vector<uint64_t> Calls::of_program(uint64_t sp) const {
  std::vector<uint64_t> found;
  for (const uint64_t word : words_at(memory_, sp)) {
    const LiveModule* module = modules_.with_code(word);
    if (module == nullptr || !follows_call(word)) continue;
    if (module->is_runtime) break;
    if (!module->is_c_library) found.push_back(word);
  }
  return found;
}

}  // namespace bobbin::insight
