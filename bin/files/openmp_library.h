// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "files/elf_file.h"

namespace bobbin::cli {

// Whose OpenMP runtime a library is.
enum class Vendor { None, Gnu, Llvm, Intel, Bobbin };

// By the file's name, or the name that a program asks for.
Vendor vendor_by_name(std::string_view file_name);

// By the file. A library of Bobbin is known by its contents, because it has the names of others.
Vendor vendor_of(const ElfFile& file);

const char* vendor_name(Vendor vendor);

// Whether libgomp.a has been linked into the file, or its code is in it for another reason.
bool contains_libgomp(const ElfFile& file);

}  // namespace bobbin::cli
