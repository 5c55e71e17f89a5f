// SPDX-License-Identifier: Apache-2.0
#include "insight/record/recording.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "bobbin/tool.h"
#include "insight/record/clock.h"
#include "insight/record/modules.h"

namespace bobbin::insight {
namespace {

constexpr int kMostFiles = 1000;  // of one process, which has executed so many programs

struct Mapping {
  size_t bytes = 0;
  Shape shape = {};
  char path[PATH_MAX] = {};
};
Mapping mapping;
CurrentSlot current_slot = nullptr;
ForkedHook forked_hook = nullptr;
uint64_t used_before = 0;  // processor time, in nanoseconds

// Tells why there is no record. The process goes on without.
void complain(const char* what, const char* why) {
  char line[PATH_MAX + 200];
  const int length = snprintf(line, sizeof line, "bobbin: no record of process %d: %s: %s\n",
                              static_cast<int>(getpid()), what, why);
  if (length <= 0) return;
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line, std::min(static_cast<size_t>(length), sizeof line - 1));
}

// Returns the file's descriptor, and keeps its path. Negative: the reason has been said.
int make_file(const char* folder, size_t bytes) {
  for (int number = 0; number < kMostFiles; number++) {
    const int length = snprintf(mapping.path, sizeof mapping.path, "%s/%d.%d%s", folder,
                                static_cast<int>(getpid()), number, kFileSuffix);
    if (length < 0 || static_cast<size_t>(length) >= sizeof mapping.path) errno = ENAMETOOLONG;
    const int file = static_cast<size_t>(length) < sizeof mapping.path
                         ? open(mapping.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                         : -1;
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
      complain(mapping.path, strerror(errno));
      if (file >= 0) {
        unlink(mapping.path);
        close(file);
      }
      return -1;
    }
    return file;
  }
  return -1;
}

// Otherwise a file system that is full would end the program by SIGBUS when it writes a page.
bool reserve(int file, size_t from, size_t bytes) {
  int result;
  do {
    result = fallocate(file, 0, static_cast<off_t>(from), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

bool reserve_slot(size_t from) {
  const int file = open(mapping.path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = reserve(file, from, mapping.shape.slot_bytes);
  close(file);
  return done;
}

void read_command(char* command, size_t size) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t length = read(file, command, size - 1);
  close(file);
  for (ssize_t i = 0; i + 1 < length; i++) {
    if (command[i] == '\0') command[i] = ' ';
  }
}

void describe(FileHeader& header) {
  header.process = getpid();
  header.parent = getppid();
  header.begin = moment();
  header.end = {};
  header.processor_ns = 0;
  header.usage = {};
  used_before = processor_ns();
  header.threads_lost.store(0, relaxed);
  header.sites_lost.store(0, relaxed);
  read_command(header.command, sizeof header.command);
}

// The process has used the processor little before the runtime was loaded.
void begin_with_runtime(FileHeader& header, ompt_function_lookup_t lookup) {
  auto* get_start = reinterpret_cast<bobbin_get_start_t>(lookup("bobbin_get_start"));
  if (get_start == nullptr) return;
  bobbin_start_t start;
  get_start(&start);
  header.begin = {start.loaded_counter, start.loaded_ns};
  used_before = 0;
}

SlotHeader& slot_at(uint32_t number) {
  return *reinterpret_cast<SlotHeader*>(recording_begin + kSlotsAt +
                                        size_t{number} * mapping.shape.slot_bytes);
}

// --- In the child of a fork.

bool write_all(int file, const void* from, size_t bytes, size_t at) {
  return pwrite(file, from, bytes, static_cast<off_t>(at)) == static_cast<ssize_t>(bytes);
}

// The new file begins with the sites and modules of the parent, because their numbers are in use,
// and with the slot of the forking thread.
int copy_to_own_file(const SlotHeader* slot) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", mapping.path);
  char* name = strrchr(folder, '/');
  if (name == nullptr) return -1;
  *name = '\0';
  const int file = make_file(folder, mapping.bytes);
  if (file < 0) return -1;
  const size_t slot_bytes = mapping.shape.slot_bytes;
  const bool copied =
      reserve(file, 0, kSlotsAt) && write_all(file, recording_begin, kSlotsAt, 0) &&
      (slot == nullptr ||
       write_all(file, slot, slot_bytes,
                 static_cast<size_t>(reinterpret_cast<const std::byte*>(slot) - recording_begin)));
  if (copied) return file;
  complain(mapping.path, strerror(errno));
  unlink(mapping.path);
  close(file);
  return -1;
}

bool map_over(int flags, int file) {
  constexpr int kAccess = PROT_READ | PROT_WRITE;
  return mmap(recording_begin, mapping.bytes, kAccess, flags | MAP_FIXED, file, 0) != MAP_FAILED;
}

void map_in_child() {
  if (recording_begin == nullptr) return;
  SlotHeader* slot = current_slot();
  const int file = copy_to_own_file(slot);
  const bool own = file >= 0 && map_over(MAP_SHARED, file);
  if (file >= 0) close(file);
  // Whatever happens, the parent's file is out of reach from here on.
  if (!own) {
    slot = nullptr;
    if (!map_over(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1)) abort();
  }
  forget_lock_of_modules();
  describe(recording().header);
  forked_hook(slot);
}

}  // namespace

std::byte* recording_begin = nullptr;
uint32_t recording_slot_bytes = 1;

bool open_recording(const Shape& shape, const char* runtime, ompt_function_lookup_t lookup) {
  const char* folder = getenv(kFolderVariable);
  if (folder == nullptr || *folder == '\0') {
    complain(kFolderVariable, "names no folder");
    return false;
  }
  mapping.shape = shape;
  mapping.bytes = kSlotsAt + size_t{shape.slot_bytes} * shape.slot_count;
  const int file = make_file(folder, mapping.bytes);
  if (file < 0) return false;
  void* mapped = MAP_FAILED;
  if (reserve(file, 0, kSlotsAt)) {
    mapped = mmap(nullptr, mapping.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (mapped == MAP_FAILED) {
    complain(mapping.path, strerror(errno));
    close(file);
    unlink(mapping.path);
    return false;
  }
  close(file);
  recording_begin = static_cast<std::byte*>(mapped);
  recording_slot_bytes = shape.slot_bytes;
  FileHeader& header = *new (mapped) FileHeader;
  header.instrument = shape.instrument;
  header.slot_bytes = shape.slot_bytes;
  header.slot_count = shape.slot_count;
  snprintf(header.runtime, sizeof header.runtime, "%s", runtime);
  describe(header);
  begin_with_runtime(header, lookup);
  // Number 0 is no site, so its place must not look free. The key is of no kind.
  recording().sites[0].key.store(~uint64_t{0} << kAddressBits, relaxed);
  for (unsigned kind = 1; kind < kSiteKinds; kind++) {
    recording().sites[kind].key.store(site_key(static_cast<SiteKind>(kind), nullptr), relaxed);
  }
  memcpy(header.magic, kMagic, sizeof kMagic);
  return true;
}

const char* recording_path() { return mapping.path; }

void close_recording() {
  FileHeader& header = recording().header;
  header.processor_ns = processor_ns() - used_before;
  header.end = moment();
}

void follow_forks(CurrentSlot current, ForkedHook hook) {
  current_slot = current;
  forked_hook = hook;
  pthread_atfork(nullptr, nullptr, map_in_child);
}

bool take_slot_again(SlotHeader& slot, int thread_type) {
  const auto at = static_cast<size_t>(reinterpret_cast<std::byte*>(&slot) - recording_begin);
  if (!reserve_slot(at)) return false;
  slot.thread_type = thread_type;
  slot.begin = slot.last = ticks();
  slot.state = SlotState::Live;
  return true;
}

// Slots are not taken twice, so that each thread keeps its own figures.
SlotHeader* take_slot(int thread_type) {
  FileHeader& header = recording().header;
  const uint32_t number = header.slots_taken.load(relaxed) < mapping.shape.slot_count
                              ? header.slots_taken.fetch_add(1, relaxed)
                              : mapping.shape.slot_count;
  if (number < mapping.shape.slot_count) {
    SlotHeader& slot = slot_at(number);
    if (take_slot_again(slot, thread_type)) return &slot;
  } else {
    header.slots_taken.store(mapping.shape.slot_count, relaxed);
  }
  header.threads_lost.fetch_add(1, relaxed);
  return nullptr;
}

void end_slot(SlotHeader& slot) { slot.state = SlotState::Ended; }

}  // namespace bobbin::insight
