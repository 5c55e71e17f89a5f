// SPDX-License-Identifier: Apache-2.0
// declare reduction and declare induction.
#include <algorithm>

#include "lower/translation/constructs.h"
#include "print/layout.h"

namespace bobbin::translate {
namespace {

// The expression with omp_out and the like as the parameters, which are pointers.
std::string with_parameters(const Translation& translation, const Span& span) {
  std::string text;
  size_t at = span.begin;
  for (const Token& token :
       tokenize(translation.source.text(), span.begin, span.end, HashLines::Ignore)) {
    const std::string word(translation.source(token));
    text.append(translation.source.text(), at, token.begin - at);
    at = token.end;
    const bool is_parameter = word == "omp_out" || word == "omp_in" || word == "omp_priv" ||
                              word == "omp_orig" || word == "omp_var";
    text += is_parameter ? "(*" + word + ")" : word;
  }
  return text;
}

// `initializer` as the words after `T private_copy`; nothing: it is a call, or there is none.
std::string initial_value(const Translation& translation, const Span& span) {
  const std::string& text = translation.source.text();
  const std::vector<Token> tokens = tokenize(text, span.begin, span.end, HashLines::Ignore);
  if (tokens.size() < 3 || translation.source(tokens[0]) != "omp_priv" ||
      translation.source(tokens[1]) != "=") {
    return "";
  }
  return with_parameters(translation, {tokens[2].begin, span.end, 0, 0});
}

bool names_original(const Translation& translation, const Span& span) {
  const std::vector<Token> tokens =
      tokenize(translation.source.text(), span.begin, span.end, HashLines::Ignore);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const Token& one) { return translation.source(one) == "omp_orig"; });
}

Type type_of(const Translation& translation, size_t number, size_t i) {
  const auto probed = translation.program.probed.find(
      std::string(kProbeName) + "_" + std::to_string(number) + "_" + std::to_string(i));
  if (probed != translation.program.probed.end()) return probed->second;
  const Directive& directive = translation.directives[number];
  throw Refusal{directive.begin, "'" + directive.row->name + "' stands where it is not supported"};
}

std::string name_of(Translation& translation, const Directive& directive, const char* prefix) {
  const Position at = translation.source.position(directive.begin);
  const bool is_word = is_identifier_start(directive.name.front());
  return translation.names.unique(prefix + (is_word ? directive.name : std::string("operator")) +
                                  "_" + std::to_string(at.line));
}

// The functions stand in place of the directive, or before the function that it is in. Those of a
// structure that is defined later stand behind its definition.
std::string place(Translation& translation, const Directive& directive, Type type,
                  const std::string& text) {
  const size_t defined = translation.types.end_of_definition(type);
  if (defined > directive.probe_begin) {
    const size_t end = translation.words_of_declaration(defined).back().end;
    Translation::Edit& edit = translation.edits[end];
    edit.end = end;
    edit.text += std::string("\n") + kGenerated + text + kUsers + translation.users_marker(end);
    return ";";
  }
  const auto& functions = translation.program.functions;
  const bool in_function =
      std::any_of(functions.begin(), functions.end(), [&](const Function& one) {
        return directive.probe_begin >= one.body.begin && directive.probe_begin < one.body.end;
      });
  if (!in_function) return text;
  translation.before_function(text + "\n");
  return ";";
}

}  // namespace

std::string lower_declared_induction(Translation& translation, size_t number) {
  const Directive& directive = translation.directives[number];
  const Types& types = translation.types;
  std::string text;
  for (size_t i = 0; i < directive.types.size(); i += 2) {
    const std::string name = name_of(translation, directive, "induction_");
    const DeclaredInduction made{directive.name, type_of(translation, number, i),
                                 type_of(translation, number, i + 1), name, name + "_closed"};
    const std::string collect = name + "_collect";
    const std::string step = types.declare(made.step_type, "omp_step", Types::Const::Drop);
    const std::string var = types.declare(made.type, "omp_var", Types::Const::Drop);
    const std::string attributes = "__attribute__((unused)) static ";
    const std::string idx = "unsigned long long omp_idx";
    const std::string one =
        "\n" + attributes + "void " + made.induct + "(" +
        types.declare_pointer(made.type, "omp_var") + ", " + step + ") {\n  (void)omp_step;\n  " +
        with_parameters(translation, directive.inductor) + ";\n}\n" + attributes +
        types.declare(made.step_type, collect + "(" + step + ", " + idx + ")", Types::Const::Drop) +
        " {\n  (void)omp_step, (void)omp_idx;\n  return " +
        with_parameters(translation, directive.collector) + ";\n}\n" + attributes +
        types.declare(made.type, made.closed + "(" + var + ", " + step + ", " + idx + ")",
                      Types::Const::Drop) +
        " {\n  " + made.induct + "(&omp_var, " + collect +
        "(omp_step, omp_idx));\n  return omp_var;\n}\n";
    translation.inductions.push_back(made);
    text += place(translation, directive, made.type, one);
  }
  return text;
}

std::string lower_declared_reduction(Translation& translation, size_t number) {
  const Directive& directive = translation.directives[number];
  std::string text;
  for (size_t i = 0; i < directive.types.size(); ++i) {
    const Types& types = translation.types;
    DeclaredReduction made;
    made.name = directive.name;
    made.type = type_of(translation, number, i);
    const std::string name = name_of(translation, directive, "reduction_");
    made.combine = name + "_combine";
    made.initialize = name + "_initialize";
    made.reads_original =
        directive.initializer && names_original(translation, *directive.initializer);
    const std::string attributes = "__attribute__((unused)) static void ";
    std::string one = "\n" + attributes + made.combine + "(" +
                      types.declare_pointer(made.type, "omp_out") + ", " +
                      types.declare_pointer(made.type, "omp_in") + ") {\n  (void)omp_in;\n  " +
                      with_parameters(translation, directive.combiner) + ";\n}\n";
    one += attributes + made.initialize + "(" + types.declare_pointer(made.type, "omp_priv") +
           ", " + types.declare_pointer(made.type, "omp_orig") + ") {\n  (void)omp_orig;\n";
    const std::string initial =
        directive.initializer ? initial_value(translation, *directive.initializer) : "";
    if (directive.initializer && initial.empty()) {
      one += "  " + with_parameters(translation, *directive.initializer) + ";\n";
    } else {
      // Without an initializer as if it were static (section 5.5.5.7).
      const std::string value = translation.names.free("value");
      one += "  " + types.declare(made.type, value, Types::Const::Drop) + " = " +
             (directive.initializer ? initial : "{0}") + ";\n  *omp_priv = " + value + ";\n";
    }
    one += "}\n";
    translation.reductions.push_back(made);
    text += place(translation, directive, made.type, one);
  }
  return text;
}

}  // namespace bobbin::translate
