// SPDX-License-Identifier: Apache-2.0
#include "insight/report/symbols.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>

#include "insight/report/elf_symbols.h"
#include "insight/report/program_output.h"

namespace bobbin::insight {
namespace {

std::string hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// They answer with two lines for each address: the function, and `file:line`.
std::optional<std::string> ask_for_lines(const std::string& module,
                                         const std::vector<uint64_t>& addresses) {
  static const std::vector<std::string> kPrograms[] = {
      {"addr2line", "-f", "-C"},
      {"llvm-symbolizer", "--output-style=GNU", "-f", "-C"},
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

// The instruction before the one to which the call returns.
uint64_t call_before(uint64_t address) { return address != 0 ? address - 1 : 0; }

void find_places(const std::string& module, const std::vector<Place*>& places) {
  const ElfSymbols symbols(module);
  std::vector<uint64_t> addresses;
  addresses.reserve(places.size());
  for (const Place* place : places)
    addresses.push_back(symbols.address_of(call_before(place->offset)));
  std::istringstream answer(ask_for_lines(module, addresses).value_or(""));
  for (size_t i = 0; i < places.size(); i++) {
    std::string function;
    std::string line;
    if (std::getline(answer, function) && std::getline(answer, line)) {
      if (!function.starts_with("??")) places[i]->function = function;
      read_line(line, *places[i]);
    }
    if (places[i]->function.empty()) places[i]->function = symbols.function_at(addresses[i]);
  }
}

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

std::vector<Place> places_of_calls(const std::vector<CodeAddress>& returns) {
  std::vector<Place> places(returns.size());
  std::map<std::string, std::vector<Place*>> by_module;
  for (size_t i = 0; i < returns.size(); i++) {
    places[i].module = returns[i].module.string();
    places[i].offset = returns[i].offset;
    if (!places[i].module.empty()) by_module[places[i].module].push_back(&places[i]);
  }
  for (const auto& [module, of_module] : by_module) find_places(module, of_module);
  return places;
}

}  // namespace bobbin::insight
