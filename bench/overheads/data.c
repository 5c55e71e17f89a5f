// SPDX-License-Identifier: Apache-2.0
// The cost of the data clauses by size. The size of a threadprivate array is fixed when the program
// is built, so each size has its own functions.
#include "overhead.h"

// Makes the compiler treat the array as used.
static inline void use(void* array) { __asm__ volatile("" ::"r"(array) : "memory"); }

#define JOIN(clause, bytes) clause##_##bytes
#define EXPAND_AND_JOIN(clause, bytes) JOIN(clause, bytes)
#define SIZED(clause) EXPAND_AND_JOIN(clause, BYTES)

#define BYTES 1
#include "data_of_size.h"
#undef BYTES
#define BYTES 8
#include "data_of_size.h"
#undef BYTES
#define BYTES 64
#include "data_of_size.h"
#undef BYTES
#define BYTES 512
#include "data_of_size.h"
#undef BYTES
#define BYTES 4096
#include "data_of_size.h"
#undef BYTES
#define BYTES 32768
#include "data_of_size.h"
#undef BYTES

// clang-format off
#define BY_SIZE(name, order, delays) \
  {"data", #name, JOIN(name, 1), order, delays, .constructs = 1, .parameter = "bytes", .value = 1}, \
  {"data", #name, JOIN(name, 8), order, delays, .constructs = 1, .parameter = "bytes", .value = 8}, \
  {"data", #name, JOIN(name, 64), order, delays, .constructs = 1, .parameter = "bytes", .value = 64}, \
  {"data", #name, JOIN(name, 512), order, delays, .constructs = 1, .parameter = "bytes", .value = 512}, \
  {"data", #name, JOIN(name, 4096), order, delays, .constructs = 1, .parameter = "bytes", .value = 4096}, \
  {"data", #name, JOIN(name, 32768), order, delays, .constructs = 1, .parameter = "bytes", .value = 32768}

const struct test kDataTests[] = {
    BY_SIZE(private, kShared, .each = 1),
    BY_SIZE(firstprivate, kShared, .each = 1),
    BY_SIZE(copyin, kShared, .each = 1),
    BY_SIZE(copyprivate, kOneByOne, .all = 1),
    {.construct = NULL},
};
// clang-format on
