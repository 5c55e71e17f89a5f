// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the interoperability routines: handles by value, strings as a pointer and a
// length.
#include <cstring>

#include "abi/omp/omp_api.h"

namespace {

void return_string(const char* text, const char** result, std::size_t* length) {
  *result = text;
  *length = text != nullptr ? std::strlen(text) : 0;
}

}  // namespace

BOBBIN_ENTRY void omp_get_interop_str_(const char** result, std::size_t* length,
                                       std::uintptr_t interop, int property, int* code) {
  return_string(omp_get_interop_str(interop, property, code), result, length);
}

BOBBIN_ENTRY void omp_get_interop_name_(const char** result, std::size_t* length,
                                        std::uintptr_t interop, int property) {
  return_string(omp_get_interop_name(interop, property), result, length);
}

BOBBIN_ENTRY void omp_get_interop_type_desc_(const char** result, std::size_t* length,
                                             std::uintptr_t interop, int property) {
  return_string(omp_get_interop_type_desc(interop, property), result, length);
}

BOBBIN_ENTRY void omp_get_interop_rc_desc_(const char** result, std::size_t* length,
                                           std::uintptr_t interop, int code) {
  return_string(omp_get_interop_rc_desc(interop, code), result, length);
}
