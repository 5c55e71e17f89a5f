// SPDX-License-Identifier: Apache-2.0
#include "construct/target.h"

#include "construct/initial_region.h"
#include "platform/diagnostics.h"
#include "task/icvs.h"
#include "team/root.h"

namespace bobbin {

bool is_host_device(int device) {
  if (device == kNamedDefaultDevice) device = current_icvs().default_device;
  return device == kHostNumber || device == kInitialDevice;
}

void check_device(int device) {
  if (device == kHostByClause) return;
  if (device == kDefaultDevice || device == kNamedDefaultDevice)
    device = current_icvs().default_device;
  if (is_host_device(device)) return;
  const bool mandatory = settled_icvs().target_offload == TargetOffload::Mandatory;
  if (device == kNoDevice) {
    fatal(mandatory ? "OMP_TARGET_OFFLOAD=mandatory, but there is no device beside the host"
                    : "a construct is to run on omp_invalid_device");
  }
  if (mandatory) fatal("OMP_TARGET_OFFLOAD=mandatory, but there is no device %d", device);
}

void run_target(void (*function)(void*), void* data, unsigned thread_limit) {
  InitialRegion region{.icvs = settled_icvs().initial};
  limit_threads(region.icvs, thread_limit);
  run_initial_region(region, function, data);
}

}  // namespace bobbin
