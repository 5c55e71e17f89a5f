// SPDX-License-Identifier: Apache-2.0
#include "lower/translation/local_types.h"

#include <algorithm>
#include <map>

namespace bobbin::translate {
namespace {

// Constructs whose statement stays in the function.
bool stays(Leaf leaf) {
  switch (leaf) {
    case Leaf::For:
    case Leaf::Sections:
    case Leaf::Section:
    case Leaf::Masked:
    case Leaf::Critical:
    case Leaf::Atomic:
    case Leaf::Ordered:
    case Leaf::Taskgroup:
    case Leaf::Assume:
      return true;
    default:
      return false;
  }
}

class TypeMover {
 public:
  TypeMover(Translation& translation, const Function& function)
      : translation_(translation), program_(translation.program), function_(function) {}

  std::string run() {
    for (const size_t number : translation_.directives_in(function_.body)) note_directive(number);
    if (needed_.empty()) return "";
    note_what_they_need();
    rename();
    // In the order of the text, because one may need the one before.
    std::string out = forward_;
    for (const Extent& unit : units_) out += text_of(unit);
    for (const Extent& unit : units_) leave_out(unit);
    return out;
  }

 private:
  void note_directive(size_t number) {
    const Directive& directive = translation_.directives[number];
    const std::vector<Leaf>& leaves = directive.row->leaves;
    if (std::all_of(leaves.begin(), leaves.end(), stays)) return;
    const Extent extent = translation_.extent_of(number);
    const Site* site = translation_.site_of(number);
    const size_t statement = site != nullptr ? site->statement.begin : extent.end;
    note_names({extent.begin, extent.end}, statement);
    for (const Reference* one : translation_.references_in(extent)) {
      const Variable& variable = *one->variable;
      if (variable.is_global || variable.declared >= statement) continue;
      for (const void* declaration : translation_.types.local_types(variable.type)) {
        note(declaration);
      }
    }
  }

  // Types that are named in an extent and declared before an offset.
  void note_names(Extent extent, size_t before) {
    for (const LocalName& one : program_.local_names) {
      if (extent.contains(one.begin) && one.type->declared < before) note(*one.type);
    }
  }

  void note(const void* declaration) {
    for (const LocalType& one : program_.local_types) {
      if (one.declaration == declaration) note(one);
    }
  }

  void note(const LocalType& type) {
    if (program_.moved.contains(type.declaration)) return;
    if (!function_.body.contains(type.declared)) return;  // a parameter's: Closure refuses it
    if (translation_.types.is_computed_alias(type)) return;
    if (std::find(needed_.begin(), needed_.end(), &type) == needed_.end()) needed_.push_back(&type);
  }

  // A whole declaration, if it declares nothing but types, or what is between the braces of a tag.
  Extent unit_of(const LocalType& type) const {
    for (const TypeDeclaration& one : program_.type_declarations) {
      const Extent extent{one.begin, one.end};
      const size_t at = type.definition.end != 0 ? type.definition.begin : type.declared;
      if (extent.contains(at)) return extent;
    }
    return type.definition;
  }

  void note_what_they_need() {
    for (size_t i = 0; i < needed_.size(); ++i) {
      const Extent unit = unit_of(*needed_[i]);
      if (unit.end == 0) continue;  // it is declared and never defined
      units_.push_back(unit);
      note_names(unit, unit.end);
      for (const LocalType& one : program_.local_types) {
        if (unit.contains(one.declared)) note(one);
      }
      for (const Reference* one : translation_.references_in(unit)) {
        if (one->variable->is_global) continue;
        translation_.refuse(one->begin, "a region uses the type '" + needed_[i]->name +
                                            "' of the function around it, which depends on the "
                                            "variable '" +
                                            one->variable->name + "'");
      }
    }
    std::sort(units_.begin(), units_.end(), [](const Extent& a, const Extent& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    // Those that are parts of others go with them.
    size_t end = 0;
    std::erase_if(units_, [&](const Extent& one) {
      const bool is_part = one.begin < end;
      end = std::max(end, one.end);
      return is_part;
    });
  }

  void rename() {
    std::sort(needed_.begin(), needed_.end(),
              [](const LocalType* a, const LocalType* b) { return a->declared < b->declared; });
    for (const LocalType* type : needed_) {
      const std::string base =
          function_.name + "_" + (type->name.empty() ? type->keyword : type->name);
      const std::string name = translation_.names.unique(base);
      for (const LocalName& one : program_.local_names) {
        if (one.type == type) edit(one.begin, one.begin + type->name.size(), name);
      }
      if (type->kind == LocalType::Kind::Enumeration) {
        write_enumeration(*type, type->name.empty() ? before_braces(*type, name) : "");
      } else if (type->name.empty()) {
        edit(type->braces.begin, type->braces.begin, before_braces(*type, name));
      }
      if (type->definition.end == 0 && type->kind != LocalType::Kind::Alias) {
        forward_ += type->keyword + " " + name + ";\n";
      }
      translation_.move_to_file(*type, name);
      names_[type] = name;
    }
    // One that has only been announced in the function is announced to the file.
    for (const TypeDeclaration& one : program_.type_declarations) drop_announcement(one);
  }

  // A name for what has none.
  std::string before_braces(const LocalType& type, const std::string& name) const {
    return (translation_.probe.text()[type.braces.begin - 1] == ' ' ? "" : " ") + name + " ";
  }

  void edit(size_t begin, size_t end, const std::string& text) {
    translation_.edits[begin] = {end, text};
  }

  // `struct S;` would announce another type.
  void drop_announcement(const TypeDeclaration& declaration) {
    for (const LocalType* type : needed_) {
      const bool is_it =
          type->kind != LocalType::Kind::Alias && type->declared == declaration.begin;
      const bool has_definition =
          type->definition.end != 0 &&
          Extent{declaration.begin, declaration.end}.contains(type->definition.begin);
      if (is_it && !has_definition) edit(declaration.begin, declaration.end, ";");
    }
  }

  // Enumerators get names of the file's, too. Nobody uses them: their values stand in their places.
  void write_enumeration(const LocalType& type, const std::string& name) {
    std::string text = name + "{";
    for (const LocalType::Enumerator& one : type.enumerators) {
      text += text.ends_with("{") ? "" : ", ";
      text += translation_.names.unique(function_.name + "_" + one.name) + " = " + one.value;
    }
    edit(type.braces.begin, type.braces.end, text + "}");
    translation_.moved_enumerations.push_back(type.definition);
  }

  std::string text_of(const Extent& unit) const {
    Context context;
    context.outlined_from = unit.end;  // enumerators become values
    std::string text = translation_.marker(unit.begin) + translation_.render(unit, context);
    return text + (text.ends_with(";") ? "\n" : ";\n");
  }

  // Lines that are gone are left empty, so that the ones behind keep their numbers.
  void leave_out(const Extent& unit) {
    const std::string& text = translation_.probe.text();
    const auto at = [&](size_t offset) {
      return text.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    const std::string lines(static_cast<size_t>(std::count(at(unit.begin), at(unit.end), '\n')),
                            '\n');
    for (const TypeDeclaration& one : program_.type_declarations) {
      if (one.begin == unit.begin) return edit(unit.begin, unit.end, ";" + lines);
    }
    for (const LocalType* type : needed_) {
      if (type->definition.begin != unit.begin) continue;
      edit(unit.begin, unit.end, type->keyword + " " + names_[type] + lines);
    }
  }

  Translation& translation_;
  const Program& program_;
  const Function& function_;
  std::vector<const LocalType*> needed_;
  std::vector<Extent> units_;
  std::map<const LocalType*, std::string> names_;
  std::string forward_;
};

}  // namespace

std::string move_local_types(Translation& translation, const Function& function) {
  return TypeMover(translation, function).run();
}

}  // namespace bobbin::translate
