// SPDX-License-Identifier: Apache-2.0
#include "files/loaded_runtimes.h"

#include <fstream>
#include <optional>
#include <string_view>

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRecords = "loaded";

void read_record(const fs::path& file, std::map<fs::path, Vendor>& found) {
  constexpr std::string_view kInitialised = "calling init: ";
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const size_t at = line.find(kInitialised);
    if (at == std::string::npos) continue;
    const fs::path library = line.substr(at + kInitialised.size());
    if (vendor_by_name(library.filename().string()) == Vendor::None) continue;
    if (const std::optional<ElfFile> elf = ElfFile::open(library)) found[library] = vendor_of(*elf);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> variables_to_record_loading(
    const fs::path& folder) {
  return {{"LD_DEBUG", "files"}, {"LD_DEBUG_OUTPUT", folder / kRecords}};
}

std::map<fs::path, Vendor> loaded_runtimes(const fs::path& folder) {
  std::map<fs::path, Vendor> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().stem() == kRecords) read_record(entry.path(), found);
  }
  return found;
}

}  // namespace bobbin::cli
