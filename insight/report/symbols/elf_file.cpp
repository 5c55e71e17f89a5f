// SPDX-License-Identifier: Apache-2.0
#include "insight/report/symbols/elf_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace bobbin::insight {

ElfFile::ElfFile(const std::filesystem::path& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0 || elf_version(EV_CURRENT) == EV_NONE) return;
  elf_ = elf_begin(file_, ELF_C_READ_MMAP, nullptr);
  if (elf_ == nullptr || elf_kind(elf_) == ELF_K_ELF) return;
  elf_end(elf_);
  elf_ = nullptr;
}

ElfFile::~ElfFile() {
  elf_end(elf_);
  if (file_ >= 0) close(file_);
}

std::string_view ElfFile::section(std::string_view name) const {
  size_t names = 0;
  if (elf_ == nullptr || elf_getshdrstrndx(elf_, &names) != 0) return {};
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf_, section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* found = elf_strptr(elf_, names, header.sh_name);
    if (found == nullptr || name != found) continue;
    if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0) return {};
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

}  // namespace bobbin::insight
