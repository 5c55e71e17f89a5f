// SPDX-License-Identifier: Apache-2.0
#include "driver/translate.h"

#include <cstdio>

#include "choose/expand.h"
#include "directives/depth.h"
#include "directives/parser.h"
#include "directives/split.h"
#include "lex/diagnostics.h"
#include "lower/constructs/variant_calls.h"
#include "lower/translation/implied.h"
#include "lower/translation/translation.h"
#include "print/layout.h"
#include "render/render.h"
#include "sema/depths.h"
#include "sema/parse.h"
#include "sema/probe.h"

namespace bobbin::translate {
namespace {

// The text has no directives any more that choose others.
std::optional<std::string> translate_chosen(const std::string& text,
                                            const std::vector<std::string>& language,
                                            const std::vector<std::string>& features,
                                            Markers markers, Colours colours) {
  const Source source(text);
  Diagnostics diagnostics;
  std::vector<Directive> directives = read_directives(source, diagnostics);
  check_depth(source, directives, diagnostics);
  if (diagnostics.any()) {
    render(source, diagnostics, colours);
    return std::nullopt;
  }
  if (directives.empty()) return text;
  check_openmp(source, directives, language, diagnostics);
  std::string out;
  if (!diagnostics.any()) {
    const Probe probe(source, directives);
    Program program = parse_probe(probe, language, diagnostics);
    if (!diagnostics.any()) read_depths(program, directives, diagnostics);
    if (!diagnostics.any()) {
      Translation translation(source, probe, directives, program, diagnostics);
      apply_rules(translation, directives, diagnostics);
      split_clauses(source, directives, diagnostics);
      find_variants(translation, features, diagnostics);
      translation.make_parts();
      out = translation.run(markers);
    }
  }
  if (diagnostics.any()) {
    render(source, diagnostics, colours);
    return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<std::string> translate(const std::string& preprocessed,
                                     const std::vector<std::string>& language,
                                     const std::vector<std::string>& features, Markers markers,
                                     Colours colours) {
  if (preprocessed.find_first_of({kGenerated, kUsers, kBreak}) != std::string::npos) {
    std::fputs("bobbin translate: the source contains the control character 1, 2 or 3\n", stderr);
    return std::nullopt;
  }
  const std::optional<std::string> chosen = expand(preprocessed, features, colours);
  if (!chosen) return std::nullopt;
  return translate_chosen(*chosen, language, features, markers, colours);
}

}  // namespace bobbin::translate
