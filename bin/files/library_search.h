// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/elf_file.h"

namespace bobbin::cli {

// An object in the order in which glibc's ld.so would load it.
struct LoadedObject {
  std::shared_ptr<const ElfFile> file;
  std::string requested_as;              // the DT_NEEDED string; the path for the first
  const LoadedObject* loader = nullptr;  // the first that asked for it
};

struct MissingLibrary {
  std::string name;
  std::filesystem::path needed_by;
};

struct LoadClosure {
  std::vector<std::unique_ptr<LoadedObject>> objects;
  std::vector<MissingLibrary> missing;
};

// Finds shared libraries as glibc's ld.so does (ld.so(8)): in DT_RPATH of the object and of those
// that loaded it, LD_LIBRARY_PATH, DT_RUNPATH of the object, /etc/ld.so.cache, and the default
// directories.
class LibrarySearch {
 public:
  LibrarySearch();

  // Opens through a cache; null if the file is no ELF file.
  std::shared_ptr<const ElfFile> open(const std::filesystem::path& path);

  // The object and all objects that its DT_NEEDED lead to, breadth first as in ld.so.
  // `main_program` is the program that would dlopen `root`; its DT_RPATH counts, too. It may be
  // null.
  LoadClosure closure(const std::shared_ptr<const ElfFile>& root,
                      const std::shared_ptr<const ElfFile>& main_program);

 private:
  std::shared_ptr<const ElfFile> find(const std::string& name, const LoadedObject& requester,
                                      const ElfFile* main_program);
  std::shared_ptr<const ElfFile> find_in_list(const std::string& list, const std::string& name,
                                              const ElfFile& origin);
  std::shared_ptr<const ElfFile> find_in_directory(const std::filesystem::path& directory,
                                                   const std::string& name, const ElfFile& like);
  std::shared_ptr<const ElfFile> open_matching(const std::filesystem::path& path,
                                               const ElfFile& like);

  std::map<std::filesystem::path, std::shared_ptr<const ElfFile>> opened_;
  std::multimap<std::string, std::string> ld_so_cache_;
  std::string library_path_;
  std::vector<std::string> hwcaps_directories_;
};

}  // namespace bobbin::cli
