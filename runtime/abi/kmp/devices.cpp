// SPDX-License-Identifier: Apache-2.0
//
// The routines that take or return omp_invalid_device, whose number in LLVM's <omp.h> differs from
// that in GCC's. They have libomp's version of the names (libomp_names.ld).
#include "abi/export.h"
#include "abi/omp/omp_api.h"
#include "env/icv.h"

using namespace bobbin;

namespace {

constexpr int kNoDeviceOfLlvm = -2;

int from_llvm(int device) { return device == kNoDeviceOfLlvm ? kNoDevice : device; }
int to_llvm(int device) { return device == kNoDevice ? kNoDeviceOfLlvm : device; }

}  // namespace

BOBBIN_ENTRY void kmp_set_default_device(int device) { omp_set_default_device(from_llvm(device)); }

BOBBIN_ENTRY int kmp_get_default_device() { return to_llvm(omp_get_default_device()); }

BOBBIN_ENTRY int kmp_get_device_from_uid(const char* uid) {
  return to_llvm(omp_get_device_from_uid(uid));
}
