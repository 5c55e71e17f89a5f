// SPDX-License-Identifier: Apache-2.0
#include "directives/suggestion.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Frontend/OpenMP/OMP.h>

#include <algorithm>

#include "directives/compounds.h"

namespace bobbin::translate {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& words) {
  const llvm::StringRef wanted(word.data(), word.size());
  auto least = static_cast<unsigned>((word.size() + 2) / 3 + 1);
  std::string_view nearest;
  for (const std::string_view one : words) {
    const unsigned distance = wanted.edit_distance(llvm::StringRef(one.data(), one.size()));
    if (distance >= least) continue;
    least = distance;
    nearest = one;
  }
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

std::string did_you_mean_directive(std::string_view name) {
  std::vector<std::string_view> words;
  for (const DirectiveRow& row : directives()) words.emplace_back(row.name);
  return did_you_mean(name, words);
}

// Also a word with which the directive's name can go on.
std::string did_you_mean_clause(std::string_view name, const DirectiveRow& directive) {
  std::vector<std::string_view> words;
  for (const ClauseRow& row : clauses()) {
    const std::vector<ClauseKind>& taken = directive.clauses;
    if (std::find(taken.begin(), taken.end(), row.kind) != taken.end()) words.push_back(row.name);
  }
  for (const DirectiveRow& row : directives()) {
    if (!row.name.starts_with(directive.name + " ")) continue;
    const std::string_view rest = std::string_view(row.name).substr(directive.name.size() + 1);
    words.push_back(rest.substr(0, rest.find(' ')));
  }
  return did_you_mean(name, words);
}

bool is_misplaced(const ClauseRow& clause, const DirectiveRow& directive) {
  constexpr unsigned kVersions[] = {45, 50, 51, 52, 60};
  const llvm::omp::Directive place = llvm::omp::getOpenMPDirectiveKind(directive.name);
  const llvm::omp::Clause kind =
      llvm::omp::getOpenMPClauseKind(llvm::StringRef(clause.name.data(), clause.name.size()));
  if (place == llvm::omp::OMPD_unknown || kind == llvm::omp::OMPC_unknown) return false;
  return std::none_of(std::begin(kVersions), std::end(kVersions), [&](unsigned version) {
    return llvm::omp::isAllowedClauseForDirective(place, kind, version);
  });
}

}  // namespace bobbin::translate
