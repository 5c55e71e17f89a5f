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

#include "choose/expand.h"
#include "directives/parser.h"
#include "directives/split.h"
#include "driver/options.h"
#include "driver/preprocess.h"
#include "lex/diagnostics.h"
#include "lower/implied.h"
#include "lower/translation.h"
#include "lower/variant_calls.h"
#include "print/layout.h"
#include "sema/parse.h"
#include "sema/probe.h"

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

std::optional<std::string> translate(const std::string& text,
                                     const std::vector<std::string>& language,
                                     const std::vector<std::string>& features, bool continuations) {
  if (text.find_first_of({kGenerated, kUsers}) != std::string::npos) {
    std::fputs("bobbin translate: the source contains the control character 1 or 2\n", stderr);
    return std::nullopt;
  }
  const Source source(text);
  Diagnostics diagnostics(source);
  std::vector<Directive> directives = read_directives(source, diagnostics);
  if (diagnostics.any()) {
    diagnostics.print();
    return std::nullopt;
  }
  if (directives.empty()) return text;
  check_openmp(source, directives, language, diagnostics);
  std::string out;
  if (!diagnostics.any()) {
    const Probe probe(source, directives);
    Program program = parse_probe(probe, language, diagnostics);
    if (!diagnostics.any()) {
      Translation translation(source, probe, directives, program, diagnostics);
      apply_rules(translation, directives, diagnostics);
      split_clauses(source, directives, diagnostics);
      find_variants(translation, features, diagnostics);
      if (continuations) translation.make_resumable();
      out = translation.run();
    }
  }
  if (diagnostics.any()) {
    diagnostics.print();
    return std::nullopt;
  }
  return out;
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
  const std::vector<std::string> features = processor_features(options.compiler);
  const std::optional<std::string> chosen = expand(preprocessed.text, features);
  if (!chosen) return 1;
  const std::optional<std::string> out =
      translate(*chosen, language_options(options.compiler), features, options.continuations);
  return out && write(options.output, *out) ? 0 : 1;
}

}  // namespace
}  // namespace bobbin::translate

int main(int argc, char** argv) {
  try {
    return bobbin::translate::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bobbin translate: %s\n", error.what());
    return 125;
  }
}
