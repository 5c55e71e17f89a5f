// SPDX-License-Identifier: Apache-2.0
#include "lower/calls/library_functions.h"

#include <algorithm>
#include <initializer_list>

namespace bobbin::translate {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// It does the same in every thread.
bool is_same_in_each_thread(std::string_view name) {
  if (name.starts_with("__builtin_")) return !name.starts_with("__builtin_thread");
  if (is_one_of(name, {"memcpy",  "memmove", "memset",        "memcmp",  "memchr", "strlen",
                       "strcmp",  "strncmp", "strcpy",        "strncpy", "strcat", "strncat",
                       "strchr",  "strrchr", "strstr",        "malloc",  "calloc", "realloc",
                       "free",    "abs",     "labs",          "llabs",   "abort",  "exit",
                       "printf",  "puts",    "__assert_fail", "putchar", "fputs",  "fputc",
                       "fprintf", "fwrite",  "snprintf",      "sprintf", "atoi",   "atol"})) {
    return true;
  }
  if (!name.empty() && (name.back() == 'f' || name.back() == 'l')) name.remove_suffix(1);
  return is_one_of(
      name, {"sin",  "cos",   "tan",   "asin", "acos",  "atan", "atan2", "sinh", "cosh",   "tanh",
             "exp",  "exp2",  "log",   "log2", "log10", "pow",  "sqrt",  "cbrt", "fabs",   "floor",
             "ceil", "round", "trunc", "fmod", "fmin",  "fmax", "hypot", "fma",  "lround", "rint"});
}

}  // namespace

bool is_same_in_each_task(std::string_view name) {
  return is_same_in_each_thread(name) || is_one_of(name, {"rand",
                                                          "rand_r",
                                                          "random",
                                                          "drand48",
                                                          "erand48",
                                                          "lrand48",
                                                          "nrand48",
                                                          "mrand48",
                                                          "jrand48",
                                                          "time",
                                                          "clock",
                                                          "clock_gettime",
                                                          "gettimeofday",
                                                          "strtol",
                                                          "strtoul",
                                                          "strtoll",
                                                          "strtoull",
                                                          "strtod",
                                                          "getenv",
                                                          "usleep",
                                                          "omp_get_thread_num",
                                                          "omp_get_num_threads",
                                                          "omp_get_wtime",
                                                          "omp_get_wtick",
                                                          "omp_get_num_procs",
                                                          "omp_in_parallel",
                                                          "omp_get_level"});
}

}  // namespace bobbin::translate
