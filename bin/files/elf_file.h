// SPDX-License-Identifier: Apache-2.0
// ELF files, as the dynamic linker sees them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct Elf;

namespace bobbin::cli {

struct DynamicSymbol {
  std::string name;
  std::string version;  // the version that it is bound to or defined under; empty: none
  bool defined;
  bool weak;
};

// What the dynamic linker looks at in an ELF file, read through libelf.
class ElfFile {
 public:
  // nullopt if the file cannot be read or is no ELF file.
  static std::optional<ElfFile> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  int elf_class() const { return class_; }
  int machine() const { return machine_; }
  bool is_executable_type() const;

  // For files that the kernel can start: does it ask for a dynamic linker?
  bool has_interpreter() const { return has_interpreter_; }
  // Is it not made to be started? (A program linked with -static-pie has no interpreter, either.)
  bool is_shared_library() const;
  bool has_dynamic_section() const { return has_dynamic_; }

  const std::string& soname() const { return soname_; }
  const std::vector<std::string>& needed() const { return needed_; }
  const std::string& rpath() const { return rpath_; }
  const std::string& runpath() const { return runpath_; }

  std::vector<DynamicSymbol> dynamic_symbols() const;

  // Looks in the full symbol table too, where statically linked code shows unless stripped.
  bool defines_in_any_table(std::string_view name) const;

  // Looks in the read-only data of the program, where its texts are.
  bool contains_constant(std::string_view bytes) const;

 private:
  struct ElfCloser {
    void operator()(Elf* elf) const;
  };
  struct FileCloser {
    int fd = -1;
    explicit FileCloser(int descriptor) : fd(descriptor) {}
    FileCloser(const FileCloser&) = delete;
    FileCloser& operator=(const FileCloser&) = delete;
    ~FileCloser();
  };

  ElfFile() = default;
  bool read_headers();
  void read_dynamic_section();
  std::vector<std::string> version_names() const;

  std::filesystem::path path_;
  std::unique_ptr<FileCloser> file_;
  std::unique_ptr<Elf, ElfCloser> elf_;
  int class_ = 0;
  int machine_ = 0;
  int type_ = 0;
  bool has_interpreter_ = false;
  bool has_dynamic_ = false;
  bool is_pie_ = false;
  std::string soname_;
  std::string rpath_;
  std::string runpath_;
  std::vector<std::string> needed_;
};

// "64-bit x86-64" and the like, for messages.
std::string describe_architecture(int elf_class, int machine);

// The architecture for which this command, and so the library beside it, was built.
int native_elf_class();
int native_machine();

}  // namespace bobbin::cli
