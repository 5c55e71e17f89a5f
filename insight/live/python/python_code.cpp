// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_code.h"

#include <utility>

#include "insight/live/python/python_objects.h"

namespace bobbin::insight {
namespace {

using enum PythonField;

constexpr uint64_t kBytesOfUnit = 2;  // of code
constexpr uint64_t kFarthest = 1u << 30;

// The numbers in an entry of the table. Each byte has six bits of one, the lowest ones first, and a
// bit that tells whether there are more.
class Numbers {
 public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

  uint32_t next() {
    uint32_t number = 0;
    for (unsigned shift = 0; shift < 32 && !bytes_.empty(); shift += 6) {
      const auto byte = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      number |= static_cast<uint32_t>(byte & 0x3f) << shift;
      if ((byte & 0x40) == 0) break;
    }
    return number;
  }

  // The lowest bit is the sign.
  int64_t next_signed() {
    const uint32_t number = next();
    const auto magnitude = static_cast<int64_t>(number >> 1);
    return (number & 1) != 0 ? -magnitude : magnitude;
  }

 private:
  std::string_view bytes_;
};

// The forms of an entry that are not a line as before with short columns.
enum Form : unsigned { OneLine0 = 10, OneLine2 = 12, NoColumns = 13, Long = 14, None = 15 };

int64_t lines_on(unsigned form, std::string_view rest) {
  if (form >= OneLine0 && form <= OneLine2) return form - OneLine0;
  if (form == NoColumns || form == Long) return Numbers(rest).next_signed();
  return 0;
}

bool begins_entry(char byte) { return (static_cast<uint8_t>(byte) & 0x80) != 0; }

}  // namespace

unsigned python_line(std::string_view table, unsigned first_line, uint64_t offset) {
  int64_t line = first_line;
  uint64_t end = 0;
  while (!table.empty() && begins_entry(table.front())) {
    const auto first = static_cast<uint8_t>(table.front());
    const unsigned form = first >> 3 & 15;
    size_t size = 1;
    while (size < table.size() && !begins_entry(table[size])) size++;
    line += lines_on(form, table.substr(1, size - 1));
    end += ((first & 7) + 1) * kBytesOfUnit;
    if (offset < end) return form != None && line > 0 ? static_cast<unsigned>(line) : 0;
    table.remove_prefix(size);
  }
  return 0;
}

const PythonCodes::Known* PythonCodes::known(uint64_t code) {
  if (code == 0 || memory_.u64(code + layout_[Type]) != layout_.code_type) return nullptr;
  const Parts parts = {memory_.u64(code + layout_[File]), memory_.u64(code + layout_[Function]),
                       memory_.u64(code + layout_[Locations]),
                       memory_.u32(code + layout_[FirstLine])};
  const auto found = known_.find(code);
  if (found != known_.end() && found->second.parts == parts) return &found->second;
  const auto file = python_text(memory_, layout_, parts.file);
  const auto function = python_text(memory_, layout_, parts.function);
  const auto locations = python_bytes(memory_, layout_, parts.locations);
  if (!file || !function || !locations) return nullptr;
  Known& entry = known_[code];
  entry = {parts, *file, *function, *locations};
  return &entry;
}

std::optional<PythonFrame> PythonCodes::frame(uint64_t code, uint64_t instruction) {
  const Known* function = known(code);
  if (function == nullptr) return std::nullopt;
  const uint64_t begin = code + layout_[Instructions];
  // Before its first instruction a function is at the one in front of it.
  const uint64_t offset = instruction + kBytesOfUnit == begin ? 0 : instruction - begin;
  if (offset > kFarthest) return std::nullopt;
  return PythonFrame{function->file,
                     python_line(function->locations, function->parts.first_line, offset),
                     function->function};
}

}  // namespace bobbin::insight
