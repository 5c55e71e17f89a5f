// SPDX-License-Identifier: Apache-2.0
#include "fiber/tls/thread_list.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fiber/tls/thread_db.h"

namespace bobbin {
namespace {

Link* list;  // its head; nullptr: not known

// The list head in the loader's variable _rtld_global, which is one structure.
Link* described_list() {
  constexpr const char* kField = "_thread_db_rtld_global__dl_stack_user";
  const uint32_t offset = thread_db_offset(kField, sizeof(Link));
  auto* global = static_cast<char*>(dlsym(RTLD_DEFAULT, "_rtld_global"));
  if (offset == 0 || offset % alignof(Link) != 0 || global == nullptr) return nullptr;
  Dl_info info;
  const ElfW(Sym)* symbol = nullptr;
  const bool found =
      dladdr1(global, &info, const_cast<void**>(reinterpret_cast<const void**>(&symbol)),
              RTLD_DL_SYMENT) != 0;
  if (!found || symbol == nullptr || offset + sizeof(Link) > symbol->st_size) return nullptr;
  return reinterpret_cast<Link*>(global + offset);
}

// The initial thread existed before all others, so it is the last entry.
bool ends_with_initial_thread(const Link& head, ptrdiff_t link, ptrdiff_t id) {
  char* last = reinterpret_cast<char*>(head.prev) - link;
  if (getpid() == static_cast<pid_t>(syscall(SYS_gettid))) {
    if (reinterpret_cast<pthread_t>(last) != pthread_self()) return false;
  } else if (*reinterpret_cast<pid_t*>(last + id) != getpid()) {
    return false;
  }
  return head.prev->next == &head;
}

}  // namespace

void init_thread_list(ptrdiff_t link, ptrdiff_t id) {
  Link* head = described_list();
  if (head != nullptr && ends_with_initial_thread(*head, link, id)) list = head;
}

bool thread_list_known() { return list != nullptr; }

void list_thread(Link& link) {
  link = {list, list->prev};
  // The entry is complete before any other thread can reach it.
  __atomic_store_n(&link.prev->next, &link, __ATOMIC_RELEASE);
  list->prev = &link;
}

void list_thread_first(Link& link) {
  link = {list->next, list};
  link.next->prev = &link;
  list->next = &link;
}

void forget_empty_thread_list() {
  if (list->next == list) list = nullptr;
}

}  // namespace bobbin
