// SPDX-License-Identifier: Apache-2.0
#include "print/includes.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "print/markers.h"

namespace bobbin::translate {
namespace {

namespace fs = std::filesystem;

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

struct Part;

// What one #include line has brought.
struct Header {
  std::string path;
  bool is_system = false;
  size_t included_at = 0;  // the line
  std::vector<Part> parts;
};

// A line, or a header.
struct Part {
  std::string line;
  std::optional<Header> header = std::nullopt;
};

std::string text_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& one : parts) text += one.header ? text_of(one.header->parts) : one.line + "\n";
  return text;
}

std::vector<const Header*> headers_of(const std::vector<Part>& parts) {
  std::vector<const Header*> found;
  for (const Part& one : parts) {
    if (one.header) found.push_back(&*one.header);
  }
  return found;
}

// Reads parts up to the line that tells that the header ends.
class Divider {
 public:
  Divider(const std::vector<std::string>& lines, size_t at) : lines_(lines), at_(at) {}

  std::vector<Part> parts() {
    std::vector<Part> found;
    for (; at_ < lines_.size(); ++at_) {
      const auto marker = read_marker(lines_[at_]);
      if (marker && marker->returns) return found;
      if (marker && marker->enters) {
        found.push_back({"", header(*marker)});
        if (at_ == lines_.size()) break;
      }
      const auto left = read_marker(lines_[at_]);
      found.push_back({left ? plain(*left) : lines_[at_]});
    }
    return found;
  }

  bool is_at_end() const { return at_ == lines_.size(); }

 private:
  // Ends at the marker behind it.
  Header header(const Marker& begin) {
    ++at_;
    Header found;
    found.path = begin.file;
    found.is_system = begin.is_system;
    found.parts = parts();
    if (const auto end = is_at_end() ? std::nullopt : read_marker(lines_[at_])) {
      found.included_at = end->line - 1;
    }
    return found;
  }

  const std::vector<std::string>& lines_;
  size_t at_;
};

// A preprocessed text behind what no line of the user's file has brought.
struct Divided {
  std::string file;  // the user's
  std::vector<Part> parts;
  bool is_whole = false;
};

Divided divide(const std::string& text) {
  Divided found;
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
  if (at == lines.size()) return found;
  found.parts.push_back({plain(*read_marker(lines[at]))});
  Divider divider(lines, at + 1);
  for (Part& one : divider.parts()) found.parts.push_back(std::move(one));
  found.is_whole = divider.is_at_end();
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

// The lines of a file that name headers, and those that tell headers what to declare.
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

  // The name in the #include line, with its quotes or brackets; empty: a macro names the header.
  std::string_view name_in(size_t line) const {
    const bool is_known = line > 0 && line <= lines_.size();
    const std::string_view name = is_known ? argument_of(lines_[line - 1], "include") : "";
    const bool is_named = name.starts_with("<") || name.starts_with("\"");
    const size_t end = is_named ? name.find(name.front() == '<' ? '>' : '"', 1) : name.npos;
    return end != name.npos ? name.substr(0, end + 1) : std::string_view();
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

// Writes #include lines in place of what they have brought.
class Restorer {
 public:
  Restorer(const std::string& file, const ReadFile& read_file)
      : folder_(fs::path(file).parent_path()), read_file_(read_file) {}

  // What `file` consists of, before the translation and after it.
  void write(const std::vector<Part>& parts, const std::vector<Part>& before,
             const std::string& file) {
    const std::vector<const Header*> originals = headers_of(before);
    if (headers_of(parts).size() != originals.size()) {
      out_ += text_of(parts);
      return;
    }
    Directives directives(read_file_(file));
    auto original = originals.begin();
    for (const Part& one : parts) {
      if (!one.header) {
        out_ += one.line + "\n";
      } else {
        write(*one.header, **original++, directives, file);
      }
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void write(const Header& header, const Header& before, Directives& directives,
             const std::string& file) {
    out_ += directives.settings_before(header.included_at);
    if (essence(text_of(header.parts)) == essence(text_of(before.parts))) {
      const std::string_view written = directives.name_in(header.included_at);
      out_ += "#include " + name_of(header, written, file) + "\n";
      return;
    }
    out_ += plain({1, header.path, false, false, header.is_system}) + "\n";
    write(header.parts, before.parts, header.path);
  }

  // How the user's file names it.
  std::string name_of(const Header& header, std::string_view written, const std::string& from) {
    const fs::path folder = fs::path(from).parent_path();
    const bool is_beside = written.starts_with("\"") &&
                           folder / written.substr(1, written.size() - 2) == fs::path(header.path);
    if (is_beside && folder != folder_) {
      return "\"" + fs::path(header.path).lexically_proximate(folder_).string() + "\"";
    }
    return written.empty() ? "\"" + header.path + "\"" : std::string(written);
  }

  fs::path folder_;
  const ReadFile& read_file_;
  std::string out_;
};

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
                                            const ReadFile& read_file) {
  const Divided after = divide(text);
  const Divided before = divide(preprocessed);
  if (!after.is_whole || headers_of(after.parts).size() != headers_of(before.parts).size()) {
    return std::nullopt;
  }
  Restorer restorer(after.file, read_file);
  restorer.write(after.parts, before.parts, after.file);
  return "#include <bobbin/native_inline.h>\n" + restorer.take();
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
