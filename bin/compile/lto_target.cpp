// SPDX-License-Identifier: Apache-2.0
#include "compile/lto_target.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <string_view>

namespace bobbin::cli {
namespace {

constexpr std::string_view kOptionsSection = ".gnu.lto_.opts";

std::string_view text_of(Elf_Scn* section) {
  const Elf_Data* data = elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

// `options`: words in single quotes, as gcc writes them. What is tuned for does not matter.
LtoTarget target_in(std::string_view options) {
  LtoTarget target;
  for (size_t begin = options.find('\''); begin != std::string_view::npos;) {
    const size_t end = options.find('\'', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view word = options.substr(begin + 1, end - begin - 1);
    if (word.starts_with("-m") && !word.starts_with("-mtune=")) {
      target.emplace_back(word);
    }
    begin = options.find('\'', end + 1);
  }
  return target;
}

void add_target_of(Elf* object, std::set<LtoTarget>& targets) {
  size_t names = 0;
  if (elf_kind(object) != ELF_K_ELF || elf_getshdrstrndx(object, &names) != 0) return;
  for (Elf_Scn* section = elf_nextscn(object, nullptr); section != nullptr;
       section = elf_nextscn(object, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(object, names, header.sh_name);
    if (name != nullptr && std::string_view(name).starts_with(kOptionsSection)) {
      targets.insert(target_in(text_of(section)));
    }
  }
}

}  // namespace

std::set<LtoTarget> lto_targets_in(const std::filesystem::path& file) {
  std::set<LtoTarget> targets;
  if (elf_version(EV_CURRENT) == EV_NONE) return targets;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return targets;
  Elf* whole = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  if (whole != nullptr && elf_kind(whole) == ELF_K_AR) {
    Elf_Cmd command = ELF_C_READ_MMAP;
    while (Elf* member = elf_begin(fd, command, whole)) {
      add_target_of(member, targets);
      command = elf_next(member);
      elf_end(member);
    }
  } else if (whole != nullptr) {
    add_target_of(whole, targets);
  }
  elf_end(whole);
  close(fd);
  return targets;
}

}  // namespace bobbin::cli
