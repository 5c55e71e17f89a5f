// SPDX-License-Identifier: Apache-2.0
#include "insight/live/process/memory.h"

#include <sys/uio.h>

namespace bobbin::insight {

size_t Memory::read(uint64_t at, void* to, size_t bytes) const {
  const iovec local = {to, bytes};
  const iovec remote = {reinterpret_cast<void*>(at), bytes};
  const ssize_t got = process_vm_readv(process_, &local, 1, &remote, 1, 0);
  return got > 0 ? static_cast<size_t>(got) : 0;
}

}  // namespace bobbin::insight
