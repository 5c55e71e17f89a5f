// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4). The result is an index below
// 2^bits; `bits` is 1 to 63. The golden ratio spreads addresses and consecutive numbers equally
// well.
constexpr std::uint64_t fibonacci_hash(std::uint64_t key, unsigned bits) {
  return key * 0x9e3779b97f4a7c15u >> (64 - bits);
}
inline std::uint64_t fibonacci_hash(const void* address, unsigned bits) {
  return fibonacci_hash(reinterpret_cast<std::uintptr_t>(address), bits);
}

// The last step of Appleby's MurmurHash3. Each bit of the key changes half of the bits of the
// result. Different keys have different results.
constexpr std::uint64_t mixed_hash(std::uint64_t key) {
  key = (key ^ key >> 33) * 0xff51afd7ed558ccdu;
  key = (key ^ key >> 33) * 0xc4ceb9fe1a85ec53u;
  return key ^ key >> 33;
}

}  // namespace bobbin
