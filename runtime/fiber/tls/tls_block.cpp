// SPDX-License-Identifier: Apache-2.0
#include "fiber/tls/tls_block.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/futex.h>
#include <locale.h>
#include <pthread.h>
#include <resolv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <utility>

#include "fiber/context/executable_stacks.h"
#include "fiber/context/rseq.h"
#include "fiber/tls/control_block.h"
#include "fiber/tls/specific.h"
#include "fiber/tls/thread_db.h"
#include "fiber/tls/thread_list.h"
#include "fiber/tls/tls_image.h"
#include "platform/loader/loader.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"

// Thread ids. The C library compares the tid in the thread control block to find the owner of a
// recursive or error-checking mutex. A fiber may hold such a mutex across a scheduling point and
// move to another worker, so its block needs its own id. The id must be one that no kernel thread
// can have (above PID_MAX_LIMIT, 2^22) and must still fit the owner field of a futex
// (FUTEX_TID_MASK). The C library passes the id to the kernel in some calls, where it would name no
// thread; abi/interpose.cpp handles those calls. raise() and pthread_kill(pthread_self()) ask
// gettid().
namespace bobbin {
namespace {

constexpr uint32_t kFirstThreadId = 1u << 23;

// Offsets of fields in the private struct pthread, found by thread_db.h. A pthread_t is its
// address.
struct Layout {
  void* (*allocate)(void*) = nullptr;
  void (*start_ctype)() = nullptr;
  void (*run_destructors)() = nullptr;
  void (*close_resolver)(struct __res_state*) = nullptr;
  size_t size = 0;  // of struct pthread
  uint32_t tid = 0;
  uint32_t list = 0;       // Link
  long robust_list = -1;   // robust_list_head
  ptrdiff_t pthread = 0;   // from the thread pointer to struct pthread
  ptrdiff_t resolver = 0;  // from the thread pointer to the pointer behind _res; 0: unknown
};

Layout layout;
bool supported;
const char* why_not;

// A pooled block is linked through a record beside it, never through its own memory.
struct Record {
  ThreadPointer block;
  uint32_t id;
  Record* next;                 // in the pool
  Record* all;                  // in the list of all blocks
  struct __res_state resolver;  // the target of _res: the C library has it in struct pthread
};

SpinLock lock;
Record* pool;                              // guarded by lock
Record* all_blocks;                        // guarded by lock
uint32_t next_thread_id = kFirstThreadId;  // guarded by lock

// The value of dlpi_adds at the last look. Written by the thread that has looked (release). By then
// stacks are executable if needed. If the loader does not know the blocks, the images are also
// initialised in all of them. Read by the thread that forks a team (acquire).
alignas(kCacheLine) Atomic<unsigned long long> images_loaded{0};

template <class T>
bool find(T& function, const char* name) {
  function = reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

// Does the field of this size lie inside struct pthread?
bool inside(ptrdiff_t offset, size_t size) {
  return offset > 0 && static_cast<size_t>(offset) + size <= layout.size;
}

// The field's offset, 0 if it is not described or cannot be what it is taken for.
uint32_t described_offset(const char* name, size_t size) {
  const uint32_t offset = thread_db_offset(name, size);
  return inside(offset, size) ? offset : 0;
}

template <class T>
T& field(void* base, ptrdiff_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(base) + offset);
}

char* pthread_of(ThreadPointer block) { return static_cast<char*>(block) + layout.pthread; }

Link& link_of(ThreadPointer block) { return field<Link>(pthread_of(block), layout.list); }

bool probe_layout(const char** reason) {
  *reason = nullptr;
  const uint32_t* size = thread_db_symbol("_thread_db_sizeof_pthread");
  layout.size = size != nullptr ? *size : 0;
  if (const char* hindrance = hindrance_to_context_switch()) {
    *reason = hindrance;
  } else if (!find(layout.allocate, "_dl_allocate_tls") ||
             !find(layout.run_destructors, "__call_tls_dtors") ||
             !find(layout.start_ctype, "__ctype_init")) {
    *reason = "the C library does not export what a thread control block needs";
  } else if ((layout.tid = described_offset("_thread_db_pthread_tid", sizeof(uint32_t))) == 0 ||
             (layout.list = described_offset("_thread_db_pthread_list", sizeof(Link))) == 0 ||
             !static_tls_described()) {
    *reason = "the C library does not describe its thread control block";
  }
  if (*reason != nullptr) return false;

  auto* native = static_cast<char*>(current_thread_pointer());
  auto* self = reinterpret_cast<char*>(pthread_self());
  layout.pthread = self - native;
  void* robust = nullptr;
  size_t length = 0;
  if (syscall(SYS_get_robust_list, 0, &robust, &length) == 0 &&
      inside(static_cast<char*>(robust) - self, length)) {  // else it is not the C library's
    layout.robust_list = static_cast<char*>(robust) - self;
  }
  init_rseq();
  if (void* resolver = dlsym(RTLD_DEFAULT, "__resp")) {
    layout.resolver = static_cast<char*>(resolver) - native;
    find(layout.close_resolver, "__res_nclose");
  }
  // If the tid is not where the description says, the layout of the thread control block is
  // unknown.
  uint32_t tid = field<uint32_t>(self, layout.tid);
  if (tid != static_cast<uint32_t>(syscall(SYS_gettid))) {
    *reason = "the thread control block is not laid out as its description says";
    return false;
  }
  init_thread_list(layout.list, layout.tid);
  return true;
}

// The memory of mutexes on the list may be gone.
void reset_robust_list(ThreadPointer block) {
  if (layout.robust_list < 0) return;
  auto& head = field<robust_list_head>(pthread_of(block), layout.robust_list);
  head.list.next = &head.list;
  head.list_op_pending = nullptr;
}

void fill_control_block(ThreadPointer block, uint32_t tid) {
  static_cast<ControlBlock*>(block)->fill(*static_cast<ControlBlock*>(current_thread_pointer()));
  char* thread = pthread_of(block);
  header_of(thread).multiple_threads = 1;
  field<uint32_t>(thread, layout.tid) = tid;
  // Linked to itself if to no other entry, because fork() in a fiber's thread takes the fiber's
  // block out of its list.
  Link& link = link_of(block);
  link = {&link, &link};
  reset_robust_list(block);
  mark_rseq_unregistered(block);
}

// Each block has its own copy, as one of its TLS variables.
[[gnu::tls_model("initial-exec")]] thread_local Record* own_record;

Record*& record_of(ThreadPointer block) { return *in_tls_block(block, &own_record); }

// Does what the C library does when a thread ends.
void reset_resolver(struct __res_state& resolver) {
  if (resolver.nscount != 0 && layout.close_resolver != nullptr) layout.close_resolver(&resolver);
  resolver = {};
}

Record* make_block() {
  auto* record = make<Record>();
  if (record == nullptr) return nullptr;
  record->block = layout.allocate(nullptr);
  if (record->block == nullptr) {
    destroy(record);
    return nullptr;
  }
  {
    SpinGuard guard(lock);
    record->id = next_thread_id++;
    fill_control_block(record->block, record->id);
    if (layout.resolver != 0) {
      field<struct __res_state*>(record->block, layout.resolver) = &record->resolver;
    }
    record->all = all_blocks;
    all_blocks = record;
    if (thread_list_known()) list_thread(link_of(record->block));
  }
  // After the block was made and before it was on the lists, the loader may have given a library a
  // place in the static area.
  fence(seq_cst);
  reset_tls_images(record->block);
  record_of(record->block) = record;
  return record;
}

// For the case that the loader does not know the blocks. False: more images are still to come.
bool initialise_new_images() {
  return for_new_static_images([](const TlsImage& image) {
    SpinGuard guard(lock);
    for (Record* record = all_blocks; record != nullptr; record = record->all) {
      image.initialise(static_cast<char*>(record->block) + image.offset);
    }
  });
}

// For the child of a fork. If a fiber called fork(), its block is on the C library's list of
// threads whose stacks it has made, and the next fork would declare it free there. Also, the block
// now has the process's id, which belongs to its carrier. Other blocks may have the id of a kernel
// thread that the child lacks.
void list_blocks_again() {
  if (own_record != nullptr) {
    ThreadPointer mine = current_thread_pointer();
    if (thread_list_known()) unlist_thread(link_of(mine));
  }
  for (Record* record = all_blocks; record != nullptr; record = record->all) {
    field<uint32_t>(pthread_of(record->block), layout.tid) = record->id;
  }
  if (!thread_list_known()) return;
  for (Record* record = all_blocks; record != nullptr; record = record->all) {
    // If another thread was in a symbol lookup, no thread ends it in the child.
    if (record != own_record) header_of(pthread_of(record->block)).scope_in_use = 0;
    list_thread(link_of(record->block));
  }
  forget_empty_thread_list();
}

}  // namespace

void init_tls_blocks() {
  supported = probe_layout(&why_not);
  add_fork_lock(held_across_fork<lock, list_blocks_again>);
  init_loader_questions();
}

bool tls_blocks_supported(const char** reason) {
  *reason = why_not;
  return supported;
}

ThreadPointer take_tls_block() {
  Record* record;
  {
    SpinGuard guard(lock);
    record = pool;
    if (record != nullptr) pool = record->next;
  }
  if (record == nullptr) record = make_block();
  return record != nullptr ? record->block : nullptr;
}

void end_values_of_tls_block() {
  layout.run_destructors();
  destroy_specific_values();
  uselocale(LC_GLOBAL_LOCALE);
}

void give_tls_block(ThreadPointer block) {
  ThreadPointer mine = current_thread_pointer();
  set_thread_pointer(block);
  end_values_of_tls_block();
  set_thread_pointer(mine);
  Record* record = record_of(block);
  reset_resolver(record->resolver);
  reset_robust_list(block);
  reset_tls_images(block);
  record_of(block) = record;
  field<uint32_t>(pthread_of(block), layout.tid) = record->id;
  SpinGuard guard(lock);
  record->next = pool;
  pool = record;
}

void call_with_tls_block(ThreadPointer block, void (*function)(void*), void* argument) {
  ThreadPointer mine = current_thread_pointer();
  set_thread_pointer(block);
  function(argument);
  set_thread_pointer(mine);
}

void start_tls_block() { layout.start_ctype(); }

void refresh_tls_blocks() {
  const unsigned long long loaded = count_loaded_images();
  if (loaded == images_loaded.load(acquire)) [[likely]]
    return;
  heed_executable_stacks();
  if (thread_list_known() || initialise_new_images()) images_loaded.store(loaded, release);
}

void note_unloaded_libraries() {
  if (!thread_list_known()) forget_unloaded_images();
}

bool is_fiber_id(pid_t id) { return id >= static_cast<pid_t>(kFirstThreadId); }

bool names_fiber(pthread_t thread) { return supported && record_of(block_of(thread)) != nullptr; }

void take_id_of_caller(ThreadPointer block) {
  field<pid_t>(pthread_of(block), layout.tid) = static_cast<pid_t>(syscall(SYS_gettid));
}

void own_robust_list(ThreadPointer block) {
  if (layout.robust_list < 0) return;
  auto list_in = [](void* thread) { return &field<robust_list_head>(thread, layout.robust_list); };
  robust_list_head* head = list_in(pthread_of(block));
  head->futex_offset = list_in(reinterpret_cast<void*>(pthread_self()))->futex_offset;
  syscall(SYS_set_robust_list, head, sizeof *head);
}

ThreadPointer block_of(pthread_t thread) {
  return reinterpret_cast<char*>(thread) - layout.pthread;
}

// The C library takes the fiber's block for the calling thread. It declares free all other threads
// whose stacks it has allocated, with a tid of 0, so that new threads can use their stacks. The
// carrier is one of these. The C library removes the other threads from its list.
void keep_carrier_after_fork(ThreadPointer carrier) {
  uint32_t& tid = field<uint32_t>(pthread_of(carrier), layout.tid);
  Link& link = link_of(carrier);
  const bool declared_free = tid == 0;
  tid = static_cast<uint32_t>(syscall(SYS_gettid));
  if (!declared_free) {
    if (thread_list_known()) list_thread_first(link);
    return;
  }
  unlist_thread(link);
  // Puts the carrier back into the list of stacks in use, which the fiber's block is now on.
  Link& mine = link_of(current_thread_pointer());
  link = {mine.next, &mine};
  mine.next->prev = &link;
  mine.next = &link;
}

}  // namespace bobbin
