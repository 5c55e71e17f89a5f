// SPDX-License-Identifier: Apache-2.0
#include "compile/inline_parts.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "processes/captured_run.h"

namespace bobbin::cli {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

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

// For code of the target for which it was compiled: everything in it is inlined, or it cannot be
// linked. And for code of several targets: what does not fit is called.
constexpr const char* kGnuCode = "gomp.o";
constexpr const char* kGnuCodeOfAnyTarget = "gomp_any.o";

// gcc's pass ipa-reference takes a call of the runtime and an atomic operation for operations that
// write no variable of the program's. So a variable is not read again after a call of a function
// that contains no more than a barrier. Only with LTO does this reach functions that are visible
// outside of their file. Each function keeps the option in its LTO data.
constexpr const char* kRereadVariables = "-fno-ipa-reference";

std::vector<Part> parts_of(CompilerKind kind) {
  if (kind == CompilerKind::Gnu) {
    return {{"gomp.c", kGnuCode, {"-flto", kRereadVariables}},
            {"gomp.c", kGnuCodeOfAnyTarget, {"-flto", kRereadVariables, "-DBOBBIN_MAY_STAY_CALLS"}},
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

void add_options(const fs::path& folder, CompilerKind kind, const char* unused,
                 InlineParts& parts) {
  if (kind == CompilerKind::Gnu) {
    // With code beside what LTO needs, so that every tool can use the objects.
    parts.to_compile = {"-flto=auto", "-ffat-lto-objects", kRereadVariables};
  } else {
    const char* frontend = kind == CompilerKind::Flang ? "-Xflang" : "-Xclang";
    parts.to_compile = {frontend, "-mlink-builtin-bitcode", frontend, (folder / "kmp.bc").string()};
  }
  // Files are given to the linker, because gcc would warn if it does not link.
  parts.to_link = {"-Wl,--export-dynamic-symbol=bobbin_self_v1"};
  for (const Part& part : parts_of(kind)) {
    const std::string_view output = part.output;
    if (output.ends_with(".o") && output != unused)
      parts.to_link.push_back("-Wl," + (folder / output).string());
  }
}

// Empty, or why not.
std::string make_parts(const Compiler& compiler, const Words& target, const fs::path& sources,
                       const fs::path& folder) {
  for (const Part& part : parts_of(compiler.kind)) {
    Words words = {c_compiler(compiler), "-x", "c", "-std=c11", "-O2", "-fPIC", "-fexceptions"};
    words.insert(words.end(), part.options.begin(), part.options.end());
    words.insert(words.end(), target.begin(), target.end());
    words.insert(words.end(),
                 {"-c", (sources / part.source).string(), "-o", (folder / part.output).string()});
    const Outcome outcome = captured_run(words);
    if (outcome.failed()) {
      return "it does not compile " + std::string(part.source) + ": " + first_error(outcome.said);
    }
  }
  return "";
}

// A program with a task, in the compiler's language.
struct Sample {
  const char* file;
  const char* text;
};

Sample sample_for(CompilerKind kind) {
  if (kind == CompilerKind::Flang) {
    return {"sample.f90", "!$omp task\ncontinue\n!$omp end task\nend program\n"};
  }
  return {"sample.c", "int main(void) {\n#pragma omp task\n  ;\n  return 0;\n}\n"};
}

// Builds a small program with the parts. There is no other way to find out that a compiler or a
// linker is too old or incomplete. Returns why the program could not be built; empty: it was built.
std::string try_parts(const Compiler& compiler, const Words& target, const fs::path& folder) {
  const Sample sample = sample_for(compiler.kind);
  const fs::path source = folder / sample.file;
  std::ofstream(source) << sample.text;
  InlineParts parts;
  add_options(folder, compiler.kind, kGnuCodeOfAnyTarget, parts);
  Words words = {compiler.path.string(), "-O1", "-fopenmp"};
  if (compiler.kind != CompilerKind::Flang) words.insert(words.end(), {"-x", "c"});
  Words options = parts.to_compile;
  options.insert(options.end(), parts.to_link.begin(), parts.to_link.end());
  options = without_warnings(compiler.kind, std::move(options));
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), target.begin(), target.end());
  words.push_back(source.string());
  words.insert(words.end(), {"-o", (folder / "sample").string()});
  const Outcome outcome = captured_run(words);
  std::error_code error;
  fs::remove(source, error);
  fs::remove(folder / "sample", error);
  if (!outcome.failed()) return "";
  return "it cannot build a program with inlined tasks: " + first_error(outcome.said);
}

bool is_complete(const fs::path& folder, CompilerKind kind) {
  const std::vector<Part> parts = parts_of(kind);
  std::error_code error;
  return std::all_of(parts.begin(), parts.end(),
                     [&](const Part& part) { return fs::exists(folder / part.output, error); });
}

// Makes them in a folder of its own, which gets its name when it is complete.
std::string fill_cache(const Compiler& compiler, const Words& target, const fs::path& sources,
                       const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  std::string own = folder.string() + ".XXXXXX";
  if (mkdtemp(own.data()) == nullptr) {
    return "cannot write to " + folder.parent_path().string();
  }
  std::string problem = make_parts(compiler, target, sources, own);
  if (problem.empty()) problem = try_parts(compiler, target, own);
  if (problem.empty()) {
    // Another process may have been faster. A folder that lost files has to make room.
    if (!is_complete(folder, compiler.kind)) fs::remove_all(folder, error);
    fs::rename(own, folder, error);
    if (!is_complete(folder, compiler.kind)) problem = "cannot write " + folder.string();
  }
  fs::remove_all(own, error);
  return problem;
}

}  // namespace

Words without_warnings(CompilerKind kind, Words options) {
  if (kind == CompilerKind::Clang) {
    options.insert(options.begin(), "--start-no-unused-arguments");
    options.push_back("--end-no-unused-arguments");
  }
  return options;
}

InlineParts find_inline_parts(const Installation& installation, const Compiler& compiler,
                              const GnuCode& code) {
  InlineParts parts;
  std::error_code error;
  if (compiler.kind == CompilerKind::Unknown) {
    parts.problem = "it is none of gcc, clang and flang";
    return parts;
  }
  for (const Part& part : parts_of(compiler.kind)) {
    const fs::path source = installation.inline_sources / part.source;
    if (fs::exists(source, error)) continue;
    parts.problem = "there is no " + source.string();
    return parts;
  }
  if (!fs::exists(c_compiler(compiler), error)) {
    parts.problem = "there is no " + c_compiler(compiler);
    return parts;
  }
  const fs::path cache = cache_folder();
  if (cache.empty()) {
    parts.problem = "neither XDG_CACHE_HOME nor HOME names a folder";
    return parts;
  }
  uint64_t key = hashed(c_compiler(compiler) + compiler.version, 0xcbf29ce484222325);
  for (const char* header :
       {"critical.h", "layout.h", "loop.h", "task.h", "taskgroup.h", "worksharing.h"}) {
    key = hashed(contents(installation.inline_sources / header), key);
  }
  for (const Part& part : parts_of(compiler.kind)) {
    key = hashed(contents(installation.inline_sources / part.source), key);
    for (const std::string& option : part.options) key = hashed(option + " ", key);
  }
  for (const std::string& option : code.options) key = hashed(option + " ", key);
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(key));
  const fs::path folder = cache / name.data();
  if (!is_complete(folder, compiler.kind)) {
    parts.problem = fill_cache(compiler, code.options, installation.inline_sources, folder);
    if (!parts.problem.empty()) return parts;
  }
  // Only where all of the program's code has the target of the parts must it be inlined.
  std::set<LtoTarget> targets = code.targets;
  targets.merge(lto_targets_in(folder / kGnuCode));
  const bool is_one = targets.size() <= 1;
  add_options(folder, compiler.kind, is_one ? kGnuCodeOfAnyTarget : kGnuCode, parts);
  return parts;
}

}  // namespace bobbin::cli
