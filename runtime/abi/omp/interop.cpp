// SPDX-License-Identifier: Apache-2.0
//
// Interoperability objects (OpenMP 5.2, section 18.12). Without a device there is nothing that one
// could refer to: every object is omp_interop_none and has no properties.
#include "abi/omp/omp_api.h"

namespace {

// omp_interop_property_t: implementation-defined properties would be numbered from 0 up.
constexpr int kFirstProperty = -9;
constexpr const char* kPropertyNames[] = {"fr_id",       "fr_name",        "vendor",
                                          "vendor_name", "device_num",     "platform",
                                          "device",      "device_context", "targetsync"};

// omp_interop_rc_t
constexpr int kNoValue = 1;
constexpr int kEmpty = -1;
constexpr int kOutOfRange = -2;
constexpr int kOther = -6;
constexpr const char* kResultDescriptions[] = {"no meaningful value",
                                               "success",
                                               "the object is omp_interop_none",
                                               "no such property",
                                               "the property is an integer",
                                               "the property is a pointer",
                                               "the property is a string",
                                               "other error"};

bool is_property(int property) { return property >= kFirstProperty && property < 0; }

void tell(int property, int* result) {
  if (result != nullptr) *result = is_property(property) ? kEmpty : kOutOfRange;
}

}  // namespace

int omp_get_num_interop_properties(std::uintptr_t) { return 0; }

std::intptr_t omp_get_interop_int(std::uintptr_t, int property, int* result) {
  tell(property, result);
  return 0;
}

void* omp_get_interop_ptr(std::uintptr_t, int property, int* result) {
  tell(property, result);
  return nullptr;
}

const char* omp_get_interop_str(std::uintptr_t, int property, int* result) {
  tell(property, result);
  return nullptr;
}

const char* omp_get_interop_name(std::uintptr_t, int property) {
  return is_property(property) ? kPropertyNames[-1 - property] : nullptr;
}

const char* omp_get_interop_type_desc(std::uintptr_t, int) { return nullptr; }

const char* omp_get_interop_rc_desc(std::uintptr_t, int result) {
  return result <= kNoValue && result >= kOther ? kResultDescriptions[kNoValue - result] : nullptr;
}
