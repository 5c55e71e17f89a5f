// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <cstdio>

#include "abi/alpi/alpi.h"
#include "platform/processors/processors.h"
#include "team/model/task_hooks.h"
#include "team/model/thread.h"

// What a client asks of the runtime, and of the processors.

using namespace bobbin;
using namespace bobbin::alpi;

namespace {

const char* info(unsigned query) {
  switch (query) {
    case ALPI_INFO_RUNTIME_NAME:
    case ALPI_INFO_RUNTIME_VENDOR:
      return "Bobbin";
    case ALPI_INFO_VERSION:
      return "Bobbin " BOBBIN_VERSION;
    default:
      return nullptr;
  }
}

}  // namespace

BOBBIN_NATIVE_ENTRY const char* alpi_error_string(alpi_error_t error) {
  switch (error) {
    case ALPI_SUCCESS:
      return "success";
    case ALPI_ERR_VERSION:
      return "the runtime has another version of the interface";
    case ALPI_ERR_NOT_INITIALIZED:
      return "the runtime has not been initialised";
    case ALPI_ERR_PARAMETER:
      return "an argument is not valid";
    case ALPI_ERR_OUT_OF_MEMORY:
      return "out of memory, or of kernel threads";
    case ALPI_ERR_OUTSIDE_TASK:
      return "the caller is in no task for which this is possible";
    case ALPI_ERR_UNKNOWN:
      return "unknown error";
    case ALPI_ERR_FEATURE_UNKNOWN:
      return "the runtime does not have this feature";
  }
  return "Error code not recognized";  // as the interface says
}

BOBBIN_NATIVE_ENTRY int alpi_info_get(alpi_info_t query, char* buffer, size_t size, int* length) {
  const char* text = info(query);
  if (text == nullptr || buffer == nullptr || size == 0) return ALPI_ERR_PARAMETER;
  const auto full = static_cast<size_t>(snprintf(buffer, size, "%s", text));
  if (length != nullptr) *length = static_cast<int>(full < size ? full : size - 1);
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_feature_check(int features) {
  return (features & ~kFeatures) == 0 ? ALPI_SUCCESS : ALPI_ERR_FEATURE_UNKNOWN;
}

// A client begins with this. From now on its tasks may block.
BOBBIN_NATIVE_ENTRY int alpi_version_check(int major, int minor) {
  if (major != kMajor || minor > kMinor) return ALPI_ERR_VERSION;
  tasks_may_block.store(true, relaxed);
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_version_get(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return ALPI_ERR_PARAMETER;
  *major = kMajor;
  *minor = kMinor;
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_cpu_count(uint64_t* count) {
  if (count == nullptr) return ALPI_ERR_PARAMETER;
  *count = process_mask().count();
  return ALPI_SUCCESS;
}

// The number of the calling thread's processor among those of the process. A thread that has bound
// itself elsewhere counts as on the first of them.
BOBBIN_NATIVE_ENTRY int alpi_cpu_logical_id(uint64_t* id) {
  if (id == nullptr) return ALPI_ERR_PARAMETER;
  if (tls_thread == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  const auto here = static_cast<unsigned>(sched_getcpu());
  const CpuSet& processors = process_mask();
  uint64_t number = 0;
  if (processors.has(here)) processors.each([&](unsigned cpu) { number += cpu < here ? 1 : 0; });
  *id = number;
  return ALPI_SUCCESS;
}

BOBBIN_NATIVE_ENTRY int alpi_cpu_system_id(uint64_t* id) {
  if (id == nullptr) return ALPI_ERR_PARAMETER;
  if (tls_thread == nullptr) return ALPI_ERR_OUTSIDE_TASK;
  *id = static_cast<uint64_t>(sched_getcpu());
  return ALPI_SUCCESS;
}
