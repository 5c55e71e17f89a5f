// SPDX-License-Identifier: Apache-2.0
// ALPI, the asynchronous low-level programming interface, version 1.2: the interface by which
// task-aware libraries (TAMPI, TAGASPI) find a tasking runtime, through the dynamic linker. The
// names and numbers here are those of its public header. docs/mpi.md tells what they mean for
// OpenMP.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/export.h"

extern "C" {

struct alpi_task;  // NOLINTBEGIN(readability-identifier-naming): ALPI's names
struct alpi_attr;

enum alpi_error_t : unsigned {
  ALPI_SUCCESS,
  ALPI_ERR_VERSION,
  ALPI_ERR_NOT_INITIALIZED,
  ALPI_ERR_PARAMETER,
  ALPI_ERR_OUT_OF_MEMORY,
  ALPI_ERR_OUTSIDE_TASK,
  ALPI_ERR_UNKNOWN,
  ALPI_ERR_FEATURE_UNKNOWN,
};

enum alpi_info_t : unsigned {
  ALPI_INFO_RUNTIME_NAME,
  ALPI_INFO_RUNTIME_VENDOR,
  ALPI_INFO_VERSION,
};

enum alpi_suspend_mode_t : unsigned {
  ALPI_SUSPEND_NONE,
  ALPI_SUSPEND_SUBMIT,
  ALPI_SUSPEND_TIMEOUT_SUBMIT,
  ALPI_SUSPEND_EVENT_SUBMIT,
};
// NOLINTEND(readability-identifier-naming)

}  // extern "C"

namespace bobbin::alpi {

inline constexpr int kMajor = 1;
inline constexpr int kMinor = 2;
inline constexpr int kFeatures =
    1 << 0 /* blocking */ | 1 << 1 /* events */ | 1 << 2 /* resources */ | 1 << 3 /* suspend */;

}  // namespace bobbin::alpi
