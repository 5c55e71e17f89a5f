// SPDX-License-Identifier: Apache-2.0
//
// The asynchronous device routines are target tasks (OpenMP 5.2, section 18.8.7): explicit tasks
// whose dependences come as an array of depend objects.
#include <cerrno>
#include <climits>
#include <cstring>

#include "abi/gomp/depend.h"
#include "abi/omp/omp_api.h"
#include "construct/regions/target.h"
#include "construct/worksharing/rectangle.h"
#include "task/create/create.h"
#include "task/depend/dependences.h"
#include "task/wait/depend_wait.h"

using namespace bobbin;

namespace {

gomp::DecodedDepend decoded(int count, void* objects) {
  bool none = count <= 0 || objects == nullptr;
  return gomp::DecodedDepend(none ? 0 : static_cast<std::size_t>(count),
                             static_cast<void**>(objects));
}

template <class Arguments>
void make_task(void (*function)(void*), Arguments& arguments, int count, void* objects) {
  const gomp::DecodedDepend depend = decoded(count, objects);
  TaskSpec spec;
  spec.function = function;
  spec.data = &arguments;
  spec.size = sizeof arguments;
  spec.alignment = alignof(Arguments);
  if (!depend.list().empty()) spec.depend = depend.list();
  create_task(self(), spec);
}

struct CopyArguments {
  void* to;
  const void* from;
  std::size_t length;
};

struct FillArguments {
  void* to;
  int value;
  std::size_t length;
};

// A box of few enough dimensions for the task to carry a copy of all five arrays.
constexpr int kMostDimensions = 12;
struct BoxArguments {
  RectangleCopy copy;
  std::size_t arrays[5][kMostDimensions];
};

void run_copy(void* data) {
  auto* arguments = static_cast<CopyArguments*>(data);
  std::memcpy(arguments->to, arguments->from, arguments->length);
}

void run_fill(void* data) {
  auto* arguments = static_cast<FillArguments*>(data);
  std::memset(arguments->to, arguments->value, arguments->length);
}

// The arrays were moved with the task, so the pointers are set to their present place.
void run_box(void* data) {
  auto* arguments = static_cast<BoxArguments*>(data);
  RectangleCopy copy = arguments->copy;
  copy.volume = arguments->arrays[0];
  copy.to_offsets = arguments->arrays[1];
  copy.from_offsets = arguments->arrays[2];
  copy.to_dimensions = arguments->arrays[3];
  copy.from_dimensions = arguments->arrays[4];
  copy_rectangle(copy);
}

bool both_host(int a, int b) { return is_host_device(a) && is_host_device(b); }

}  // namespace

int omp_target_memcpy_async(void* to, const void* from, std::size_t length, std::size_t to_offset,
                            std::size_t from_offset, int to_device, int from_device,
                            int depobj_count, void* depobjs) {
  if (!both_host(to_device, from_device)) return EINVAL;
  CopyArguments arguments{static_cast<char*>(to) + to_offset,
                          static_cast<const char*>(from) + from_offset, length};
  make_task(run_copy, arguments, depobj_count, depobjs);
  return 0;
}

int omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element_size,
                                 int dimensions, const std::size_t* volume,
                                 const std::size_t* to_offsets, const std::size_t* from_offsets,
                                 const std::size_t* to_dimensions,
                                 const std::size_t* from_dimensions, int to_device, int from_device,
                                 int depobj_count, void* depobjs) {
  if (to == nullptr && from == nullptr) return INT_MAX;
  if (!both_host(to_device, from_device) || dimensions < 1) return EINVAL;
  if (dimensions > kMostDimensions) {
    const gomp::DecodedDepend depend = decoded(depobj_count, depobjs);
    if (!depend.list().empty()) wait_for_dependences(self(), depend.list());
    return omp_target_memcpy_rect(to, from, element_size, dimensions, volume, to_offsets,
                                  from_offsets, to_dimensions, from_dimensions, to_device,
                                  from_device);
  }
  BoxArguments arguments{};
  arguments.copy.to = to;
  arguments.copy.from = from;
  arguments.copy.element_size = element_size;
  arguments.copy.dimensions = dimensions;
  const std::size_t* sources[5] = {volume, to_offsets, from_offsets, to_dimensions,
                                   from_dimensions};
  for (int i = 0; i < 5; ++i) {
    std::memcpy(arguments.arrays[i], sources[i], sizeof(std::size_t) * std::size_t(dimensions));
  }
  make_task(run_box, arguments, depobj_count, depobjs);
  return 0;
}

void* omp_target_memset_async(void* pointer, int value, std::size_t count, int device,
                              int depobj_count, void* depobjs) {
  if (both_host(device, device)) {
    FillArguments arguments{pointer, value, count};
    make_task(run_fill, arguments, depobj_count, depobjs);
  }
  return pointer;
}
