// SPDX-License-Identifier: Apache-2.0
#include "insight/report/symbols/first_lines.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "insight/report/symbols/elf_file.h"

// The line table is a program for a state machine that makes its rows: DWARF 5, section 6.2, which
// differs from versions 2 to 4 only in the header.

namespace bobbin::insight {
namespace {

enum StandardOperation : uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum ExtendedOperation : uint8_t { kEndSequence = 1, kSetAddress = 2 };

// Takes numbers off the front. Of what is too short they are 0.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  Bytes take(uint64_t count) {
    count = std::min<uint64_t>(count, bytes_.size());
    const Bytes taken(bytes_.substr(0, count));
    bytes_.remove_prefix(count);
    return taken;
  }
  template <class Number>
  Number number() {
    Number number = 0;
    if (bytes_.size() >= sizeof number) memcpy(&number, bytes_.data(), sizeof number);
    take(sizeof number);
    return number;
  }
  uint64_t number(unsigned bytes) {
    return bytes == 8 ? number<uint64_t>() : bytes == 4 ? number<uint32_t>() : 0;
  }
  uint64_t uleb() {
    unsigned shift = 0;
    return leb(shift);
  }
  int64_t sleb() {
    unsigned shift = 0;
    const uint64_t value = leb(shift);
    const bool negative = shift != 0 && shift < 64 && (value >> (shift - 1) & 1) != 0;
    return static_cast<int64_t>(negative ? value | ~uint64_t{0} << shift : value);
  }
  size_t size() const { return bytes_.size(); }

 private:
  uint64_t leb(unsigned& shift) {
    uint64_t value = 0;
    for (bool more = true; more && !empty(); shift += 7) {
      const auto byte = number<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      more = (byte & 0x80) != 0;
    }
    return value;
  }

  std::string_view bytes_;
};

class Unit {
 public:
  // `unit` begins behind its length.
  Unit(Bytes unit, bool is_64_bit) : program_(unit) {
    const auto version = program_.number<uint16_t>();
    if (version >= 5) program_.take(2);  // the sizes of addresses and of segment selectors
    const uint64_t header_bytes = program_.number(is_64_bit ? 8 : 4);
    Bytes header = program_.take(header_bytes);
    least_advance_ = header.number<uint8_t>();
    if (version >= 4) header.take(1);  // operations in an instruction: 1, except for VLIW
    header.take(1);                    // are the rows statements?
    line_base_ = header.number<int8_t>();
    line_range_ = header.number<uint8_t>();
    opcode_base_ = header.number<uint8_t>();
    for (unsigned code = 1; code < opcode_base_; code++) operands_[code] = header.number<uint8_t>();
    valid_ = version >= 2 && version <= 5 && line_range_ != 0;
  }

  // Gives each row.
  template <class Use>
  void run(const Use& use) {
    if (!valid_) return;
    while (!program_.empty()) {
      if (step()) use(address_, line_);
    }
  }

 private:
  // True: there is a new row.
  bool step() {
    const auto code = program_.number<uint8_t>();
    if (code >= opcode_base_) {
      const unsigned adjusted = code - opcode_base_;
      advance(adjusted / line_range_);
      line_ += static_cast<uint64_t>(line_base_ + static_cast<int>(adjusted % line_range_));
      return true;
    }
    switch (code) {
      case kExtended:
        extended();
        return false;
      case kCopy:
        return true;
      case kAdvancePc:
        advance(program_.uleb());
        return false;
      case kAdvanceLine:
        line_ += static_cast<uint64_t>(program_.sleb());
        return false;
      case kConstAddPc:
        advance((255u - opcode_base_) / line_range_);
        return false;
      case kFixedAdvancePc:
        address_ += program_.number<uint16_t>();
        return false;
      default:
        for (unsigned i = 0; i < operands_[code]; i++) program_.uleb();
        return false;
    }
  }

  void extended() {
    Bytes operation = program_.take(program_.uleb());
    switch (operation.number<uint8_t>()) {
      case kEndSequence:
        address_ = 0;
        line_ = 1;
        break;
      case kSetAddress:
        address_ = operation.number(static_cast<unsigned>(operation.size()));
        break;
      default:
        break;
    }
  }

  void advance(uint64_t instructions) { address_ += instructions * least_advance_; }

  Bytes program_;
  unsigned least_advance_ = 1;
  int8_t line_base_ = 0;
  unsigned line_range_ = 1;
  unsigned opcode_base_ = 1;
  uint8_t operands_[256] = {};  // of the standard operations
  bool valid_ = false;
  uint64_t address_ = 0;
  uint64_t line_ = 1;
};

}  // namespace

std::map<uint64_t, unsigned> first_lines(const std::filesystem::path& path,
                                         const std::vector<uint64_t>& functions) {
  std::map<uint64_t, unsigned> lines;
  if (functions.empty()) return lines;
  const ElfFile file(path);
  Bytes units(file.section(".debug_line"));
  while (!units.empty()) {
    uint64_t bytes = units.number<uint32_t>();
    const bool is_64_bit = bytes == 0xffffffff;
    if (is_64_bit) bytes = units.number<uint64_t>();
    Unit(units.take(bytes), is_64_bit).run([&](uint64_t address, uint64_t line) {
      if (line != 0 && std::find(functions.begin(), functions.end(), address) != functions.end())
        lines.emplace(address, static_cast<unsigned>(line));
    });
  }
  return lines;
}

}  // namespace bobbin::insight
