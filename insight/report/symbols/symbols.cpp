// SPDX-License-Identifier: Apache-2.0
#include "insight/report/symbols/symbols.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

#include "insight/report/symbols/elf_symbols.h"
#include "insight/report/symbols/first_lines.h"
#include "insight/report/symbols/program_output.h"

namespace bobbin::insight {
namespace {

std::string hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// They answer with the address, and with two lines for each function that is inlined there, from
// the innermost outwards: the function, and `file:line`.
std::optional<std::string> ask_for_lines(const std::string& module,
                                         const std::vector<uint64_t>& addresses) {
  static const std::vector<std::string> kPrograms[] = {
      {"addr2line", "-a", "-i", "-f", "-C"},
      {"llvm-symbolizer", "--output-style=GNU", "-a", "-i", "-f", "-C"},
  };
  for (std::vector<std::string> command : kPrograms) {
    command.insert(command.end(), {"-e", module});
    for (const uint64_t address : addresses) command.push_back(hexadecimal(address));
    if (std::optional<std::string> answer = output_of(command)) return answer;
  }
  return std::nullopt;
}

// `file:12`, `file:12 (discriminator 3)`, `file:?`, `??:0`
void read_line(const std::string& answer, Place& place) {
  const size_t colon = answer.rfind(':');
  if (colon == std::string::npos || answer.starts_with("??")) return;
  unsigned line = 0;
  const char* digits = answer.c_str() + colon + 1;
  std::from_chars(digits, answer.c_str() + answer.size(), line);
  if (line == 0) return;
  place.file = answer.substr(0, colon);
  place.line = line;
}

// A header of the system or of a compiler.
bool is_system_header(const std::string& file) {
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  const auto has = [&](const char* part) { return path.find(part) != std::string::npos; };
  return (path.starts_with("/usr/") && has("/include/")) || has("/include/c++/") ||
         has("/lib/gcc/") || has("/lib/clang/");
}

// Reads one answer after the other.
class Answers {
 public:
  explicit Answers(const std::string& text) : text_(text) { next(); }

  // The functions that are inlined at the next address, and the one in which they are: the
  // innermost first.
  std::vector<Place> read() {
    next();  // the address
    std::vector<Place> chain;
    while (more_ && !line_.starts_with("0x")) {
      Place& place = chain.emplace_back();
      if (!line_.starts_with("??")) place.function = line_;
      next();
      read_line(line_, place);
      next();
    }
    return chain;
  }

 private:
  void next() { more_ = static_cast<bool>(std::getline(text_, line_)); }

  std::istringstream text_;
  std::string line_;
  bool more_ = false;
};

// The instruction before the one to which the call returns.
uint64_t call_before(uint64_t address) { return address != 0 ? address - 1 : 0; }

// The innermost of the user's own lines or, if there is none, the innermost line.
const Place& users_line(const std::vector<Place>& chain) {
  const auto own = std::find_if(chain.begin(), chain.end(), [](const Place& place) {
    return place.line != 0 && !is_system_header(place.file);
  });
  return own != chain.end() ? *own : chain.front();
}

// The addresses of a file, in its own terms, and what is known of it.
class PlacesOfFile {
 public:
  PlacesOfFile(const std::string& module, const std::vector<Place*>& places) : symbols_(module) {
    std::vector<uint64_t> functions;
    for (const Place* place : places) {
      addresses_.push_back(symbols_.address_of(call_before(place->offset)));
      if (symbols_.begins_function(addresses_.back())) functions.push_back(addresses_.back());
    }
    first_lines_ = first_lines(module, functions);
    Answers answers(ask_for_lines(module, addresses_).value_or(""));
    for (size_t i = 0; i < places.size(); i++) set(*places[i], addresses_[i], answers.read());
  }

 private:
  // The runtime tells the beginning of a function where it does not know the call.
  void set(Place& place, uint64_t address, const std::vector<Place>& chain) const {
    if (!chain.empty()) {
      const bool is_function = symbols_.begins_function(address);
      const Place& found = is_function ? chain.back() : users_line(chain);
      place.function = found.function;
      place.file = found.file;
      place.line = found.line;
      const auto first = first_lines_.find(address);
      if (place.line != 0 && first != first_lines_.end()) place.line = first->second;
    }
    if (place.function.empty()) place.function = symbols_.function_at(address);
  }

  ElfSymbols symbols_;
  std::vector<uint64_t> addresses_;
  std::map<uint64_t, unsigned> first_lines_;
};

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// gcc calls the function of a construct `f._omp_fn.0`, clang `f.omp_outlined`, both followed by
// more or less.
std::string without_suffix(const std::string& function) {
  for (const char* suffix : {"._omp_fn", ".omp_outlined", ".omp_task", "..omp_par"}) {
    const size_t at = function.find(suffix);
    if (at != std::string::npos && at != 0) return function.substr(0, at);
  }
  return function;
}

}  // namespace

std::string Place::text() const {
  if (module.empty()) return hexadecimal(offset);
  const std::string in = function.empty() ? "" : without_suffix(function);
  if (line != 0) {
    return file_name(file) + ":" + std::to_string(line) + (in.empty() ? "" : " (" + in + ")");
  }
  if (!in.empty()) return in + " (" + file_name(module) + ")";
  return file_name(module) + "+" + hexadecimal(offset);
}

std::string Place::text_within(size_t width) const {
  std::string whole = text();
  if (whole.size() <= width) return whole;
  if (line != 0 || function.empty()) return whole.substr(0, width);
  const std::string name = file_name(module);
  const std::string in = " (" + name.substr(0, name.find('.')) + ")";
  if (in.size() >= width) return whole.substr(0, width);
  const std::string short_name = without_suffix(function);
  const size_t room = std::min(width - in.size(), short_name.size());
  return short_name.substr(short_name.size() - room) + in;
}

std::vector<Place> places_of_calls(const std::vector<CodeAddress>& returns) {
  std::vector<Place> places(returns.size());
  std::map<std::string, std::vector<Place*>> by_module;
  for (size_t i = 0; i < returns.size(); i++) {
    places[i].module = returns[i].module.string();
    places[i].offset = returns[i].offset;
    if (!places[i].module.empty()) by_module[places[i].module].push_back(&places[i]);
  }
  for (const auto& [module, of_module] : by_module) {
    std::error_code error;
    // A damaged recording may name a pipe, on which a reader would wait.
    if (std::filesystem::is_regular_file(module, error)) PlacesOfFile(module, of_module);
  }
  return places;
}

}  // namespace bobbin::insight
