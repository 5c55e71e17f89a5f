// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/target.h"

#include <dlfcn.h>

#include "construct/regions/initial_region.h"
#include "platform/diagnostics.h"
#include "platform/loader/loaded_version.h"
#include "task/model/icvs.h"
#include "team/members/placement.h"
#include "team/model/root.h"
#include "team/regions/roots.h"

namespace bobbin {

namespace {

// libomptarget's symbols have their own version, so they cannot be confused with those of another
// host runtime.
constexpr char kVersion[] = "VERS1.0";
constinit LoadedVersion libomptarget{kVersion};

}  // namespace

int ask_libomptarget(const char* name, int otherwise) {
  if (!libomptarget.loaded()) return otherwise;
  auto routine = reinterpret_cast<int (*)()>(dlvsym(RTLD_DEFAULT, name, kVersion));
  return routine != nullptr ? routine() : otherwise;
}

int host_number() { return ask_libomptarget("omp_get_initial_device", 0); }

bool is_host_device(int device) {
  if (device == kNamedDefaultDevice) device = current_icvs().default_device;
  return device == kInitialDevice || device == host_number();
}

void check_device(int device) {
  if (device == kHostByClause) return;
  if (device == kDefaultDevice || device == kNamedDefaultDevice)
    device = current_icvs().default_device;
  const bool mandatory = settled_icvs().target_offload == TargetOffload::Mandatory;
  if (device == kNoDevice) {
    fatal(mandatory ? "OMP_TARGET_OFFLOAD=mandatory, but there is no device beside the host"
                    : "a construct is to run on omp_invalid_device");
  }
  // The test is in this order so that regions do not ask the loader without need.
  if (mandatory && !is_host_device(device)) {
    fatal("OMP_TARGET_OFFLOAD=mandatory, but there is no device %d", device);
  }
}

void run_target(void (*function)(void*), void* data, unsigned thread_limit) {
  InitialRegion region{.icvs = settled_icvs().initial};
  limit_threads(region.icvs, thread_limit);
  // Like another device, the host begins with all its places.
  Placement& placement = self().placement;
  const Placement outer = placement;
  placement = among_all_places(outer);
  run_initial_region(region, function, data);
  placement = outer;
}

}  // namespace bobbin
