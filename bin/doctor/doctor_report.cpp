// SPDX-License-Identifier: Apache-2.0
#include "doctor/doctor_report.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "files/installation.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

// Hundreds of modules may ask for a wheel's library.
constexpr size_t kNamesShown = 4;

std::string fate_text(const OpenMpLibrary& library) {
  switch (library.fate) {
    case Fate::Displaced:
      return "displaced: libbobbin.so.1 is loaded under this name instead";
    case Fate::Bobbin:
      return "it is Bobbin already, without `bobbin run`, too";
    case Fate::Interposed:
      break;
  }
  return "interposed: stays mapped under its own name, but every call goes to libbobbin.so.1";
}

std::string version_suffix(const SymbolNeed& need) {
  return need.version.empty() ? "" : "@" + need.version;
}

void print_libraries(const Findings& findings) {
  std::puts("\nOpenMP libraries it would load");
  if (findings.libraries.empty()) std::puts("  none");
  for (const auto& [path, library] : findings.libraries) {
    std::printf("  %s (%s)\n", library.requested_as.c_str(), vendor_name(library.vendor));
    std::printf("    found at   %s\n", path.c_str());
    std::string names;
    size_t shown = 0;
    for (const fs::path& requester : library.requesters) {
      if (shown == kNamesShown) {
        names += " and " + std::to_string(library.requesters.size() - shown) + " more";
        break;
      }
      names += (shown++ != 0 ? ", " : "") + requester.filename().string();
    }
    if (!names.empty()) std::printf("    needed by  %s\n", names.c_str());
    std::printf("    on Bobbin  %s\n", fate_text(library).c_str());
  }
  for (const fs::path& path : findings.static_copies) {
    std::printf("  a runtime linked statically into %s\n", path.c_str());
    std::puts("    on Bobbin  stays in use: nothing preloaded can replace it");
  }
}

// Which compiler made an object, as far as the symbols that it needs tell.
const char* compilers(const std::set<SymbolNeed>& symbols) {
  const std::set<Abi> abis = abis_of(symbols);
  const bool gnu = abis.contains(Abi::Gnu);
  const bool llvm = abis.contains(Abi::Llvm);
  if (gnu && llvm) return " (of several compilers)";
  if (gnu) return " (GCC's)";
  return llvm ? " (LLVM's or Intel's)" : "";
}

void print_symbols(const Findings& findings, SymbolListing listing) {
  if (findings.needs.empty()) return;
  std::puts("\nOpenMP symbols needed");
  for (const auto& [object, symbols] : findings.needs) {
    const auto served = std::count_if(symbols.begin(), symbols.end(),
                                      [](const SymbolNeed& need) { return need.served; });
    std::printf("  %s%s: %zu, served %zu\n", object.filename().c_str(), compilers(symbols),
                symbols.size(), static_cast<size_t>(served));
    for (const SymbolNeed& need : symbols) {
      if (need.served && listing == SymbolListing::MissingOnly) continue;
      const std::string other = need.other.empty() ? "" : " (by " + need.other + ")";
      std::printf("    %-10s %s%s%s%s\n", need.served ? "served" : "NOT SERVED", need.name.c_str(),
                  version_suffix(need).c_str(), other.c_str(),
                  need.weak ? " (weak: may be absent)" : "");
    }
  }
}

}  // namespace

void print_findings(const std::string& target, const Findings& findings, SymbolListing listing) {
  std::printf("%s: %zu ELF file%s examined\n", target.c_str(), findings.objects_examined,
              findings.objects_examined == 1 ? "" : "s");
  if (findings.uses_openmp()) {
    print_libraries(findings);
    print_symbols(findings, listing);
  }
  for (const fs::path& path : findings.inlined) {
    std::printf(
        "\nParts of the runtime are inlined into %s (bobbin cc, version 1). On another runtime "
        "than "
        "Bobbin it calls that one instead.\n",
        path.filename().c_str());
  }
  if (findings.mixes_abis()) {
    std::puts(
        "\nIt mixes code of GCC with code of LLVM's or Intel's compilers: on Bobbin both use one "
        "runtime and one pool of threads.");
  }
  if (findings.mpi != nullptr) {
    std::printf(
        "\nIt uses MPI (%s): with `mpirun ... bobbin run --mpi`, tasks that wait for messages do "
        "not "
        "block their threads.\n",
        std::string(findings.mpi->soname).c_str());
  }
  if (!findings.missing.empty()) {
    std::puts("\nLibraries not found (the program may bring them in another way)");
    std::string previous;
    for (const auto& [name, needed_by] : findings.missing) {
      if (std::exchange(previous, name) == name) continue;
      std::printf("  %s, needed by %s\n", name.c_str(), needed_by.filename().c_str());
    }
  }
  if (!findings.uses_openmp()) {
    std::puts(
        "It uses no OpenMP, as far as its libraries tell: nothing for Bobbin to do, unless it "
        "starts other programs or loads libraries while it runs.");
  } else if (findings.runs_on_bobbin_by_itself()) {
    std::puts("\nIt runs on Bobbin by itself: `bobbin run` is not needed.");
  } else if (findings.all_served()) {
    std::puts("\nBobbin serves all of it.");
  } else {
    std::puts("\nBobbin does not serve all of it.");
  }
}

}  // namespace bobbin::cli
