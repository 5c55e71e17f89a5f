// SPDX-License-Identifier: Apache-2.0
#include "insight/report/recording_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "insight/record/clock.h"

namespace bobbin::insight {

namespace fs = std::filesystem;

namespace {

// Text in the file may lack its end, because the process may have been killed at any moment.
template <size_t kSize>
std::string text_of(const char (&text)[kSize]) {
  return {text, strnlen(text, kSize)};
}

// Null unless it is a file, and long enough for the part before the slots: a process may have been
// killed before it gave the file its size. O_NONBLOCK: a pipe would make the reader wait.
void* map_file(const fs::path& path, int protection, size_t& bytes) {
  const bool writes = (protection & PROT_WRITE) != 0;
  const int file =
      ::open(path.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return nullptr;
  struct stat status{};
  void* mapped = MAP_FAILED;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<size_t>(status.st_size) >= kSlotsAt) {
    bytes = static_cast<size_t>(status.st_size);
    mapped = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
  }
  close(file);
  return mapped != MAP_FAILED ? mapped : nullptr;
}

bool is_whole(const FileHeader& header, size_t bytes) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return false;
  return kSlotsAt + size_t{header.slot_bytes} * header.slot_count <= bytes;
}

}  // namespace

std::optional<RecordingFile> RecordingFile::open(const fs::path& path, Instrument instrument,
                                                 uint32_t slot_bytes) {
  size_t bytes = 0;
  void* mapped = map_file(path, PROT_READ, bytes);
  if (mapped == nullptr) return std::nullopt;
  RecordingFile recording(static_cast<const std::byte*>(mapped), bytes);
  const FileHeader& header = recording.header();
  if (!is_whole(header, bytes) || header.instrument != instrument ||
      (slot_bytes != 0 && header.slot_bytes != slot_bytes)) {
    return std::nullopt;
  }
  return recording;
}

RecordingFile::RecordingFile(RecordingFile&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}

RecordingFile::~RecordingFile() {
  if (begin_ != nullptr) munmap(const_cast<std::byte*>(begin_), bytes_);
}

std::vector<const SlotHeader*> RecordingFile::slots() const {
  std::vector<const SlotHeader*> found;
  const uint32_t taken = std::min(header().slots_taken.load(relaxed), header().slot_count);
  for (uint32_t i = 0; i < taken; i++) {
    const auto* slot =
        reinterpret_cast<const SlotHeader*>(begin_ + kSlotsAt + size_t{i} * header().slot_bytes);
    if (slot->state != SlotState::Free) found.push_back(slot);
  }
  return found;
}

uint64_t RecordingFile::end_ticks() const {
  if (header().end.ticks != 0) return header().end.ticks;
  uint64_t last = header().begin.ticks;
  for (const SlotHeader* slot : slots()) last = std::max(last, slot->last);
  return last;
}

double RecordingFile::ticks_per_ns() const {
  const Moment& from = header().begin;
  Moment to = header().end;
  // A short run tells the rate badly.
  constexpr uint64_t kLongEnoughNs = 10'000'000;
  if (to.ns == 0 || to.ns - from.ns < kLongEnoughNs) to = moment();
  if (to.ns <= from.ns || to.ticks <= from.ticks) return 1;  // read on another machine
  return static_cast<double>(to.ticks - from.ticks) / static_cast<double>(to.ns - from.ns);
}

std::string RecordingFile::command() const { return text_of(header().command); }
std::string RecordingFile::runtime() const { return text_of(header().runtime); }

std::vector<fs::path> recordings_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kFileSuffix) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

void note_end_of_process(const fs::path& folder, int process) {
  const Moment now = moment();
  // If the process has executed several programs, the earlier ones could not say so either.
  for (const fs::path& path : recordings_in(folder)) {
    size_t bytes = 0;
    void* mapped = map_file(path, PROT_READ | PROT_WRITE, bytes);
    if (mapped == nullptr) continue;
    auto& header = *static_cast<FileHeader*>(mapped);
    if (header.process == process && header.end.ticks == 0) header.end = now;
    munmap(mapped, bytes);
  }
}

}  // namespace bobbin::insight
