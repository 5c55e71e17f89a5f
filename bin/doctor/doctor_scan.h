// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/elf_file.h"
#include "files/library_search.h"
#include "files/mpi_library.h"
#include "files/openmp_library.h"

namespace bobbin::cli {

// Which compilers emit calls of a symbol.
enum class Abi { Gnu, Llvm, Either };
Abi abi_of(std::string_view symbol);

// What becomes of an OpenMP library in a process that `bobbin run` started.
enum class Fate {
  Bobbin,      // it is Bobbin: in use without `bobbin run`, too
  Displaced,   // requested by a preloaded name: never loaded
  Interposed,  // loaded under a name of its own, but every symbol binds to Bobbin first
};

struct OpenMpLibrary {
  std::filesystem::path path;
  std::string requested_as;
  Vendor vendor = Vendor::None;
  Fate fate = Fate::Interposed;
  std::set<std::filesystem::path> requesters;
};

struct SymbolNeed {
  std::string name;
  std::string version;
  bool weak = false;
  bool served = false;
  std::string other;  // the library that serves it, when that is not Bobbin
  auto operator<=>(const SymbolNeed&) const = default;
};

std::set<Abi> abis_of(const std::set<SymbolNeed>& needs);

struct Findings {
  size_t objects_examined = 0;
  std::map<std::filesystem::path, OpenMpLibrary> libraries;
  std::map<std::filesystem::path, std::set<SymbolNeed>> needs;  // by the object that needs them
  std::set<std::filesystem::path> static_copies;  // objects with a libgomp of their own inside
  std::set<std::filesystem::path> inlined;        // objects built by `bobbin cc` and its like
  // The name of a library, and the object that needs it. None of those that load the object brings
  // the library, either: they may find it by a DT_RPATH of their own.
  std::set<std::pair<std::string, std::filesystem::path>> missing;
  const MpiLibrary* mpi = nullptr;  // that it needs, if any

  bool mixes_abis() const;
  bool uses_openmp() const {
    return !libraries.empty() || !needs.empty() || !static_copies.empty();
  }
  bool all_served() const;
  // Every OpenMP library that it would load without `bobbin run` is Bobbin.
  bool runs_on_bobbin_by_itself() const;
};

// Collects findings over any number of roots.
class DoctorScan {
 public:
  // `bobbin_library` is libbobbin.so.1; its exports tell which symbols are served.
  explicit DoctorScan(const std::filesystem::path& bobbin_library);

  // False when the file is no ELF file for this architecture.
  bool add_root(const std::filesystem::path& path, const std::filesystem::path& main_program);

  // Every shared library in a directory, or below it, each as something a program may dlopen.
  enum class Depth { Top, All };
  void add_directory(const std::filesystem::path& directory,
                     const std::filesystem::path& main_program, Depth depth);

  const Findings& findings() const { return findings_; }

 private:
  static void list_libraries(const std::filesystem::path& directory, Depth depth,
                             std::vector<std::filesystem::path>& found);
  void add_closure(const LoadClosure& closure);
  void note_missing(const LoadClosure& closure);
  void examine(const ElfFile& file, Vendor vendor, const LoadClosure& closure);
  static std::string definer(const DynamicSymbol& wanted, const LoadClosure& closure);
  bool serves(const DynamicSymbol& symbol) const;

  LibrarySearch search_;
  std::map<std::string, std::set<std::string>> served_;  // versions by name
  std::map<std::filesystem::path, Vendor> examined_;
  std::set<std::pair<std::string, std::filesystem::path>> found_by_loader_;
  Findings findings_;
};

bool is_openmp_symbol(const std::string& name);

}  // namespace bobbin::cli
