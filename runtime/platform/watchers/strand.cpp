// SPDX-License-Identifier: Apache-2.0
#include "platform/watchers/strand.h"

#if !defined(BOBBIN_MODEL) && !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <cstdint>

#include "platform/clocks/clock.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/shadow_stack.h"

namespace bobbin {
namespace {

// ThreadSanitizer's own interface, and its mmap().
struct Tsan {
  void* (*current)();
  void* (*create)(unsigned flags);
  void (*destroy)(void* fiber);
  void (*switch_to)(void* fiber, unsigned flags);
  void (*set_name)(void* fiber, const char* name);
  void (*allocated)(uintptr_t memory, uintptr_t bytes);  // as told by a Java heap
  void (*freed)(uintptr_t memory, uintptr_t bytes);
  void (*exempt)(const char* file, int line, const volatile void* memory, size_t bytes,
                 const char* why);
  void (*ignore)(const char* file, int line);
  void (*heed)(const char* file, int line);
  void* (*map)(void*, size_t, int, int, int, off_t);
};
Tsan tsan;

constexpr unsigned kUnordered = 1;  // __tsan_switch_to_fiber_no_sync

// A detector can tell where an access was only as long as it knows the strand. LLVM's keeps 255 at
// most, GCC 12's takes 1 MB for each.
constexpr unsigned kFinishedKept = 128;
constexpr unsigned kMostUnderWay = 512;
constexpr uint64_t kFreeSeconds = 4;  // how long strands may take before their share is looked at

SpinLock lock;  // guards the rest
void* origin;   // from which strands are made: it has done nothing
void* finished[kFinishedKept];
unsigned next_finished;
unsigned under_way;
uint64_t spent;  // ticks

// Distances of the first and the last thread-local variable from the thread pointer.
intptr_t locals_begin;
intptr_t locals_end;

template <class Function>
bool find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

bool find_interface() {
  return find(tsan.current, "__tsan_get_current_fiber") &&
         find(tsan.create, "__tsan_create_fiber") && find(tsan.destroy, "__tsan_destroy_fiber") &&
         find(tsan.switch_to, "__tsan_switch_to_fiber") &&
         find(tsan.set_name, "__tsan_set_fiber_name") &&
         find(tsan.allocated, "__tsan_java_alloc") && find(tsan.freed, "__tsan_java_free") &&
         find(tsan.exempt, "AnnotateBenignRaceSized") &&
         find(tsan.ignore, "AnnotateIgnoreWritesBegin") &&
         find(tsan.heed, "AnnotateIgnoreWritesEnd") && find(tsan.map, "mmap");
}

bool can_call_on_other_stack() {
#if defined(__x86_64__) || defined(__aarch64__)
  return !has_shadow_stack(shadow_stack_status());
#else
  return false;
#endif
}

// The libraries that the program begins with have their variables near the thread pointer, at the
// same distance in each thread. Others are farther away, and are not exempt.
int note_locals(dl_phdr_info* library, size_t, void*) {
  constexpr intptr_t kNear = 1 << 20;
  if (library->dlpi_tls_data == nullptr) return 0;
  const intptr_t begin =
      static_cast<char*>(library->dlpi_tls_data) - static_cast<char*>(__builtin_thread_pointer());
  if (begin < -kNear || begin > kNear) return 0;
  for (int i = 0; i < library->dlpi_phnum; i++) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_TLS) continue;
    const intptr_t end = begin + static_cast<intptr_t>(segment.p_memsz);
    if (begin < locals_begin) locals_begin = begin;
    if (end > locals_end) locals_end = end;
  }
  return 0;
}

void exempt_locals_once() {
  static constinit thread_local bool done = false;
  if (done) return;
  done = true;
  tsan.exempt(__FILE__, __LINE__, static_cast<char*>(__builtin_thread_pointer()) + locals_begin,
              static_cast<size_t>(locals_end - locals_begin), "thread-local variables");
}

bool affordable() {
  if (under_way == kMostUnderWay) return false;
  const uint64_t second = ticks_per_us() * 1'000'000;
  if (spent < kFreeSeconds * second) return true;
  return spent < (ticks() - clocks_at_start.ticks) / 3;
}

void keep_for_reports(void* strand) {
  void*& place = finished[next_finished];
  next_finished = (next_finished + 1) % kFinishedKept;
  if (place != nullptr) tsan.destroy(place);
  place = strand;
}

void forget_strands() {
  race_detector.forget = nullptr;
  race_detector.maker_after = race_detector.after;
}

}  // namespace

// The new strand must not follow what the calling one has done, so `origin` makes it.
void Strand::begin() {
  exempt_locals_once();
  const SpinGuard guard(lock);
  if (!affordable()) return;
  const uint64_t began = ticks();
  outer_ = tsan.current();
  tsan.switch_to(origin, kUnordered);
  own_ = tsan.create(0);
  tsan.set_name(own_, "OpenMP task");
  tsan.switch_to(own_, kUnordered);
  under_way++;
  spent += ticks() - began;
}

void Strand::end() {
  if (!has_strands()) return;
  tsan.switch_to(outer_, kUnordered);
  const SpinGuard guard(lock);
  const uint64_t began = ticks();
  under_way--;
  keep_for_reports(own_);
  spent += ticks() - began;
}

void Unseen::begin() {
  begun_ = true;
  tsan.ignore(__FILE__, __LINE__);
}

void Unseen::end() { tsan.heed(__FILE__, __LINE__); }

void tell_passed_order(const void* from, const void* to) {
  const Strand between;
  race_detector.after(from);
  race_detector.before(to);
}

void renew_memory(void* memory, size_t bytes, int protection) {
  tsan.map(memory, bytes, protection,
           MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
}

// To the detector, a Java heap frees the memory and allocates it again.
void forget_memory(const void* memory, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t rounded = (bytes + 7) & ~uintptr_t{7};
  tsan.freed(address, rounded);
  tsan.allocated(address, rounded);
}

bool find_strands() {
  if (!can_call_on_other_stack() || !find_interface()) return false;
  dl_iterate_phdr(note_locals, nullptr);
  origin = tsan.create(0);
  add_fork_lock(held_across_fork<lock, forget_strands>);
  return true;
}

}  // namespace bobbin

#endif
