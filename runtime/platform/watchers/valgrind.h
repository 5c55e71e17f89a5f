// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Requests to Valgrind: an instruction sequence without effect that its virtual processor
// recognises. The numbers are part of Valgrind's interface to programs.
namespace bobbin {

// The answer; 0 on a real processor, and on architectures without such a sequence here.
inline uintptr_t request_of_valgrind(uintptr_t request, const void* argument) {
  volatile uintptr_t words[6] = {request, reinterpret_cast<uintptr_t>(argument), 0, 0, 0, 0};
#if defined(__x86_64__)
  uintptr_t answer = 0;
  asm volatile(
      "rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(answer)
      : "a"(words)
      : "cc", "memory");
  return answer;
#elif defined(__aarch64__)
  register uintptr_t answer asm("x3") = 0;
  register volatile uintptr_t* address asm("x4") = words;
  asm volatile(
      "ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(answer)
      : "r"(address)
      : "cc", "memory");
  return answer;
#else
  static_cast<void>(words[0]);
  return 0;
#endif
}

inline bool on_valgrind() { return request_of_valgrind(0x1001, nullptr) != 0; }

// Helgrind and DRD use the same numbers for these. Valgrind's other tools ignore them.
inline void valgrind_happens_before(const void* key) { request_of_valgrind(0x48470121, key); }
inline void valgrind_happens_after(const void* key) { request_of_valgrind(0x48470122, key); }

}  // namespace bobbin
