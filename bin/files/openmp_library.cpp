// SPDX-License-Identifier: Apache-2.0
#include "files/openmp_library.h"

namespace bobbin::cli {
namespace {

// An entry point that no libgomp lacks.
constexpr std::string_view kGnuMark = "GOMP_parallel";

// Texts of errors and settings that all versions of libgomp since 4.9 contain. No program with
// libgomp can be linked without them, and stripping leaves them. In the file each ends in a zero.
// Here none does, or this command would take itself for a program with a libgomp inside.
constexpr std::string_view kGnuMessages = "\nlibgomp: |GOMP_SPINCOUNT = '%lu'\n|";

// Wheels rename the libraries that they bundle: libgomp-a34b3233.so.1.0.0.
bool has_library_name(std::string_view file_name, std::string_view stem) {
  return file_name.starts_with(stem) && file_name.size() > stem.size() &&
         (file_name[stem.size()] == '.' || file_name[stem.size()] == '-');
}

bool contains_messages_of_libgomp(const ElfFile& file) {
  std::string_view rest = kGnuMessages;
  while (!rest.empty()) {
    const size_t end = rest.find('|');
    if (!file.contains_constant(std::string(rest.substr(0, end)) + '\0')) return false;
    rest.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

Vendor vendor_by_name(std::string_view file_name) {
  if (has_library_name(file_name, "libbobbin")) return Vendor::Bobbin;
  if (has_library_name(file_name, "libgomp")) return Vendor::Gnu;
  if (has_library_name(file_name, "libiomp5")) return Vendor::Intel;
  if (has_library_name(file_name, "libomp")) return Vendor::Llvm;
  return Vendor::None;
}

Vendor vendor_of(const ElfFile& file) {
  for (const std::string& needed : file.needed()) {
    // Each name library consists of little more than this.
    if (vendor_by_name(needed) == Vendor::Bobbin && vendor_by_name(file.soname()) != Vendor::None) {
      return Vendor::Bobbin;
    }
  }
  const Vendor by_file_name = vendor_by_name(file.path().filename().string());
  return by_file_name != Vendor::None ? by_file_name : vendor_by_name(file.soname());
}

const char* vendor_name(Vendor vendor) {
  switch (vendor) {
    case Vendor::Gnu:
      return "GNU";
    case Vendor::Llvm:
      return "LLVM";
    case Vendor::Intel:
      return "Intel";
    case Vendor::Bobbin:
      return "Bobbin";
    case Vendor::None:
      break;
  }
  return "";
}

bool contains_libgomp(const ElfFile& file) {
  return file.defines_in_any_table(kGnuMark) || contains_messages_of_libgomp(file);
}

}  // namespace bobbin::cli
