// SPDX-License-Identifier: Apache-2.0
#include "driver/headers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "driver/preprocess.h"
#include "print/includes.h"

namespace bobbin::translate {
namespace {

namespace fs = std::filesystem;

// A file without a name, which programs that are started can read.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::string& text) : file_(memfd_create("translation", 0)) {
    is_written_ =
        file_ >= 0 && ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile() {
    if (file_ >= 0) close(file_);
  }

  bool is_written() const { return is_written_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
  bool is_written_ = false;
};

// The compiler's options bring headers that no line of the file names.
bool includes_by_option(const std::vector<std::string>& compiler) {
  return std::any_of(compiler.begin(), compiler.end(), [](const std::string& word) {
    return word.starts_with("-include") || word.starts_with("-imacros") ||
           word.starts_with("--include") || word.starts_with("--imacros");
  });
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool reads_the_same(const Options& options, const std::string& with_includes,
                    const std::string& translation) {
  const UnnamedFile file(with_includes);
  if (!file.is_written()) return false;
  std::vector<std::string> compiler = options.compiler;
  compiler.push_back("-iquote" + fs::absolute(options.input).parent_path().string());
  compiler.push_back("-I" + fs::path(options.header).parent_path().parent_path().string());
  compiler.push_back("-isystem" + openmp_headers(options.header));
  const Preprocessed again = preprocess(compiler, "", file.path());
  return again.status == 0 && essence(again.text) == essence(translation);
}

}  // namespace

std::string include_headers(const Options& options, const std::string& preprocessed,
                            const std::string& translation) {
  if (!fs::exists(options.input) || options.header.empty() ||
      includes_by_option(options.compiler)) {
    return translation;
  }
  const std::optional<std::string> found = restore_includes(translation, preprocessed, text_of);
  if (found && reads_the_same(options, *found, translation)) return *found;
  std::fputs("bobbin translate: the text of the headers stays, because a macro would change it\n",
             stderr);
  return translation;
}

}  // namespace bobbin::translate
