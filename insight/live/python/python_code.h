// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "insight/live/process/memory.h"
#include "insight/live/python/python_layout.h"
#include "insight/report/profiles/python_frame.h"

namespace bobbin::insight {

// The line of an instruction that lies so many bytes behind the begin of its function, from the
// function's table of locations (PEP 626; CPython's "Description of the locations table"). 0: it
// has none.
unsigned python_line(std::string_view table, unsigned first_line, uint64_t offset);

// The functions of a Python program, by their code objects.
class PythonCodes {
 public:
  PythonCodes(const Memory& memory, const PythonLayout& layout)
      : memory_(memory), layout_(layout) {}

  // Nothing: that is no code object, or it does not have this instruction.
  std::optional<PythonFrame> frame(uint64_t code, uint64_t instruction);

 private:
  // What a code object is made of. Another one may come to lie at the same address.
  struct Parts {
    uint64_t file = 0;
    uint64_t function = 0;
    uint64_t locations = 0;
    uint32_t first_line = 0;
    bool operator==(const Parts&) const = default;
  };
  struct Known {
    Parts parts;
    std::string file;
    std::string function;
    std::string locations;
  };

  const Known* known(uint64_t code);

  const Memory& memory_;
  const PythonLayout& layout_;
  std::map<uint64_t, Known> known_;
};

}  // namespace bobbin::insight
