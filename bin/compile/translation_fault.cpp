// SPDX-License-Identifier: Apache-2.0
#include "compile/translation_fault.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "processes/child.h"
#include "words/argument_array.h"

namespace bobbin::cli {
namespace {

bool is_accepted(std::vector<std::string> words) {
  words.emplace_back("-fsyntax-only");
  const std::vector<char*> arguments = argument_array(words);
  const ChildEnd end = run_as_child([&] {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execv(arguments[0], arguments.data());
    return errno;
  });
  return end.start_error == 0 && exit_code_of(end.wait_status) == 0;
}

}  // namespace

bool is_fault_of_translation(const std::vector<std::string>& compile, const TranslatedFile& file) {
  if (file.source == "-") return false;  // it has been read
  std::vector<std::string> source = compile;
  source.emplace_back("-fopenmp");
  if (!file.language.empty()) source.insert(source.end(), {"-x", file.language});
  source.push_back(file.source);
  std::vector<std::string> translation = compile;
  translation.insert(translation.end(), {"-fopenmp-simd", "-x", "cpp-output", file.translation});
  return is_accepted(source) && !is_accepted(translation);
}

}  // namespace bobbin::cli
