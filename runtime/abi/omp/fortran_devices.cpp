// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the routines on device identifiers (OpenMP 6.0, sections 24.6 and 24.7) and on
// dimensions (OpenMP 6.1).
#include <string_view>

#include "abi/omp/fortran.h"
#include "abi/omp/omp_api.h"

using namespace bobbin;

// Only the host has an identifier. The module declares the device number with `value`.
BOBBIN_ENTRY std::int32_t omp_get_device_from_uid_(const char* uid, std::size_t length) {
  std::string_view text{uid, length};
  while (text.ends_with(' ')) text.remove_suffix(1);
  const char* host = omp_get_uid_from_device(0);
  return omp_get_device_from_uid(text == host ? host : nullptr);
}

BOBBIN_ENTRY void omp_get_uid_from_device_(const char** result, std::size_t* length,
                                           std::int32_t device) {
  return_string(omp_get_uid_from_device(device), result, length);
}

BOBBIN_ENTRY void omp_get_uid_from_device_8_(const char** result, std::size_t* length,
                                             std::int64_t device) {
  return_string(omp_get_uid_from_device(nearest_int(device)), result, length);
}

BOBBIN_ENTRY std::int32_t omp_get_supported_active_team_dims_(const std::int32_t* device,
                                                              const std::int32_t* dimensions) {
  return omp_get_supported_active_team_dims(*device, *dimensions);
}
BOBBIN_ENTRY std::int32_t omp_get_supported_active_league_dims_(const std::int32_t* device,
                                                                const std::int32_t* dimensions) {
  return omp_get_supported_active_league_dims(*device, *dimensions);
}
