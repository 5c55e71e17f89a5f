// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the interoperability routines: handles by value, strings as a pointer and a
// length.
#include "abi/omp/fortran.h"
#include "abi/omp/omp_api.h"

using namespace bobbin;

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

// LLVM's Fortran has its own names for these routines; GCC's binds them to C's names.

BOBBIN_ENTRY int omp_get_num_interop_properties_(std::uintptr_t interop) {
  return omp_get_num_interop_properties(interop);
}

BOBBIN_ENTRY std::intptr_t omp_get_interop_int_(std::uintptr_t interop, int property, int* code) {
  return omp_get_interop_int(interop, property, code);
}

BOBBIN_ENTRY void* omp_get_interop_ptr_(std::uintptr_t interop, int property, int* code) {
  return omp_get_interop_ptr(interop, property, code);
}
