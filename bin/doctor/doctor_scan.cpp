// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor_scan.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "files/installation.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// An entry point that no runtime of LLVM or Intel lacks.
constexpr const char* kKmpMark = "__kmpc_fork_call";
// What include/bobbin/inline/self.c defines.
constexpr const char* kInlinedMark = "bobbin_self_v1";

bool defines(const std::vector<DynamicSymbol>& symbols, std::string_view name) {
  return std::any_of(symbols.begin(), symbols.end(), [name](const DynamicSymbol& symbol) {
    return symbol.defined && symbol.name == name;
  });
}

bool looks_like_shared_library(const fs::path& path) {
  const std::string name = path.filename().string();
  const size_t at = name.rfind(".so");
  return at != std::string::npos && (at + 3 == name.size() || name[at + 3] == '.');
}

}  // namespace

bool is_openmp_symbol(const std::string& name) {
  static constexpr std::array<std::string_view, 9> kPrefixes = {
      "GOMP_", "omp_", "__kmpc_", "kmpc_", "kmp_", "ompt_", "GOACC_", "acc_", "__tgt_",
  };
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&name](std::string_view prefix) { return name.starts_with(prefix); });
}

Abi abi_of(std::string_view symbol) {
  if (symbol.starts_with("GOMP_")) return Abi::Gnu;
  if (symbol.starts_with("__kmpc_") || symbol.starts_with("kmp")) return Abi::Llvm;
  return Abi::Either;
}

std::set<Abi> abis_of(const std::set<SymbolNeed>& needs) {
  std::set<Abi> abis;
  for (const SymbolNeed& need : needs) abis.insert(abi_of(need.name));
  return abis;
}

bool Findings::mixes_abis() const {
  std::set<Abi> abis;
  for (const auto& [object, symbols] : needs) abis.merge(abis_of(symbols));
  return abis.contains(Abi::Gnu) && abis.contains(Abi::Llvm);
}

bool Findings::all_served() const {
  if (!static_copies.empty()) return false;
  for (const auto& [object, symbols] : needs) {
    for (const SymbolNeed& need : symbols) {
      if (!need.served && !need.weak) return false;
    }
  }
  return true;
}

bool Findings::runs_on_bobbin_by_itself() const {
  return all_served() && !libraries.empty() &&
         std::all_of(libraries.begin(), libraries.end(),
                     [](const auto& entry) { return entry.second.fate == Fate::Bobbin; });
}

DoctorScan::DoctorScan(const fs::path& bobbin_library) {
  if (const auto library = search_.open(bobbin_library)) {
    for (const DynamicSymbol& symbol : library->dynamic_symbols()) {
      if (symbol.defined) served_[symbol.name].insert(symbol.version);
    }
  }
}

bool DoctorScan::add_root(const fs::path& path, const fs::path& main_program) {
  const auto file = search_.open(path);
  if (file == nullptr || file->elf_class() != native_elf_class() ||
      file->machine() != native_machine()) {
    return false;
  }
  const auto program = main_program.empty() ? nullptr : search_.open(main_program);
  add_closure(search_.closure(file, program));
  return true;
}

// Skips what cannot be read, or vanishes meanwhile. (A recursive_directory_iterator ends at the
// first such directory.)
void DoctorScan::list_libraries(const fs::path& directory, Depth depth,
                                std::vector<fs::path>& found) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (depth == Depth::All && !entry->is_symlink(unknown)) {
        list_libraries(entry->path(), depth, found);
      }
    } else if (looks_like_shared_library(entry->path()) && entry->is_regular_file(unknown)) {
      found.push_back(entry->path());
    }
  }
}

void DoctorScan::add_directory(const fs::path& directory, const fs::path& main_program,
                               Depth depth) {
  std::vector<fs::path> found;
  list_libraries(directory, depth, found);
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found) add_root(path, main_program);
}

void DoctorScan::add_closure(const LoadClosure& closure) {
  if (findings_.mpi == nullptr) findings_.mpi = mpi_library_in(closure);
  for (const auto& object : closure.objects) {
    const ElfFile& file = *object->file;
    const auto [position, is_new] = examined_.try_emplace(file.path(), Vendor::None);
    if (is_new) {
      ++findings_.objects_examined;
      position->second = vendor_of(file);
      examine(file, position->second, closure);
    }
  }
  // Which objects ask for an OpenMP library, and by which name.
  for (const auto& object : closure.objects) {
    const Vendor vendor = examined_.at(object->file->path());
    // libbobbin.so.1 comes with each of its name libraries.
    const bool comes_with_another =
        object->loader == nullptr || examined_.at(object->loader->file->path()) == Vendor::Bobbin;
    if (vendor == Vendor::None || (vendor == Vendor::Bobbin && comes_with_another)) continue;
    const auto [position, is_new] = findings_.libraries.try_emplace(object->file->path());
    OpenMpLibrary& library = position->second;
    if (is_new || (library.requesters.empty() && object->loader != nullptr)) {
      library.path = object->file->path();
      library.vendor = vendor;
      library.requested_as = object->loader != nullptr ? object->requested_as
                                                       : object->file->path().filename().string();
      if (vendor == Vendor::Bobbin) {
        library.fate = Fate::Bobbin;
      } else if (std::any_of(kNameLibraries.begin(), kNameLibraries.end(),
                             [&](const NameLibrary& known) {
                               return known.name == library.requested_as;
                             })) {
        library.fate = Fate::Displaced;
      }
    }
    for (const auto& other : closure.objects) {
      const std::vector<std::string>& needed = other->file->needed();
      if (std::find(needed.begin(), needed.end(), object->requested_as) != needed.end()) {
        library.requesters.insert(other->file->path());
      }
    }
  }
  note_missing(closure);
}

void DoctorScan::note_missing(const LoadClosure& closure) {
  std::set<std::pair<std::string, fs::path>> missing;
  for (const MissingLibrary& one : closure.missing) missing.emplace(one.name, one.needed_by);
  for (const auto& object : closure.objects) {
    if (object->loader == nullptr) continue;  // nobody's DT_RPATH but its own
    for (const std::string& name : object->file->needed()) {
      const std::pair need(name, object->file->path());
      if (missing.contains(need)) continue;
      found_by_loader_.insert(need);
      findings_.missing.erase(need);
    }
  }
  for (const auto& need : missing) {
    if (!found_by_loader_.contains(need)) findings_.missing.insert(need);
  }
}

void DoctorScan::examine(const ElfFile& file, Vendor vendor, const LoadClosure& closure) {
  // An OpenMP library's own needs do not count.
  if (vendor != Vendor::None) return;
  const std::vector<DynamicSymbol> symbols = file.dynamic_symbols();
  bool needs_openmp = false;
  for (const DynamicSymbol& symbol : symbols) {
    if (symbol.defined || !is_openmp_symbol(symbol.name)) continue;
    needs_openmp = true;
    SymbolNeed need{symbol.name, symbol.version, symbol.weak, serves(symbol), {}};
    if (!need.served) {
      need.other = definer(symbol, closure);
      need.served = !need.other.empty();
    }
    findings_.needs[file.path()].insert(need);
  }
  if (defines(symbols, kInlinedMark)) findings_.inlined.insert(file.path());
  if (!needs_openmp && (contains_libgomp(file) || defines(symbols, kKmpMark))) {
    findings_.static_copies.insert(file.path());
  }
}

// Looks for a library that is no host runtime: libomptarget keeps its own device entry points.
std::string DoctorScan::definer(const DynamicSymbol& wanted, const LoadClosure& closure) {
  for (const auto& object : closure.objects) {
    if (vendor_of(*object->file) != Vendor::None) continue;
    for (const DynamicSymbol& symbol : object->file->dynamic_symbols()) {
      if (symbol.defined && symbol.name == wanted.name &&
          (wanted.version.empty() || symbol.version == wanted.version)) {
        return object->file->path().filename().string();
      }
    }
  }
  return {};
}

bool DoctorScan::serves(const DynamicSymbol& symbol) const {
  const auto found = served_.find(symbol.name);
  if (found == served_.end()) return false;
  // A reference without a version binds to the default version; LLVM has one version for all
  // symbols.
  return symbol.version.empty() || found->second.contains(symbol.version);
}

}  // namespace bobbin::cli
