// SPDX-License-Identifier: Apache-2.0
#include "files/installation.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

namespace bobbin::cli {

namespace fs = std::filesystem;

std::optional<Installation> find_installation() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    std::fprintf(stderr, "bobbin: cannot read /proc/self/exe: %s\n", error.message().c_str());
    return std::nullopt;
  }
  const fs::path bin = self.parent_path();

  struct Layout {
    const char* library;
    const char* names;
    const char* data;
    const char* programs;
    const char* include;
    const char* translator;
  };
  // In both layouts the name libraries lie one directory below libbobbin.so.1: their RUNPATH is
  // $ORIGIN/..
  static constexpr Layout kLayouts[] = {
      {"../lib", "../lib/compat", "../share/bobbin", "../bench", "../include", "../bin"},
      {BOBBIN_BINDIR_TO_LIBDIR, BOBBIN_BINDIR_TO_LIBDIR "/bobbin",
       BOBBIN_BINDIR_TO_DATADIR "/bobbin", BOBBIN_BINDIR_TO_LIBEXECDIR "/bobbin/bench",
       BOBBIN_BINDIR_TO_INCLUDEDIR, BOBBIN_BINDIR_TO_LIBEXECDIR "/bobbin"},
  };
  for (const Layout& layout : kLayouts) {
    Installation found;
    found.command = self;
    found.library = (bin / layout.library / "libbobbin.so.1").lexically_normal();
    found.names = (bin / layout.names).lexically_normal();
    found.data = (bin / layout.data).lexically_normal();
    found.programs = (bin / layout.programs).lexically_normal();
    found.inline_sources = (bin / layout.include / "bobbin/inline").lexically_normal();
    found.native_header = (bin / layout.include / "bobbin/native_inline.h").lexically_normal();
    found.translator = (bin / layout.translator / "bobbin-translate").lexically_normal();
    found.posix_library = (bin / layout.library / "libbobbin-posix.a").lexically_normal();
    if (!fs::exists(found.library, error)) continue;
    if (std::all_of(kNameLibraries.begin(), kNameLibraries.end(), [&](const NameLibrary& library) {
          return fs::exists(found.names / library.file, error);
        })) {
      return found;
    }
  }
  std::fprintf(
      stderr,
      "bobbin: libbobbin.so.1 and its name libraries are not beside %s; the installation is "
      "incomplete\n",
      self.c_str());
  return std::nullopt;
}

}  // namespace bobbin::cli
