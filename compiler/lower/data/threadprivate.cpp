// SPDX-License-Identifier: Apache-2.0
// threadprivate: each declaration of the variable before the directive becomes thread-local. The
// threads of a region keep their copies, because Bobbin gives each OpenMP thread a block of
// thread-local storage.
#include <algorithm>
#include <set>

#include "lower/translation/constructs.h"
#include "lower/translation/declarators.h"

namespace bobbin::translate {
namespace {

constexpr const char* kThreadLocal = " _Thread_local ";

struct Listed {
  const Variable* variable;
  size_t at;  // in the source, where the directive names it
};

void list(const Translation& translation, const Directive& directive, std::vector<Listed>& found) {
  for (const Item& item : directive.items) {
    const std::string name =
        translation.source.text().substr(item.base.begin, item.base.end - item.base.begin);
    const Variable& named = translation.variable_of(item);
    const auto all = translation.program.globals.find(name);
    if (all == translation.program.globals.end()) {
      throw Refusal{item.base.begin,
                    "'" + name + "' is not a variable of the file or a static one"};
    }
    for (const Variable* one : all->second) {
      if (one->is_static && one != &named) continue;  // another function's
      if (named.is_static && one != &named) continue;
      if (!one->is_thread_local) found.push_back({one, item.base.begin});
    }
  }
}

bool contains(const std::vector<Listed>& all, const Variable* variable) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Listed& one) { return one.variable == variable; });
}

// What a declaration becomes of which the listed variables have been moved.
std::string declare_others(Translation& translation, const Declarators& declaration,
                           const std::vector<const Variable*>& together,
                           const std::vector<Listed>& all) {
  std::string text;
  for (size_t i = 0; i < together.size(); ++i) {
    if (contains(all, together[i])) continue;
    const std::string declarator = translation.render(declaration.variables[i], {});
    text += (text.empty() ? "" : " ") + declaration.storage + " " + declaration.specifiers +
            (declarator.starts_with(' ') ? "" : " ") + declarator + ";";
  }
  return text.empty() ? ";" : text;
}

// Outlined functions name it, so it becomes a variable of the file.
void move_static(Translation& translation, const Listed& listed, const std::vector<Listed>& all) {
  const Variable& variable = *listed.variable;
  const std::vector<const Variable*> together = declared_with(translation, variable);
  const Declarators declaration =
      read_declarators(translation, variable.declared, together.front()->named);
  if (declaration.variables.size() != together.size() || declaration.defines_type ||
      !translation.types.local_types(variable.type).empty()) {
    throw Refusal{listed.at, "'" + variable.name +
                                 "' is static and threadprivate, so its type must be one of the "
                                 "file's, and not be declared with it"};
  }
  const auto& functions = translation.program.functions;
  const auto function = std::find_if(functions.begin(), functions.end(), [&](const Function& one) {
    return variable.declared >= one.body.begin && variable.declared < one.body.end;
  });
  if (function == functions.end()) return;
  const std::string old = variable.name;
  const std::string name = translation.names.unique(function->name + "_" + old);
  const auto place = std::find(together.begin(), together.end(), &variable) - together.begin();
  const Extent extent = declaration.variables[static_cast<size_t>(place)];
  translation.moved_variables[function->all.begin] +=
      translation.marker(variable.named) + "static" + kThreadLocal + declaration.specifiers + " " +
      translation.render({extent.begin, variable.named}, {}) + name +
      translation.render({variable.named + old.size(), extent.end}, {}) + ";\n";
  translation.move_to_file(variable, name);
  // Where the others name a variable that has been moved, they need its new name.
  translation.edits[declaration.begin] = {declaration.end,
                                          declare_others(translation, declaration, together, all)};
}

void make_thread_local(Translation& translation, const Listed& listed,
                       const std::vector<Listed>& all) {
  const std::vector<const Variable*> together = declared_with(translation, *listed.variable);
  const Declarators declaration =
      read_declarators(translation, listed.variable->declared, together.front()->named);
  const size_t place = declaration.behind_storage;
  if (contains(all, together.front())) translation.edits[place] = {place, kThreadLocal};
  if (together.size() == 1) return;
  if (declaration.defines_type || declaration.variables.size() != together.size()) {
    throw Refusal{listed.at, "'" + listed.variable->name +
                                 "' is threadprivate, so it needs a declaration of its own"};
  }
  // Each gets a declaration of its own, so that not all of them become thread-local.
  for (size_t i = 1; i < together.size(); ++i) {
    const size_t comma = declaration.variables[i - 1].end;
    const std::string blank = translation.probe.text()[comma + 1] == ' ' ? "" : " ";
    translation.edits[comma] = {comma + 1, "; " + declaration.storage +
                                               (contains(all, together[i]) ? kThreadLocal : " ") +
                                               declaration.specifiers + blank};
  }
}

}  // namespace

void lower_threadprivate(Translation& translation, Diagnostics& diagnostics) {
  std::vector<Listed> all;
  const auto attempt = [&](const auto& step) {
    try {
      step();
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  };
  for (const Directive& directive : translation.directives) {
    if (directive.row->leaves.front() != Leaf::Threadprivate) continue;
    attempt([&] { list(translation, directive, all); });
  }
  for (const Listed& one : all) {
    attempt([&] {
      if (one.variable->is_static) {
        move_static(translation, one, all);
      } else {
        make_thread_local(translation, one, all);
      }
    });
  }
}

}  // namespace bobbin::translate
