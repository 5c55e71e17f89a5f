// SPDX-License-Identifier: Apache-2.0
#include "print/includes.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "print/markers.h"

namespace bobbin::translate {
namespace {

constexpr std::string_view kHeader = "/native_inline.h";

struct Marker {
  size_t line = 0;
  std::string file;
  bool enters = false;
  bool returns = false;
  bool is_system = false;
};

std::optional<Marker> read_marker(const std::string& line) {
  if (!is_marker(line)) return std::nullopt;
  const size_t begin = line.find('"');
  const size_t end = line.rfind('"');
  if (begin == std::string::npos || end == begin) return std::nullopt;
  Marker marker;
  marker.line = std::stoul(line.substr(2));
  marker.file = line.substr(begin + 1, end - begin - 1);
  for (const char flag : line.substr(end + 1)) {
    marker.enters = marker.enters || flag == '1';
    marker.returns = marker.returns || flag == '2';
    marker.is_system = marker.is_system || flag == '3';
  }
  return marker;
}

// Does not tell that a header begins or ends.
std::string plain(const Marker& marker) {
  return "# " + std::to_string(marker.line) + " \"" + marker.file + "\"" +
         (marker.is_system ? " 3" : "");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// What one #include line of the user's file has brought.
struct Header {
  std::string path;
  bool is_system = false;
  size_t included_at = 0;  // the line
  std::vector<std::string> lines;
};

// A preprocessed text behind what no line of the user's file has brought: lines of that file, and
// headers between them.
struct Parts {
  struct Part {
    std::string line;  // empty: it is a header, or the line is
    std::optional<Header> header;
  };
  std::string file;  // the user's
  std::vector<Part> parts;
  bool is_whole = false;
};

Parts divide(const std::string& text) {
  Parts found;
  const std::vector<std::string> lines = lines_of(text);
  size_t at = 0;
  for (; at < lines.size() && found.file.empty(); ++at) {
    if (const auto marker = read_marker(lines[at])) found.file = marker->file;
  }
  // The last thing that is included before the file is native_inline.h.
  for (size_t i = at; i < lines.size(); ++i) {
    const auto marker = read_marker(lines[i]);
    if (marker && marker->file.ends_with(kHeader)) at = i + 1;
  }
  const auto is_own = [&](const std::string& line) {
    const auto marker = read_marker(line);
    return marker && marker->file == found.file;
  };
  while (at < lines.size() && !is_own(lines[at])) ++at;
  size_t depth = 0;
  for (; at < lines.size(); ++at) {
    const auto marker = read_marker(lines[at]);
    if (marker && marker->enters && depth++ == 0) {
      found.parts.push_back({"", Header{marker->file, marker->is_system, 0, {}}});
      continue;
    }
    if (depth == 0) {
      found.parts.push_back({marker ? plain(*marker) : lines[at], std::nullopt});
      continue;
    }
    std::optional<Header>& header = found.parts.back().header;
    if (!header) return found;  // markers of another kind than those known
    if (marker && marker->returns && --depth == 0) {
      header->included_at = marker->line - 1;
      found.parts.push_back({plain(*marker), std::nullopt});
    } else {
      header->lines.push_back(lines[at]);
    }
  }
  found.is_whole = depth == 0 && !found.parts.empty();
  return found;
}

std::vector<const Header*> headers_of(const Parts& parts) {
  std::vector<const Header*> found;
  for (const Parts::Part& one : parts.parts) {
    if (one.header) found.push_back(&*one.header);
  }
  return found;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  return text;
}

// A line `#WORD ...`: what follows the word. Otherwise empty.
std::string_view argument_of(std::string_view line, std::string_view word) {
  std::string_view text = trimmed(line);
  if (!text.starts_with("#")) return {};
  text = trimmed(text.substr(1));
  return text.starts_with(word) ? trimmed(text.substr(word.size())) : std::string_view();
}

// The lines of the user's file that name headers, and those that tell headers what to declare.
class Directives {
 public:
  explicit Directives(const std::string& source) : lines_(lines_of(source)) {}

  // What has been defined before that line and not been told yet.
  std::string settings_before(size_t line) {
    std::string found;
    for (; read_ + 1 < line && read_ < lines_.size(); ++read_) {
      const std::string& text = lines_[read_];
      if (!argument_of(text, "if").empty()) ++depth_;
      if (trimmed(text).starts_with("#") && trimmed(trimmed(text).substr(1)).starts_with("endif") &&
          depth_ > 0) {
        --depth_;
      }
      if (depth_ == 0 && !text.ends_with("\\") && sets_headers(text)) found += text + "\n";
    }
    return found;
  }

  std::string include_of(const Header& header) const {
    if (header.included_at > 0 && header.included_at <= lines_.size()) {
      const std::string& line = lines_[header.included_at - 1];
      const std::string_view name = argument_of(line, "include");
      const bool is_named = !name.empty() && (name.front() == '<' || name.front() == '"');
      const size_t end = is_named ? name.find(name.front() == '<' ? '>' : '"', 1) : name.npos;
      if (end != name.npos) return "#include " + std::string(name.substr(0, end + 1));
    }
    return "#include \"" + header.path + "\"";
  }

 private:
  // Names that the C library gives a meaning.
  static bool sets_headers(std::string_view line) {
    for (const char* word : {"define", "undef"}) {
      const std::string_view name = argument_of(line, word);
      if (name.starts_with("_") || name.starts_with("NDEBUG")) return true;
    }
    return false;
  }

  std::vector<std::string> lines_;
  size_t read_ = 0;
  size_t depth_ = 0;  // of #if
};

// A macro of a system header has divided a line of the user's.
void append_rest(std::string& out, const std::string& rest) {
  out.pop_back();
  const std::string_view text = trimmed(rest);
  const bool is_tight = out.ends_with("(") || out.ends_with("[") || text.empty() ||
                        std::string_view(",;)]").find(text.front()) != std::string_view::npos;
  if (!is_tight) out += ' ';
  out += std::string(text) + "\n";
}

}  // namespace

std::string essence(const std::string& text) {
  std::string found;
  for (const std::string& line : lines_of(text)) {
    const bool is_comment = trimmed(line).starts_with("/*") && line.ends_with("*/");
    if (is_comment || trimmed(line).starts_with("#")) continue;
    std::copy_if(line.begin(), line.end(), std::back_inserter(found),
                 [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  }
  return found;
}

std::optional<std::string> restore_includes(const std::string& text,
                                            const std::string& preprocessed,
                                            const std::string& source) {
  const Parts parts = divide(text);
  const Parts before = divide(preprocessed);
  const std::vector<const Header*> originals = headers_of(before);
  if (!parts.is_whole || headers_of(parts).size() != originals.size()) return std::nullopt;
  Directives directives(source);
  std::vector<std::string> out = {"#include <bobbin/native_inline.h>"};
  auto original = originals.begin();
  for (const Parts::Part& one : parts.parts) {
    if (!one.header) {
      out.push_back(one.line);
      continue;
    }
    const Header& header = *one.header;
    const bool is_same = essence(joined(header.lines)) == essence(joined((*original++)->lines));
    if (is_same) {
      out.push_back(directives.settings_before(header.included_at) + directives.include_of(header));
    } else {
      out.push_back("# 1 \"" + header.path + "\"");
      out.insert(out.end(), header.lines.begin(), header.lines.end());
    }
  }
  return joined(out);
}

std::string without_markers(const std::string& text) {
  std::string out;
  std::string before;  // the last line
  Marker at;
  bool continues = false;
  for (const std::string& line : lines_of(text)) {
    if (const auto marker = read_marker(line)) {
      continues = !before.empty() && marker->file == at.file && marker->line + 1 == at.line &&
                  marker->is_system != at.is_system;
      at = *marker;
      continue;
    }
    ++at.line;
    const bool ends_item = before == "}" || before == "};";
    const bool is_needless = before.empty() || before.ends_with("{");
    if (continues) {
      append_rest(out, line);
    } else if (!line.empty()) {
      // No empty line before the end of a block.
      if (before.empty() && trimmed(line).starts_with("}") && out.ends_with("\n\n")) out.pop_back();
      out += (ends_item ? "\n" : "") + line + "\n";
    } else if (!is_needless) {
      out += "\n";
    }
    if (!line.empty() || !is_needless) before = line;
    continues = false;
  }
  return out;
}

}  // namespace bobbin::translate
