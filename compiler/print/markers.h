// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bobbin::translate {

// Which generated lines have a line marker: some, for readers; or each, for compilers. Then a
// debugger finds each at its directive, and no compiler warns of it, because the marker says that
// the line is a system header's. With None, for readers, too, they are taken away in the end
// (print/includes.h), so the lines need not be the user's.
enum class Markers : unsigned char { None, Some, Each };

bool is_marker(const std::string& line);

// Writes the lines of the output. With Markers::Each a generated line gets the last marker of its
// block or of one around it; what stands in front of a function, that of the function.
class MarkedLines {
 public:
  explicit MarkedLines(Markers markers) : markers_(markers) {}

  // depth: of the braces around the line.
  void add_generated(const std::string& line, size_t depth);
  // depth: of the braces behind the line.
  void add_users(const std::string& line, size_t depth);
  std::string take();

 private:
  struct Marker {
    size_t depth;
    std::string text;
  };

  void leave(size_t depth);
  void write(const std::string& line, const std::string& marker);
  void write_waiting(const std::string& marker);

  Markers markers_;
  std::string out_;
  std::vector<Marker> around_;
  std::string last_;
  std::vector<std::string> waiting_;  // for the next marker
};

}  // namespace bobbin::translate
