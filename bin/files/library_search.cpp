// SPDX-License-Identifier: Apache-2.0
#include "files/library_search.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

#if defined(__x86_64__)
constexpr const char* kMultiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr const char* kMultiarch = "aarch64-linux-gnu";
#else
constexpr const char* kMultiarch = "";
#endif

// The directories below `glibc-hwcaps` in a library directory that this processor may use, best
// first.
std::vector<std::string> usable_hwcaps() {
  std::vector<std::string> names;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4")) names.emplace_back("glibc-hwcaps/x86-64-v4");
  if (__builtin_cpu_supports("x86-64-v3")) names.emplace_back("glibc-hwcaps/x86-64-v3");
  if (__builtin_cpu_supports("x86-64-v2")) names.emplace_back("glibc-hwcaps/x86-64-v2");
#endif
  return names;
}

// The layout of glibc's ld.so.cache since 2.2 (dl-cache.h there). Entries of foreign architectures
// stay in; the function that opens a file compares.
struct CacheHeader {
  char magic[20];
  uint32_t entry_count;
  uint32_t string_bytes;
  uint8_t flags;
  uint8_t padding[3];
  uint32_t extension_offset;
  uint32_t unused[3];
};
struct CacheEntry {
  int32_t flags;
  uint32_t key;
  uint32_t value;
  uint32_t os_version;
  uint64_t hwcap;
};
static_assert(sizeof(CacheHeader) == 48 && sizeof(CacheEntry) == 24);
constexpr char kCacheMagic[] = "glibc-ld.so.cache1.1";

std::multimap<std::string, std::string> read_ld_so_cache(const char* path) {
  std::multimap<std::string, std::string> entries;
  std::ifstream stream(path, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  CacheHeader header;
  if (data.size() < sizeof header) return entries;
  std::memcpy(&header, data.data(), sizeof header);
  if (std::memcmp(header.magic, kCacheMagic, sizeof header.magic) != 0) return entries;
  const auto text_at = [&data](uint32_t offset) {
    return offset < data.size() ? std::string(data.c_str() + offset) : std::string();
  };
  for (uint32_t i = 0; i < header.entry_count; ++i) {
    const size_t at = sizeof header + size_t{i} * sizeof(CacheEntry);
    if (at + sizeof(CacheEntry) > data.size()) break;
    CacheEntry entry;
    std::memcpy(&entry, data.data() + at, sizeof entry);
    // Entries for processor variants are found through their directories instead.
    if (entry.hwcap == 0) entries.emplace(text_at(entry.key), text_at(entry.value));
  }
  return entries;
}

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// $ORIGIN, $LIB and $PLATFORM, with and without braces.
std::string expand_tokens(std::string text, const fs::path& object) {
  if (text.find('$') == std::string::npos) return text;
  std::error_code error;
  const fs::path real = fs::canonical(object, error);
  const std::string origin = (error ? object : real).parent_path().string();
  const std::string lib = kMultiarch[0] != '\0' ? std::string("lib/") + kMultiarch : "lib64";
  replace_all(text, "${ORIGIN}", origin);
  replace_all(text, "$ORIGIN", origin);
  replace_all(text, "${LIB}", lib);
  replace_all(text, "$LIB", lib);
#if defined(__x86_64__)
  replace_all(text, "${PLATFORM}", "x86_64");
  replace_all(text, "$PLATFORM", "x86_64");
#endif
  return text;
}

}  // namespace

LibrarySearch::LibrarySearch()
    : ld_so_cache_(read_ld_so_cache("/etc/ld.so.cache")), hwcaps_directories_(usable_hwcaps()) {
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) library_path_ = path;
}

std::shared_ptr<const ElfFile> LibrarySearch::open(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return nullptr;
  const auto [position, is_new] = opened_.try_emplace(real);
  if (is_new) {
    if (std::optional<ElfFile> file = ElfFile::open(real)) {
      position->second = std::make_shared<const ElfFile>(std::move(*file));
    }
  }
  return position->second;
}

std::shared_ptr<const ElfFile> LibrarySearch::open_matching(const fs::path& path,
                                                            const ElfFile& like) {
  std::shared_ptr<const ElfFile> file = open(path);
  const bool fits =
      file != nullptr && file->elf_class() == like.elf_class() && file->machine() == like.machine();
  return fits ? file : nullptr;
}

std::shared_ptr<const ElfFile> LibrarySearch::find_in_directory(const fs::path& directory,
                                                                const std::string& name,
                                                                const ElfFile& like) {
  for (const std::string& variant : hwcaps_directories_) {
    if (auto file = open_matching(directory / variant / name, like)) return file;
  }
  return open_matching(directory / name, like);
}

std::shared_ptr<const ElfFile> LibrarySearch::find_in_list(const std::string& list,
                                                           const std::string& name,
                                                           const ElfFile& origin) {
  if (list.empty()) return nullptr;
  std::string_view rest = list;
  for (;;) {
    const size_t end = rest.find_first_of(":;");
    const std::string entry = expand_tokens(std::string(rest.substr(0, end)), origin.path());
    if (auto file = find_in_directory(entry.empty() ? "." : entry, name, origin)) return file;
    if (end == std::string_view::npos) return nullptr;
    rest.remove_prefix(end + 1);
  }
}

std::shared_ptr<const ElfFile> LibrarySearch::find(const std::string& name,
                                                   const LoadedObject& requester,
                                                   const ElfFile* main_program) {
  const ElfFile& object = *requester.file;
  if (name.find('/') != std::string::npos) {
    return open_matching(expand_tokens(name, object.path()), object);
  }
  // DT_RPATH is inherited down the chain of loaders. It is ignored in an object that has
  // DT_RUNPATH.
  if (object.runpath().empty()) {
    for (const LoadedObject* at = &requester; at != nullptr; at = at->loader) {
      if (!at->file->runpath().empty()) continue;
      if (auto file = find_in_list(at->file->rpath(), name, *at->file)) return file;
    }
    if (main_program != nullptr && main_program->runpath().empty()) {
      if (auto file = find_in_list(main_program->rpath(), name, *main_program)) return file;
    }
  }
  if (auto file = find_in_list(library_path_, name, object)) return file;
  if (auto file = find_in_list(object.runpath(), name, object)) return file;
  const auto [first, last] = ld_so_cache_.equal_range(name);
  for (auto entry = first; entry != last; ++entry) {
    const fs::path path = entry->second;
    if (auto file = find_in_directory(path.parent_path(), path.filename(), object)) return file;
  }
  const std::string multiarch = kMultiarch;
  for (const std::string& directory :
       {"/lib/" + multiarch, "/usr/lib/" + multiarch, std::string("/lib64"),
        std::string("/usr/lib64"), std::string("/lib"), std::string("/usr/lib")}) {
    if (auto file = find_in_directory(directory, name, object)) return file;
  }
  return nullptr;
}

LoadClosure LibrarySearch::closure(const std::shared_ptr<const ElfFile>& root,
                                   const std::shared_ptr<const ElfFile>& main_program) {
  LoadClosure result;
  // ld.so does not search for a name under which something is loaded already.
  std::map<std::string, const LoadedObject*> known_names;
  std::map<fs::path, const LoadedObject*> known_files;
  const auto add = [&](std::shared_ptr<const ElfFile> file, const std::string& name,
                       const LoadedObject* loader) {
    if (const auto known = known_files.find(file->path()); known != known_files.end()) {
      known_names.emplace(name, known->second);
      return;
    }
    auto object = std::make_unique<LoadedObject>();
    object->file = std::move(file);
    object->requested_as = name;
    object->loader = loader;
    known_names.emplace(name, object.get());
    if (!object->file->soname().empty()) known_names.emplace(object->file->soname(), object.get());
    known_files.emplace(object->file->path(), object.get());
    result.objects.push_back(std::move(object));
  };
  add(root, root->path().string(), nullptr);
  for (size_t i = 0; i < result.objects.size(); ++i) {
    const LoadedObject* object = result.objects[i].get();
    for (const std::string& name : object->file->needed()) {
      if (known_names.contains(name)) continue;
      if (auto file = find(name, *object, main_program.get())) {
        add(std::move(file), name, object);
      } else {
        known_names.emplace(name, nullptr);
        result.missing.push_back({name, object->file->path()});
      }
    }
  }
  return result;
}

}  // namespace bobbin::cli
