// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4) of a message that fits into one block; UTS hashes no longer messages.
#pragma once

#include <stdint.h>

static inline uint32_t sha1_rotate(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

// A ring holds the sixteen live words of the schedule.
static inline uint32_t sha1_word(uint32_t* w, int t) {
  if (t >= 16)
    w[t & 15] = sha1_rotate(w[(t - 3) & 15] ^ w[(t - 8) & 15] ^ w[(t - 14) & 15] ^ w[t & 15], 1);
  return w[t & 15];
}

// The digest of one padded block; `w` is overwritten.
static inline void sha1_block(uint32_t digest[5], uint32_t w[16]) {
  const uint32_t first[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  uint32_t a = first[0], b = first[1], c = first[2], d = first[3], e = first[4];
#define SHA1_STEP(function, constant)                                                  \
  do {                                                                                 \
    uint32_t next = sha1_rotate(a, 5) + (function) + e + (constant) + sha1_word(w, t); \
    e = d, d = c, c = sha1_rotate(b, 30), b = a, a = next;                             \
  } while (0)
  int t = 0;
  for (; t < 20; t++) SHA1_STEP(d ^ (b & (c ^ d)), 0x5a827999);
  for (; t < 40; t++) SHA1_STEP(b ^ c ^ d, 0x6ed9eba1);
  for (; t < 60; t++) SHA1_STEP((b & c) | (d & (b | c)), 0x8f1bbcdc);
  for (; t < 80; t++) SHA1_STEP(b ^ c ^ d, 0xca62c1d6);
#undef SHA1_STEP
  digest[0] = first[0] + a;
  digest[1] = first[1] + b;
  digest[2] = first[2] + c;
  digest[3] = first[3] + d;
  digest[4] = first[4] + e;
}

// The SHA-1 of `count` 32-bit big-endian words, at most 13.
static inline void sha1_of_words(uint32_t digest[5], const uint32_t* words, int count) {
  uint32_t w[16] = {0};
  for (int i = 0; i < count; i++) w[i] = words[i];
  w[count] = 0x80000000;
  w[15] = 32 * (uint32_t)count;
  sha1_block(digest, w);
}
