// SPDX-License-Identifier: Apache-2.0
#include "render/render.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/TextDiagnostic.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/users_text.h"

namespace bobbin::translate {
namespace {

using Level = clang::DiagnosticsEngine::Level;

constexpr size_t kMostErrors = 20;

bool has_colours(Colours colours) {
  if (colours != Colours::Terminal) return colours == Colours::Always;
  return llvm::sys::Process::StandardErrHasColors();
}

// Clang shares them among their users up to version 20.
#if CLANG_VERSION_MAJOR >= 21
using SharedOptions = std::unique_ptr<clang::DiagnosticOptions>;
clang::DiagnosticOptions& for_printer(const SharedOptions& options) { return *options; }
#else
using SharedOptions = llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions>;
clang::DiagnosticOptions* for_printer(const SharedOptions& options) { return options.get(); }
#endif

class Renderer {
 public:
  Renderer(const Source& source, bool colours)
      : source_(source),
        users_(source),
        holder_("none.c", ""),
        options_(new clang::DiagnosticOptions),
        printer_(llvm::errs(), language_, for_printer(options_)) {
    options_->ShowColors = colours;
    llvm::errs().enable_colors(colours);
  }

  void print(const Refusal& refusal, Level level) {
    std::optional<Expansion> expansion;
    const UsersPlace place = users_.place_of(refusal.offset, expansion);
    std::vector<clang::CharSourceRange> ranges;
    for (const Refusal::Range& one : refusal.ranges) add_range(one, ranges);
    if (ranges.empty()) ranges.push_back(range_of(place));
    emit(place, level, refusal.message, ranges);
    if (expansion) {
      emit(expansion->definition, Level::Note, "expanded from macro '" + expansion->macro + "'",
           {range_of(expansion->definition)});
    }
    for (const Refusal& note : refusal.notes) print(note, Level::Note);
  }

 private:
  void emit(const UsersPlace& place, Level level, const std::string& message,
            const std::vector<clang::CharSourceRange>& ranges) {
    printer_.emitDiagnostic(clang::FullSourceLoc(location(place), holder_.get()), level, message,
                            ranges, {});
  }

  // What came from a macro has no range of its own in the user's line.
  void add_range(const Refusal::Range& range, std::vector<clang::CharSourceRange>& ranges) {
    std::optional<Expansion> expansion;
    const UsersPlace first = users_.place_of(range.begin, expansion);
    const UsersPlace last = users_.place_of(last_word(range), expansion);
    if (expansion || first.file != last.file) return;
    ranges.push_back(clang::CharSourceRange::getCharRange(
        location(first), location(last).getLocWithOffset(static_cast<int>(last.length))));
  }

  size_t last_word(const Refusal::Range& range) const {
    const std::vector<Token> words =
        tokenize(source_.text(), range.begin, range.end, HashLines::Ignore);
    return words.empty() ? range.begin : words.back().begin;
  }

  clang::CharSourceRange range_of(const UsersPlace& place) {
    const clang::SourceLocation begin = location(place);
    return clang::CharSourceRange::getCharRange(
        begin, begin.getLocWithOffset(static_cast<int>(place.length)));
  }

  clang::SourceLocation location(const UsersPlace& place) {
    return holder_.get().translateLineCol(file(place.file), static_cast<unsigned>(place.line),
                                          static_cast<unsigned>(place.column));
  }

  clang::FileID file(const std::string& name) {
    if (const auto known = files_.find(name); known != files_.end()) return known->second;
    clang::SourceLocation included_at;
    if (const std::optional<size_t> includer = source_.includer(name)) {
      const Position at = source_.position(*includer);
      included_at = location({at.file, at.line, 1, 1});
    }
    const clang::FileID made = holder_.get().createFileID(
        llvm::MemoryBuffer::getMemBufferCopy(users_.file(name).text, name), clang::SrcMgr::C_User,
        0, 0, included_at);
    files_.emplace(name, made);
    return made;
  }

  const Source& source_;
  UsersText users_;
  clang::SourceManagerForFile holder_;
  std::map<std::string, clang::FileID> files_;
  clang::LangOptions language_;
  SharedOptions options_;
  clang::TextDiagnostic printer_;
};

}  // namespace

void render(const Source& source, const Diagnostics& diagnostics, Colours colours) {
  const std::vector<Refusal> errors = diagnostics.sorted();
  Renderer renderer(source, has_colours(colours));
  for (size_t i = 0; i < errors.size() && i < kMostErrors; ++i) {
    renderer.print(errors[i], Level::Error);
  }
  llvm::errs() << errors.size() << (errors.size() == 1 ? " error" : " errors") << " generated.\n";
}

}  // namespace bobbin::translate
