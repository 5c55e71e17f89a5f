// SPDX-License-Identifier: Apache-2.0
//
// The asynchronous device routines are target tasks (OpenMP 5.2, section 18.8.7): explicit tasks
// whose dependences come as an array of depend objects. They are made through GOMP_task, whose
// encoding of dependences depend objects already have.
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "abi/omp/omp_api.h"
#include "construct/rectangle.h"

// abi/gomp
extern "C" void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                          long data_size, long data_alignment, bool deferrable, unsigned flags,
                          void** depend, int priority, void* detach);
extern "C" void GOMP_taskwait_depend(void** depend);

namespace {

constexpr unsigned kTaskHasDepend = 8;  // GOMP_TASK_FLAG_DEPEND

// omp_depend_t: an address and how it is depended on.
struct DependObject {
  void* words[2];
};

// The dependences of a call in GCC's array form: 0, how many, how many of the three kinds that are
// given by address (none), and then the addresses of the depend objects.
class DependArray {
 public:
  DependArray(int count, void* objects) {
    constexpr int kHeader = 5;
    if (count <= 0 || objects == nullptr) return;
    if (count > kInline) {
      array_ = static_cast<void**>(std::malloc(sizeof(void*) * (kHeader + std::size_t(count))));
      if (array_ == nullptr) return;
    } else {
      array_ = inline_;
    }
    array_[0] = array_[2] = array_[3] = array_[4] = nullptr;
    array_[1] = reinterpret_cast<void*>(static_cast<std::uintptr_t>(count));
    for (int i = 0; i < count; ++i) {
      array_[kHeader + i] = static_cast<DependObject*>(objects) + i;
    }
  }
  ~DependArray() {
    if (array_ != inline_) std::free(array_);
  }
  DependArray(const DependArray&) = delete;
  DependArray& operator=(const DependArray&) = delete;

  void** get() { return array_; }

 private:
  static constexpr int kInline = 16;
  void* inline_[kInline + 5];
  void** array_ = nullptr;
};

template <class Arguments>
void make_task(void (*function)(void*), Arguments& arguments, int count, void* objects) {
  DependArray depend(count, objects);
  GOMP_task(function, &arguments, nullptr, sizeof arguments, alignof(Arguments), true,
            depend.get() != nullptr ? kTaskHasDepend : 0, depend.get(), 0, nullptr);
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
  bobbin::RectangleCopy copy;
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

// The arrays moved with the task: point at where they are now.
void run_box(void* data) {
  auto* arguments = static_cast<BoxArguments*>(data);
  bobbin::RectangleCopy copy = arguments->copy;
  copy.volume = arguments->arrays[0];
  copy.to_offsets = arguments->arrays[1];
  copy.from_offsets = arguments->arrays[2];
  copy.to_dimensions = arguments->arrays[3];
  copy.from_dimensions = arguments->arrays[4];
  bobbin::copy_rectangle(copy);
}

bool both_host(int a, int b) {
  return omp_target_is_accessible(nullptr, 0, a) != 0 &&
         omp_target_is_accessible(nullptr, 0, b) != 0;
}

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
    DependArray depend(depobj_count, depobjs);
    if (depend.get() != nullptr) GOMP_taskwait_depend(depend.get());
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
