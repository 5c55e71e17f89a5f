// SPDX-License-Identifier: Apache-2.0
// bobbin-translate: one file of C with OpenMP directives to one without. `bobbin translate` and
// `bobbin cc --translate` call it.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "driver/headers.h"
#include "driver/options.h"
#include "driver/preprocess.h"
#include "driver/translate.h"
#include "print/includes.h"
#include "sema/crash.h"

namespace bobbin::translate {
namespace {

bool write(const std::string& file, const std::string& text) {
  const bool to_stdout = file.empty() || file == "-";
  std::FILE* out = to_stdout ? stdout : std::fopen(file.c_str(), "w");
  bool is_written = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (out != nullptr)
    is_written = (to_stdout ? std::fflush(out) : std::fclose(out)) == 0 && is_written;
  if (!is_written) {
    std::fprintf(stderr, "bobbin translate: cannot write %s: %s\n",
                 to_stdout ? "the output" : file.c_str(), std::strerror(errno));
  }
  return is_written;
}

int run(const std::vector<std::string>& words) {
  const Options options = read_options(words);
  if (!options.problem.empty()) {
    std::fprintf(stderr, "bobbin translate: %s (see bobbin translate --help)\n",
                 options.problem.c_str());
    return 125;
  }
  const Preprocessed preprocessed = preprocess(options.compiler, options.header, options.input);
  if (!preprocessed.problem.empty()) {
    std::fprintf(stderr, "bobbin translate: %s\n", preprocessed.problem.c_str());
  }
  if (preprocessed.status != 0) return preprocessed.status;
  std::optional<std::string> out = translate(preprocessed.text, language_options(options.compiler),
                                             processor_features(options.compiler), options.markers,
                                             colours_of(options.compiler));
  if (out && !options.self_contained) *out = include_headers(options, preprocessed.text, *out);
  if (out && options.markers == Markers::None) *out = without_markers(*out);
  return out && write(options.output, *out) ? 0 : 1;
}

}  // namespace
}  // namespace bobbin::translate

int main(int argc, char** argv) {
  int status = 125;
  bobbin::translate::run_on_large_stack([&] {
    try {
      status = bobbin::translate::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bobbin translate: this is a fault of the translator's (%s)\n",
                   error.what());
    }
  });
  return status;
}
