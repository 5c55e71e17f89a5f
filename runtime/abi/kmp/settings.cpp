// SPDX-License-Identifier: Apache-2.0
// kmp_set_* and kmp_get_*: Intel's extensions of the runtime routines, for C (kmpc_* is the same)
// and by reference for Fortran (..._).
#include "construct/settings.h"

#include <climits>
#include <cstring>

#include "abi/export.h"
#include "abi/omp/omp_api.h"
#include "platform/diagnostics.h"
#include "task/model/icvs.h"
#include "team/regions/roots.h"

using namespace bobbin;

namespace {

enum Library : int { kSerial = 1, kTurnaround = 2, kThroughput = 3 };

constexpr uint64_t kMillisecond = 1'000'000;

void set_stack(size_t bytes) {
  if (bytes != 0) change_stack_size(bytes);
}

// INT_MAX: for ever.
void set_block_time(int milliseconds) {
  if (milliseconds == INT_MAX) {
    change_block_time(kSpinInfinite);
  } else {
    change_block_time(milliseconds > 0 ? static_cast<uint64_t>(milliseconds) * kMillisecond : 0);
  }
}

int get_block_time() {
  uint64_t nanoseconds = block_time();
  return nanoseconds >= INT_MAX * kMillisecond ? INT_MAX
                                               : static_cast<int>(nanoseconds / kMillisecond);
}

void set_library(int library) {
  if (library == kSerial) {
    omp_set_num_threads(1);
  } else if (library == kTurnaround || library == kThroughput) {
    // Turnaround: the program has the machine to itself.
    change_wait_policy(library == kTurnaround ? WaitPolicy::Active : WaitPolicy::Default);
    omp_set_num_threads(static_cast<int>(initial_icvs().nthreads));
  }
}

int get_library() {
  if (current_icvs().nthreads == 1 && initial_icvs().nthreads != 1) return kSerial;
  return global_icvs().wait_policy == WaitPolicy::Active ? kTurnaround : kThroughput;
}

int known_threads() { return static_cast<int>(thread_numbers_given.load(relaxed)); }

int as_int(size_t bytes) { return bytes < INT_MAX ? static_cast<int>(bytes) : INT_MAX; }

}  // namespace

BOBBIN_ENTRY void kmp_set_stacksize(int bytes) {
  set_stack(bytes > 0 ? static_cast<size_t>(bytes) : 0);
}
BOBBIN_ALIAS(kmp_set_stacksize) void kmpc_set_stacksize(int);
BOBBIN_ENTRY void kmp_set_stacksize_(const int* bytes) { kmp_set_stacksize(*bytes); }
BOBBIN_ENTRY void kmp_set_stacksize_s(size_t bytes) { set_stack(bytes); }
BOBBIN_ALIAS(kmp_set_stacksize_s) void kmpc_set_stacksize_s(size_t);
BOBBIN_ENTRY void kmp_set_stacksize_s_(const size_t* bytes) { set_stack(*bytes); }
BOBBIN_ENTRY int kmp_get_stacksize() { return as_int(settled_icvs().stack_size); }
BOBBIN_ALIAS(kmp_get_stacksize) int kmp_get_stacksize_();
BOBBIN_ENTRY size_t kmp_get_stacksize_s() { return settled_icvs().stack_size; }
BOBBIN_ALIAS(kmp_get_stacksize_s) size_t kmp_get_stacksize_s_();

BOBBIN_ENTRY void kmp_set_blocktime(int milliseconds) { set_block_time(milliseconds); }
BOBBIN_ALIAS(kmp_set_blocktime) void kmpc_set_blocktime(int);
BOBBIN_ENTRY void kmp_set_blocktime_(const int* milliseconds) { set_block_time(*milliseconds); }
BOBBIN_ENTRY int kmp_get_blocktime() { return get_block_time(); }
BOBBIN_ALIAS(kmp_get_blocktime) int kmp_get_blocktime_();

BOBBIN_ENTRY void kmp_set_library(int library) { set_library(library); }
BOBBIN_ALIAS(kmp_set_library) void kmpc_set_library(int);
BOBBIN_ENTRY void kmp_set_library_(const int* library) { set_library(*library); }
BOBBIN_ENTRY void kmp_set_library_serial() { set_library(kSerial); }
BOBBIN_ALIAS(kmp_set_library_serial) void kmp_set_library_serial_();
BOBBIN_ENTRY void kmp_set_library_turnaround() { set_library(kTurnaround); }
BOBBIN_ALIAS(kmp_set_library_turnaround) void kmp_set_library_turnaround_();
BOBBIN_ENTRY void kmp_set_library_throughput() { set_library(kThroughput); }
BOBBIN_ALIAS(kmp_set_library_throughput) void kmp_set_library_throughput_();
BOBBIN_ENTRY int kmp_get_library() { return get_library(); }
BOBBIN_ALIAS(kmp_get_library) int kmp_get_library_();

BOBBIN_ENTRY void kmp_set_defaults(const char* list) {
  set_environment_defaults(list, strlen(list));
}
BOBBIN_ALIAS(kmp_set_defaults) void kmpc_set_defaults(const char*);
BOBBIN_ENTRY void kmp_set_defaults_(const char* list, size_t length) {
  set_environment_defaults(list, length);
}

BOBBIN_ENTRY void kmp_set_warnings_on() { silence_warnings(false); }
BOBBIN_ALIAS(kmp_set_warnings_on) void kmp_set_warnings_on_();
BOBBIN_ENTRY void kmp_set_warnings_off() { silence_warnings(true); }
BOBBIN_ALIAS(kmp_set_warnings_off) void kmp_set_warnings_off_();

// There is no limit on how many loops threads may run ahead of each other.
BOBBIN_ENTRY void kmp_set_disp_num_buffers(int) {}
BOBBIN_ALIAS(kmp_set_disp_num_buffers) void kmpc_set_disp_num_buffers(int);
BOBBIN_ENTRY void kmp_set_disp_num_buffers_(const int*) {}

BOBBIN_ENTRY int kmp_get_num_known_threads() { return known_threads(); }
BOBBIN_ALIAS(kmp_get_num_known_threads) int kmp_get_num_known_threads_();

// kmp_target_offload_kind_t: 0 disabled, 1 default, 2 mandatory.
BOBBIN_ENTRY int __kmpc_get_target_offload() {
  switch (settled_icvs().target_offload) {
    case TargetOffload::Disabled:
      return 0;
    case TargetOffload::Mandatory:
      return 2;
    default:
      return 1;
  }
}

BOBBIN_ENTRY int __kmpc_pause_resource(int kind) { return omp_pause_resource_all(kind); }
