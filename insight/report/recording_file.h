// SPDX-License-Identifier: Apache-2.0
// The file that an instrument has left (record/layout.h), to be read after the process has ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "insight/record/layout.h"

namespace bobbin::insight {

class RecordingFile {
 public:
  // Nothing: it is no recording of this instrument. `slot_bytes`: 0 if they differ.
  static std::optional<RecordingFile> open(const std::filesystem::path& path, Instrument instrument,
                                           uint32_t slot_bytes);
  RecordingFile(RecordingFile&& other) noexcept;
  RecordingFile& operator=(RecordingFile&&) = delete;
  ~RecordingFile();

  const FixedPart& fixed() const { return *reinterpret_cast<const FixedPart*>(begin_); }
  const FileHeader& header() const { return fixed().header; }
  // Those that a thread has taken.
  std::vector<const SlotHeader*> slots() const;
  // When the process ended, as far as that is known.
  uint64_t end_ticks() const;
  double ticks_per_ns() const;
  std::string command() const;
  std::string runtime() const;

 private:
  RecordingFile(const std::byte* begin, size_t bytes) : begin_(begin), bytes_(bytes) {}

  const std::byte* begin_;
  size_t bytes_;
};

// The recordings of a folder.
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& folder);

// The process has just ended. If it could not say so itself, its newest recording now says it.
void note_end_of_process(const std::filesystem::path& folder, int process);

}  // namespace bobbin::insight
