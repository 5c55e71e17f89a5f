// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "compile/compiler_request.h"
#include "compile/compiler_words.h"
#include "compile/translate.h"
#include "compile/translated_objects.h"
#include "compile/translation_fault.h"
#include "compiler/driver/source_language.h"
#include "files/temporary_folder.h"
#include "processes/child.h"
#include "words/argument_array.h"
#include "words/exit_codes.h"
#include "words/shell_words.h"

namespace bobbin::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

bool starts_with_one_of(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return text.starts_with(start); });
}

// Has it a meaning only for the preprocessor? Such words are not for a preprocessed file.
bool is_for_preprocessor(const CompilerWord& word) {
  return starts_with_one_of(
      word.text, {"-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
                  "-iprefix", "-iwithprefix", "-isysroot", "-nostdinc", "-Wp,", "-Xpreprocessor",
                  "--include", "--imacros", "--define-macro", "--undefine-macro"});
}
bool writes_dependencies(const CompilerWord& word) {
  return word.text.starts_with("-M") && word.text != "-M" && word.text != "-MM";
}
bool is_for_linker(const CompilerWord& word) {
  return starts_with_one_of(word.text,
                            {"-l", "-L", "-Wl,", "-Xlinker", "-T", "-z", "-u", "-e", "-shared",
                             "-static", "-pie", "-no-pie", "-rdynamic", "-s"}) &&
         !word.text.starts_with("-std") && word.text != "-save-temps";
}
bool chooses_product(const CompilerWord& word) {
  return word.text == "-c" || word.text == "-S" || word.text == "-o" || word.text == "-x" ||
         word.text == "--compile" || word.text == "--assemble";
}
bool is_openmp(const CompilerWord& word) {
  return word.text == "-fopenmp" || word.text.starts_with("-fopenmp=") ||
         word.text == "-fno-openmp";
}

void append(Words& words, const CompilerWord& word) {
  words.push_back(word.text);
  if (!word.argument.empty()) words.push_back(word.argument);
}

class Compile {
 public:
  Compile(const Installation& installation, const TranslatedCompile& request)
      : installation_(installation),
        request_(request),
        words_(read_compiler_words(request.words)),
        product_(product_of(words_)) {
    for (const CompilerWord& word : words_) {
      if (word.text == "-o") output_ = word.argument;
      if (word.text == "-x") language_ = word.argument;
    }
  }

  int run() {
    if (product_ == Product::None || !compiles_openmp(words_)) return compile_as_it_is();
    if (folder_.path().empty()) {
      std::fprintf(stderr, "bobbin cc: cannot make a temporary folder: %s\n", std::strerror(errno));
      return kOwnFailure;
    }
    if (!has_translator(installation_)) return kOwnFailure;
    Words line = {request_.compiler.string()};
    const bool only_translated = !has_other_sources();
    for (const CompilerWord& word : words_) {
      if (word.is_input) {
        if (const int status = add_input(word.text, line); status != 0) return status;
      } else if (!is_openmp(word) && !writes_dependencies(word) && word.text != "-x" &&
                 !(only_translated && is_for_preprocessor(word))) {
        append(line, word);
      }
    }
    line.emplace_back("-fopenmp-simd");  // for the directives that the translator hands on
    if (look_at_compiler(request_.compiler).kind == CompilerKind::Clang) {
      line.emplace_back("-Wno-gnu-line-marker");
    }
    return finish(line, Need::Certain);
  }

 private:
  // Is Bobbin linked whatever the objects call?
  enum class Need : unsigned char { Possible, Certain };

  // Without OpenMP there is nothing to translate, as for `-E` and questions. What is linked may
  // have been translated before: CMake gives -fopenmp to compilations only.
  int compile_as_it_is() {
    Words line = {request_.compiler.string()};
    for (const CompilerWord& word : words_) append(line, word);
    language_is_set_ = !language_.empty();
    return finish(line, Need::Possible);
  }

  int finish(Words& line, Need need) {
    const bool links = product_ == Product::Program;
    const bool is_static = links_statically(words_);
    if (links && request_.posix_threads) {
      add_posix_library(line);
    } else if (links && !is_static) {
      add_library(line, need);
    }
    const int status = execute(line);
    if (status != 0) tell_of_own_fault();
    if (status != 0 && links && is_static && !request_.posix_threads) {
      std::fprintf(stderr,
                   "bobbin cc: Bobbin is a shared library; --threads=posix links what is "
                   "translated statically\n");
    }
    return status;
  }

  void tell_of_own_fault() const {
    Words compile = {request_.compiler.string()};
    for (const CompilerWord& word : words_) {
      if (word.is_input || is_for_linker(word) || chooses_product(word) || is_openmp(word) ||
          writes_dependencies(word)) {
        continue;
      }
      append(compile, word);
    }
    for (const TranslatedFile& one : translated_) {
      if (!is_fault_of_translation(compile, one)) continue;
      std::fprintf(stderr,
                   "bobbin cc: this is a fault of Bobbin's, not of %s: %s takes that file, and "
                   "refuses its translation. The messages name the lines of the directives. Please "
                   "report it\n",
                   one.source.c_str(), request_.compiler.filename().c_str());
    }
  }

  bool is_c(const std::string& input) const {
    if (!language_.empty() && language_ != "none") return language_ == "c";
    return fs::path(input).extension() == ".c";
  }
  bool is_other_source(const std::string& input) const {
    const std::string extension = fs::path(input).extension().string();
    return !is_c(input) && !translate::foreign_language(extension).name.empty();
  }
  bool has_other_sources() const {
    return std::any_of(words_.begin(), words_.end(), [&](const CompilerWord& word) {
      return word.is_input && is_other_source(word.text);
    });
  }

  // 0, or the status with which to end.
  int add_input(const std::string& input, Words& line) {
    if (!is_c(input)) {
      if (!language_.empty() && language_ != "none") {
        std::fprintf(stderr, "bobbin cc: --translate takes C only, not -x %s\n", language_.c_str());
        return kOwnFailure;
      }
      const auto foreign = translate::foreign_language(fs::path(input).extension().string());
      // Assembly language has no directives that would be lost.
      if (!foreign.name.empty() && foreign.name != "assembly language") {
        std::fprintf(stderr, "bobbin cc: --translate takes C only, and %s is %s: %s compiles it\n",
                     input.c_str(), std::string(foreign.name).c_str(),
                     std::string(foreign.command).c_str());
        return kOwnFailure;
      }
      add_as_named(input, line);
      return 0;
    }
    // Its name decides how the compiler names the object file.
    const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
    const fs::path folder = folder_.path() / std::to_string(++inputs_);
    std::error_code error;
    fs::create_directory(folder, error);
    const fs::path translated = folder / (stem + ".i");
    Words command = {installation_.translator.string(),
                     "--each-line-marked",
                     "--header",
                     installation_.native_header.string(),
                     input,
                     "-o",
                     translated.string(),
                     "--",
                     request_.compiler.string()};
    if (!language_.empty()) command.insert(command.end(), {"-x", language_});
    for (const CompilerWord& word : words_) {
      if (!word.is_input && !is_for_linker(word) && !chooses_product(word)) append(command, word);
    }
    add_dependency_names(stem, command);
    if (const int status = execute(command); status != 0) return status;
    for (const std::string& word :
         {std::string("-x"), std::string("cpp-output"), translated.string()}) {
      line.push_back(word);
    }
    language_is_set_ = true;
    translated_.push_back({input, language_, translated.string()});
    return 0;
  }

  // A file whose name tells what it is.
  void add_as_named(const std::string& file, Words& line) {
    if (language_is_set_) line.insert(line.end(), {"-x", "none"});
    language_is_set_ = false;
    line.push_back(file);
  }

  // -MD names its file and the rule's target after the output, which the preprocessor is not told.
  void add_dependency_names(const std::string& stem, Words& command) const {
    const auto has = [&](std::initializer_list<std::string_view> options) {
      return std::any_of(words_.begin(), words_.end(), [&](const CompilerWord& word) {
        return std::find(options.begin(), options.end(), word.text) != options.end();
      });
    };
    if (!has({"-MD", "-MMD"})) return;
    const bool is_object = product_ == Product::Object && !output_.empty();
    if (!has({"-MF"})) {
      const fs::path file =
          is_object ? fs::path(output_).replace_extension(".d") : fs::path(stem + ".d");
      command.insert(command.end(), {"-MF", file.string()});
    }
    if (!has({"-MT", "-MQ"})) {
      command.insert(command.end(), {"-MT", is_object ? output_ : stem + ".o"});
    }
  }

  void add_library(Words& line, Need need) {
    if (language_is_set_) line.insert(line.end(), {"-x", "none"});
    language_is_set_ = false;
    if (need == Need::Possible) line.emplace_back("-Wl,--push-state,--as-needed");
    const Words library = words_of_library(installation_);
    line.insert(line.end(), library.begin(), library.end());
    if (need == Need::Possible) line.emplace_back("-Wl,--pop-state");
  }

  // The user's own one, for another C library or processor, if a folder of -L has it.
  void add_posix_library(Words& line) {
    fs::path library = installation_.posix_library;
    for (const CompilerWord& word : words_) {
      if (!word.text.starts_with("-L")) continue;
      const std::string folder = word.text == "-L" ? word.argument : word.text.substr(2);
      std::error_code error;
      if (!fs::exists(fs::path(folder) / library.filename(), error)) continue;
      library = fs::path(folder) / library.filename();
      break;
    }
    add_as_named(library.string(), line);
    line.emplace_back("-pthread");
  }

  int execute(Words& line) const {
    if (request_.show) {
      std::string text;
      for (const std::string& word : line) text += (text.empty() ? "" : " ") + shell_quoted(word);
      std::fprintf(stderr, "%s\n", text.c_str());
    }
    const std::vector<char*> arguments = argument_array(line);
    const ChildEnd end = run_as_child([&] {
      execv(arguments[0], arguments.data());
      return errno;
    });
    if (end.start_error != 0) {
      std::fprintf(stderr, "bobbin cc: cannot start %s: %s\n", arguments[0],
                   std::strerror(end.start_error));
      return kCannotRun;
    }
    return exit_code_of(end.wait_status);
  }

  const Installation& installation_;
  const TranslatedCompile& request_;
  std::vector<CompilerWord> words_;
  Product product_;
  std::string output_;
  std::string language_;
  TemporaryFolder folder_;
  size_t inputs_ = 0;
  std::vector<TranslatedFile> translated_;
  bool language_is_set_ = false;
};

}  // namespace

int compile_translated(const Installation& installation, const TranslatedCompile& request) {
  return Compile(installation, request).run();
}

}  // namespace bobbin::cli
