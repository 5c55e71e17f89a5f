// SPDX-License-Identifier: Apache-2.0
#include "insight/live/python/python_objects.h"

namespace bobbin::insight {
namespace {

using enum PythonField;

constexpr uint64_t kLongestBytes = 1u << 20;
constexpr uint64_t kLongestText = 4096;  // characters

std::optional<std::string> read_exactly(const Memory& memory, uint64_t at, uint64_t bytes) {
  std::string content(bytes, '\0');
  if (memory.read(at, content.data(), bytes) != bytes) return std::nullopt;
  return content;
}

void append_utf8(std::string& to, uint32_t character) {
  const auto tail = [&](unsigned shift) {
    to += static_cast<char>(0x80 | (character >> shift & 0x3f));
  };
  if (character < 0x80) {
    to += static_cast<char>(character);
  } else if (character < 0x800) {
    to += static_cast<char>(0xc0 | character >> 6);
    tail(0);
  } else if (character < 0x10000) {
    to += static_cast<char>(0xe0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xf0 | (character >> 18 & 7));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Each character takes so many bytes, in the order of the processor.
std::string utf8_of(const std::string& content, unsigned width) {
  std::string text;
  for (size_t at = 0; at + width <= content.size(); at += width) {
    uint32_t character = 0;
    for (unsigned i = 0; i < width; i++) {
      character |= static_cast<uint32_t>(static_cast<uint8_t>(content[at + i])) << 8 * i;
    }
    append_utf8(text, character);
  }
  return text;
}

}  // namespace

std::optional<std::string> python_bytes(const Memory& memory, const PythonLayout& layout,
                                        uint64_t object) {
  if (object == 0 || memory.u64(object + layout[Type]) != layout.bytes_type) return std::nullopt;
  const uint64_t length = memory.u64(object + layout[BytesLength]);
  if (length > kLongestBytes) return std::nullopt;
  return read_exactly(memory, object + layout[Bytes], length);
}

std::optional<std::string> python_text(const Memory& memory, const PythonLayout& layout,
                                       uint64_t object) {
  if (object == 0 || memory.u64(object + layout[Type]) != layout.text_type) return std::nullopt;
  const uint64_t length = memory.u64(object + layout[TextLength]);
  const uint32_t state = memory.u32(object + layout[TextState]);
  const unsigned width = state >> 2 & 7;
  const bool is_compact = (state >> 5 & 1) != 0;
  const bool is_ascii = (state >> 6 & 1) != 0;
  if (length > kLongestText || !is_compact || (width != 1 && width != 2 && width != 4)) {
    return std::nullopt;
  }
  const uint64_t begin = is_ascii ? layout[AsciiText] : layout[OtherTextEnd] - sizeof(void*);
  const std::optional<std::string> content = read_exactly(memory, object + begin, length * width);
  if (!content) return std::nullopt;
  return utf8_of(*content, width);
}

}  // namespace bobbin::insight
