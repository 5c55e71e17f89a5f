/* SPDX-License-Identifier: Apache-2.0
 *
 * The routines of OpenMP 6.0 for memory spaces of devices, which libomp 19 does not have. They are
 * looked up, so that this links with it, and use the numbers of newer headers. */
#include <dlfcn.h>

#include "check.h"

typedef uintptr_t Handle;
typedef Handle (*OfDevices)(int, const int*, Handle);
typedef Handle (*OfDevice)(int, Handle);
typedef Handle (*OfAll)(Handle);

enum { kNull = 0, kDefault = 99, kHighBandwidth = 3, kOtherDevice = 1000 };

static void* look_up(const char* name) {
  void* routine = dlsym(RTLD_DEFAULT, name);
  CHECK(routine != NULL);
  return routine;
}

/* The answers of the four routines for given devices and of the one for all devices. */
static void ask(const char* what, Handle space, Handle expected) {
  char name[64];
  const int host = omp_get_initial_device();
  const int hosts[] = {host, -1};
  const int mixed[] = {host, kOtherDevice};
  for (int and_host = 0; and_host < 2; and_host++) {
    const char* with = and_host ? "_and_host" : "";
    snprintf(name, sizeof name, "omp_get_devices%s_%s", with, what);
    OfDevices of_devices = (OfDevices)look_up(name);
    if (of_devices == NULL) continue;
    CHECK_EQ(of_devices(2, hosts, space), expected);
    CHECK_EQ(of_devices(2, mixed, space), kNull);
    CHECK_EQ(of_devices(0, NULL, space), and_host ? expected : kNull);
    CHECK_EQ(of_devices(-1, hosts, space), kNull);
    CHECK_EQ(of_devices(1, NULL, space), kNull);
    snprintf(name, sizeof name, "omp_get_devices%s_%s_", with, what);
    Handle (*in_fortran)(const int*, const int*, const Handle*) =
        (Handle(*)(const int*, const int*, const Handle*))look_up(name);
    const int two = 2;
    CHECK_EQ(in_fortran(&two, hosts, &space), expected);
    snprintf(name, sizeof name, "omp_get_device%s_%s", with, what);
    OfDevice of_device = (OfDevice)look_up(name);
    CHECK_EQ(of_device(host, space), expected);
    CHECK_EQ(of_device(kOtherDevice, space), kNull);
  }
  snprintf(name, sizeof name, "omp_get_devices_all_%s", what);
  OfAll of_all = (OfAll)look_up(name);
  CHECK_EQ(of_all(space), expected);
}

static void spaces(void) {
  ask("memspace", kDefault, kDefault);
  ask("memspace", kHighBandwidth, kHighBandwidth);
  ask("memspace", kNull, kNull);
  ask("memspace", 77, kNull);
}

static void allocators(void) {
  ask("allocator", kDefault, omp_default_mem_alloc);
  ask("allocator", 1, omp_large_cap_mem_alloc);
  ask("allocator", 2, omp_const_mem_alloc);
  ask("allocator", kHighBandwidth, omp_high_bw_mem_alloc);
  ask("allocator", 4, omp_low_lat_mem_alloc);
  ask("allocator", kNull, omp_null_allocator);
}

static void resources(void) {
  int (*number)(Handle) = (int (*)(Handle))look_up("omp_get_memspace_num_resources");
  Handle (*part)(Handle, int, const int*) =
      (Handle(*)(Handle, int, const int*))look_up("omp_get_submemspace");
  if (number == NULL || part == NULL) return;
  CHECK_EQ(number(kDefault), 1);
  CHECK_EQ(number(kNull), 0);
  const int numbers[] = {0, 1};
  CHECK_EQ(part(kDefault, 1, numbers), kDefault);
  CHECK_EQ(part(kDefault, 1, numbers + 1), kNull);
  CHECK_EQ(part(kDefault, 2, numbers), kNull);
  CHECK_EQ(part(kDefault, 0, NULL), kNull);
  CHECK_EQ(part(kNull, 1, numbers), kNull);
}

int main(void) {
  CHECK_BEGIN();
  if (!on_bobbin()) return 0;
  RUN(spaces);
  RUN(allocators);
  RUN(resources);
  return check_end();
}
