// SPDX-License-Identifier: Apache-2.0
#include "sema/parse.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "sema/collect.h"
#include "sema/crash.h"

namespace bobbin::translate {
namespace {

// Collects errors only: warnings are the native compiler's. An error in a system header is not the
// user's: headers that were preprocessed for GCC call functions that only it knows, and the native
// compiler is the judge of them.
class Errors : public clang::DiagnosticConsumer {
 public:
  // to_source: the place in the source of a place in the text that is parsed.
  Errors(Diagnostics& diagnostics, std::function<size_t(size_t)> to_source)
      : diagnostics_(diagnostics), to_source_(std::move(to_source)) {}

  // NOLINTNEXTLINE(readability-identifier-naming): Clang's name
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level == clang::DiagnosticsEngine::Note) {
      if (is_kept_) diagnostics_.note(message_of(diagnostic));
      return;
    }
    // Arrays of variable length in firstprivate of a task, which Clang does not have.
    is_kept_ = level >= clang::DiagnosticsEngine::Error &&
               diagnostic.getID() != clang::diag::err_omp_variably_modified_type_not_supported &&
               !in_system_header(diagnostic);
    if (is_kept_) diagnostics_.error(message_of(diagnostic));
  }

 private:
  static bool in_system_header(const clang::Diagnostic& diagnostic) {
    return diagnostic.hasSourceManager() && diagnostic.getLocation().isValid() &&
           diagnostic.getSourceManager().isInSystemHeader(diagnostic.getLocation());
  }

  Refusal message_of(const clang::Diagnostic& diagnostic) const {
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    Refusal message = {to_source_(0), text.str().str()};
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return message;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const auto place = [&](clang::SourceLocation at) {
      return to_source_(sources.getFileOffset(sources.getExpansionLoc(at)));
    };
    message.offset = place(diagnostic.getLocation());
    for (const clang::CharSourceRange& range : diagnostic.getRanges()) {
      if (range.isInvalid()) continue;
      const size_t end = place(range.getEnd());
      message.ranges.push_back({place(range.getBegin()), range.isTokenRange() ? end + 1 : end});
    }
    return message;
  }

  Diagnostics& diagnostics_;
  std::function<size_t(size_t)> to_source_;
  bool is_kept_ = false;  // the last error: its notes follow
};

std::unique_ptr<clang::ASTUnit> parse(const std::string& text, std::vector<std::string> words,
                                      Errors& errors, Diagnostics& diagnostics) {
  // What Clang takes for an error, the native compiler may not: it is the judge of it. And types
  // that GCC has and Clang, as of version 19, does not.
  for (const char* word :
       {"-x", "c", "-w", "-ferror-limit=0", "-Wno-error=implicit-function-declaration",
        "-Wno-error=implicit-int", "-Wno-error=int-conversion", "-Wno-error=return-type",
        "-Wno-error=incompatible-function-pointer-types", "-D_Float128=__float128",
        "-D_Float32=float", "-D_Float64=double", "-D_Float32x=double", "-D_Float64x=long double"}) {
    words.emplace_back(word);
  }
  std::unique_ptr<clang::ASTUnit> unit;
  const bool is_whole = survives([&] {
    unit = clang::tooling::buildASTFromCodeWithArgs(
        text, words, "source.c", "bobbin-translate",
        std::make_shared<clang::PCHContainerOperations>(),
        clang::tooling::getClangStripDependencyFileAdjuster(),
        clang::tooling::FileContentMappings(), &errors);
  });
  // Clang crashes at some mistakes after it has reported them.
  if (!is_whole && !diagnostics.any()) {
    diagnostics.error(0, "Clang crashes at this text; is it nested too deeply?");
  }
  return unit;
}

// Clang 19 does not know these clauses, or takes them for an error: the deprecated
// linear(val(list)), reverse_offload, nogroup of target data, what scope has had since OpenMP 5.2,
// and in_reduction of combined target directives.
bool is_unknown_to_clang(const Directive& directive, const Clause& clause) {
  const bool is_of_error =
      clause.kind() == ClauseKind::Severity || clause.kind() == ClauseKind::Message;
  const bool has_argument = clause.kind() == ClauseKind::Nowait && clause.expression;
  return clause.row->since >= "6.0" || has_argument || clause.row->name == "reverse_offload" ||
         (is_of_error && directive.row->leaves.front() != Leaf::Error) ||
         (directive.row->leaves.front() == Leaf::TargetData &&
          clause.kind() == ClauseKind::Nogroup) ||
         (directive.row->leaves.front() == Leaf::Flush && clause.kind() == ClauseKind::SeqCst) ||
         (directive.row->leaves.front() == Leaf::Scope &&
          (clause.kind() == ClauseKind::Reduction || clause.kind() == ClauseKind::Firstprivate ||
           clause.kind() == ClauseKind::Allocate)) ||
         (directive.row->leaves.size() > 1 && directive.row->leaves.front() == Leaf::Target &&
          clause.kind() == ClauseKind::InReduction) ||
         (clause.kind() == ClauseKind::Linear && clause.word == "val");
}

// The attributes in prefer_type, of OpenMP 6.0; the modifiers of allocate and the lower bound of
// num_teams, of OpenMP 5.1; `saved` and `strict`, of OpenMP 6.0.
bool has_unknown_modifiers(const Clause& clause) {
  if (clause.modifiers.empty()) return false;
  const bool has_attributes =
      std::any_of(clause.modifiers.begin(), clause.modifiers.end(), [](const std::string& one) {
        return one.starts_with("prefer_type") && one.find('{') != std::string::npos;
      });
  return (clause.kind() == ClauseKind::Init && has_attributes) ||
         clause.kind() == ClauseKind::Firstprivate || clause.kind() == ClauseKind::Allocate ||
         ((clause.kind() == ClauseKind::NumTeams || clause.kind() == ClauseKind::NumThreads) &&
          clause.expression);
}

std::string text_of(const Source& source, const Span& span) {
  return source.text().substr(span.begin, span.end - span.begin);
}

void blank(std::string& text, size_t begin, size_t end) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(begin),
      text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
}

// The modifiers of init without prefer_type. If there are no others, it is refused later.
std::string types_of(const Clause& clause) {
  std::string types;
  for (const std::string& one : clause.modifiers) {
    if (!one.starts_with("prefer_type")) types += (types.empty() ? "" : ",") + one;
  }
  return types.empty() ? "target" : types;
}

// uses_allocators with modifiers as OpenMP 5.0 has it. There an allocator without traits is an
// error.
void write_old_form(const Source& source, const Clause& clause, std::string& text) {
  blank(text, clause.at, clause.end);
  if (!clause.expression) return;
  const std::string old = "uses_allocators(" + text_of(source, clause.items.front().base) + "(" +
                          text_of(source, *clause.expression) + "))";
  text.replace(clause.at, old.size(), old);
}

// The commas between modifiers of map, which Clang 19 wants and OpenMP 5.0 does not.
void separate_modifiers(const Clause& clause, std::string& text) {
  if (clause.kind() != ClauseKind::Map || clause.modifiers.empty()) return;
  const size_t argument = text.find('(', clause.at) + 1;
  // `self`, of OpenMP 6.0: all data of the host is in its place.
  if (std::find(clause.modifiers.begin(), clause.modifiers.end(), "self") !=
      clause.modifiers.end()) {
    return blank(text, argument, clause.items.front().base.begin);
  }
  const std::vector<Token> words =
      tokenize(text, argument, clause.items.front().base.begin, HashLines::Ignore);
  size_t depth = 0;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i].in(text);
    if (word == "(") ++depth;
    if (word == ")") --depth;
    const bool ends = depth == 0 && (word == ")" || words[i].kind == TokenKind::Identifier);
    if (ends && words[i + 1].kind == TokenKind::Identifier) text[words[i].end] = ',';
  }
}

// Directives that Clang 19 does not know, and those that need the loops that they generate.
void blank_unknown(std::string& text, const std::vector<Directive>& directives) {
  bool is_inner_unknown = false;
  for (size_t i = directives.size(); i-- > 0;) {
    const Directive& one = directives[i];
    const bool is_next =
        i + 1 < directives.size() && is_blank(text, one.end, directives[i + 1].begin);
    // Clang takes declare target with the deprecated `to` for an error.
    const bool is_old = one.row->leaves.front() == Leaf::DeclareTarget && one.has(ClauseKind::To);
    // Clang takes destroy without an argument for an error.
    const Clause* destroy = one.find(ClauseKind::Destroy);
    const bool is_destroy =
        one.row->leaves.front() == Leaf::Depobj && destroy != nullptr && destroy->items.empty();
    // Clang does not know reverse offload, and takes target in target for an error.
    const bool is_reverse =
        one.row->leaves.front() == Leaf::Requires &&
        std::all_of(one.clauses.begin(), one.clauses.end(), [](const Clause& clause) {
          return clause.row->name == "reverse_offload" || clause.row->since >= "6.0";
        });
    const Clause* device = one.find(ClauseKind::Device);
    const bool is_of_ancestor =
        device != nullptr && !device->modifiers.empty() && device->modifiers.front() == "ancestor";
    const bool is_unknown = one.row->since >= "6.0" || is_old || is_destroy || is_reverse ||
                            is_of_ancestor || one.row->name == "assume" ||
                            (is_inner_unknown && is_next && takes_loops(one.row->leaves.back()));
    if (is_unknown) blank(text, one.begin, one.end);
    // Clang 19 knows the names with blanks.
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(one.begin),
                 text.begin() + static_cast<std::ptrdiff_t>(one.name_end), '_', ' ');
    is_inner_unknown = is_unknown;
  }
}

}  // namespace

void check_openmp(const Source& source, const std::vector<Directive>& directives,
                  const std::vector<std::string>& options, Diagnostics& diagnostics) {
  std::string text = source.text();
  for (const Directive& directive : directives) {
    for (const Clause& clause : directive.clauses) {
      if (clause.construct_end != 0)
        blank(text, text.find('(', clause.at) + 1, clause.construct_end);
      if (clause.kind() == ClauseKind::UsesAllocators) {
        if (!clause.modifiers.empty()) write_old_form(source, clause, text);
      } else if (is_unknown_to_clang(directive, clause)) {
        blank(text, clause.at, clause.end);
      } else if (clause.kind() == ClauseKind::Map) {
        separate_modifiers(clause, text);
      } else if (has_unknown_modifiers(clause)) {
        const size_t begin =
            clause.items.empty() ? clause.expression->begin : clause.items.front().base.begin;
        const size_t argument = text.find('(', clause.at) + 1;
        blank(text, argument, begin);
        if (clause.kind() == ClauseKind::Init) {
          const std::string types = types_of(clause) + ":";
          text.replace(argument, types.size(), types);
        }
        if (clause.kind() == ClauseKind::Allocate && clause.expression) {
          const std::string allocator = text_of(source, *clause.expression) + ":";
          text.replace(argument, allocator.size(), allocator);
        }
      }
    }
  }
  blank_unknown(text, directives);
  Errors errors(diagnostics, [](size_t offset) { return offset; });
  std::vector<std::string> words = options;
  words.emplace_back("-fopenmp");
  words.emplace_back("-fopenmp-version=52");
  parse(text, std::move(words), errors, diagnostics);
}

Program parse_probe(const Probe& probe, const std::vector<std::string>& options,
                    Diagnostics& diagnostics) {
  Errors errors(diagnostics, [&](size_t offset) { return probe.to_source(offset); });
  std::shared_ptr<clang::ASTUnit> unit = parse(probe.text(), options, errors, diagnostics);
  if (unit == nullptr || diagnostics.any()) return {};
  Program program = collect(*unit);
  program.clang = std::move(unit);
  return program;
}

}  // namespace bobbin::translate
