// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/thread_maker.h"

#include "platform/loader/loaded_file.h"

namespace bobbin {
namespace {

bool ask() {
  const void* maker = base_of_file_defining("pthread_create");
  // pthread_getspecific is the C library's: no other file has a reason to define it.
  return maker != base_of_file_defining("pthread_getspecific") &&
         maker != base_of_file_defining("mallctl");
}

}  // namespace

bool threads_made_by_others() {
  static const bool present = ask();
  return present;
}

}  // namespace bobbin
