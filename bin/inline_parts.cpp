// SPDX-License-Identifier: Apache-2.0
#include "inline_parts.h"

#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>

#include "shell_words.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// What the command prints on stdout and stderr. `failed`: it did not exit with 0.
std::string output_of(const Words& words, bool& failed) {
  std::string command = "LC_ALL=C";
  for (const std::string& word : words) command += " " + shell_quoted(word);
  command += " 2>&1 </dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  failed = true;
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 4096> buffer{};
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  failed = pclose(pipe) != 0;
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// FNV-1a: names a file in a cache, and nothing depends on who could forge it.
uint64_t hashed(std::string_view text, uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path cache_folder() {
  const char* chosen = std::getenv("XDG_CACHE_HOME");
  if (chosen != nullptr && chosen[0] == '/') return fs::path(chosen) / "bobbin/inline";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return fs::path(home) / ".cache/bobbin/inline";
  return {};
}

struct Part {
  const char* source;
  const char* output;
  Words options;
};

std::vector<Part> parts_of(CompilerKind kind) {
  if (kind == CompilerKind::Gnu) {
    return {{"gomp.c", "gomp.o", {"-flto"}},
            {"entries.c", "entries.o", {"-fno-lto"}},
            {"self.c", "self.o", {"-fno-lto"}}};
  }
  return {{"kmp.c", "kmp.bc", {"-emit-llvm"}}, {"self.c", "self.o", {}}};
}

// flang compiles no C, but its clang lies beside it.
std::string c_compiler(const Compiler& compiler) {
  if (compiler.kind != CompilerKind::Flang) return compiler.path.string();
  std::error_code error;
  const fs::path real = fs::canonical(compiler.path, error);
  return (real.parent_path() / "clang").string();
}

// Empty, or why not.
std::string make_parts(const Compiler& compiler, const fs::path& sources, const fs::path& folder) {
  for (const Part& part : parts_of(compiler.kind)) {
    Words words = {c_compiler(compiler), "-x", "c", "-std=c11", "-O2", "-fPIC", "-fexceptions"};
    words.insert(words.end(), part.options.begin(), part.options.end());
    words.insert(words.end(),
                 {"-c", (sources / part.source).string(), "-o", (folder / part.output).string()});
    bool failed = false;
    const std::string said = output_of(words, failed);
    if (failed) return "it does not compile " + std::string(part.source) + ": " + first_line(said);
  }
  return "";
}

// Makes them in a folder of its own, which gets its name when it is complete.
std::string fill_cache(const Compiler& compiler, const fs::path& sources, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  std::string own = folder.string() + ".XXXXXX";
  if (mkdtemp(own.data()) == nullptr) {
    return "cannot write to " + folder.parent_path().string();
  }
  std::string problem = make_parts(compiler, sources, own);
  if (problem.empty()) {
    fs::rename(own, folder, error);
    // It may fail because another process was faster.
    if (error && !fs::exists(folder)) problem = "cannot write " + folder.string();
  }
  fs::remove_all(own, error);
  return problem;
}

}  // namespace

Compiler look_at_compiler(const fs::path& path) {
  Compiler compiler;
  compiler.path = path;
  bool failed = false;
  compiler.version = output_of({path.string(), "--version"}, failed);
  if (failed) return compiler;
  const std::string line = first_line(compiler.version);
  const auto says = [&](const char* word) { return line.find(word) != std::string::npos; };
  if (says("flang")) {
    compiler.kind = CompilerKind::Flang;
  } else if (says("clang")) {
    compiler.kind = CompilerKind::Clang;
  } else if (compiler.version.find("Free Software Foundation") != std::string::npos) {
    compiler.kind = CompilerKind::Gnu;
  }
  return compiler;
}

InlineParts find_inline_parts(const Installation& installation, const Compiler& compiler) {
  InlineParts parts;
  if (compiler.kind == CompilerKind::Unknown) {
    parts.problem = "it is none of gcc, clang and flang";
    return parts;
  }
  const fs::path cache = cache_folder();
  if (cache.empty()) {
    parts.problem = "neither XDG_CACHE_HOME nor HOME names a folder";
    return parts;
  }
  uint64_t key = hashed(c_compiler(compiler) + compiler.version, 0xcbf29ce484222325);
  for (const char* header : {"layout.h", "task.h"}) {
    key = hashed(contents(installation.inline_sources / header), key);
  }
  for (const Part& part : parts_of(compiler.kind)) {
    key = hashed(contents(installation.inline_sources / part.source), key);
  }
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(key));
  const fs::path folder = cache / name.data();
  std::error_code error;
  if (!fs::exists(folder, error)) {
    parts.problem = fill_cache(compiler, installation.inline_sources, folder);
    if (!parts.problem.empty()) return parts;
  }
  if (compiler.kind == CompilerKind::Gnu) {
    // With code beside what LTO needs, so that every tool can use the objects.
    parts.to_compile = {"-flto=auto", "-ffat-lto-objects"};
  } else {
    const char* frontend = compiler.kind == CompilerKind::Flang ? "-Xflang" : "-Xclang";
    parts.to_compile = {frontend, "-mlink-builtin-bitcode", frontend, (folder / "kmp.bc").string()};
  }
  // Files are given to the linker, because the compiler would warn if it does not link.
  parts.to_link = {"-Wl,--export-dynamic-symbol=bobbin_self_v1"};
  for (const Part& part : parts_of(compiler.kind)) {
    const std::string_view output = part.output;
    if (output.ends_with(".o")) parts.to_link.push_back("-Wl," + (folder / output).string());
  }
  return parts;
}

}  // namespace bobbin::cli
