// SPDX-License-Identifier: Apache-2.0
// From code addresses to places in the source: by addr2line or llvm-symbolizer if one of them is
// there, otherwise by the file's symbols.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bobbin::insight {

struct Place {
  std::string module;    // path of the file; empty: the address lies in no known file
  uint64_t offset = 0;   // in the file, or the address itself
  std::string function;  // empty: not known
  std::string file;      // of the source; empty: not known
  unsigned line = 0;

  // As short as it can be said: `solve.c:12 (solve)`, `solve+0x1f (libsolve.so)`, ...
  std::string text() const;
  // In at most so many characters. Of a long function without a line its end is told, because the
  // begin of a made name is the same in all of a module: `find_node_split (splitting)`.
  std::string text_within(size_t width) const;
};

// An address in a mapped file: so many bytes after the begin of its mapping.
struct CodeAddress {
  std::filesystem::path module;
  uint64_t offset = 0;
};

// The places of calls, by the addresses to which they return; one for each address. Asks once for
// each file.
std::vector<Place> places_of_calls(const std::vector<CodeAddress>& returns);

}  // namespace bobbin::insight
