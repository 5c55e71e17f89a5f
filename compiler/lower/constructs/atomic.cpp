// SPDX-License-Identifier: Apache-2.0
// atomic, by the compilers' own builtins. What the processor has no instructions for, and
// bit-fields, are done under a lock of the runtime's.
#include <algorithm>

#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

constexpr size_t kLargest = 8;

// Where the values go that an operation finds and makes; empty: nowhere.
struct Captures {
  std::string before;
  std::string after;
};

class AtomicMaker {
 public:
  AtomicMaker(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        directive_(construct.directive),
        context_(context),
        parts_(construct.site->assignments) {}

  std::string lower() {
    if (parts_.empty() || parts_.size() > 2) refuse();
    const bool compares = std::any_of(parts_.begin(), parts_.end(), [](const Assignment& one) {
      return !one.comparison.empty() || (one.inner != nullptr && !one.inner->comparison.empty());
    });
    if (compares != directive_.has(ClauseKind::Compare)) refuse();
    if (directive_.has(ClauseKind::Capture)) return lower_capture();
    if (parts_.size() != 1) refuse();
    const Assignment& one = parts_[0];
    if (directive_.has(ClauseKind::Read)) return lower_read(one);
    if (directive_.has(ClauseKind::Write)) return lower_write(one);
    return update(one, {});
  }

 private:
  [[noreturn]] void refuse() const {
    translation_.refuse(directive_, "this form of 'atomic' is not supported by bobbin translate");
  }

  std::string text(Extent extent) const { return translation_.render(extent, context_); }
  std::string name(const char* wanted) const { return translation_.names.free(wanted); }

  std::string order() const {
    if (directive_.has(ClauseKind::SeqCst)) return "bobbin_omp_seq_cst";
    if (directive_.has(ClauseKind::AcqRel)) return "bobbin_omp_acq_rel";
    if (directive_.has(ClauseKind::Acquire)) return "bobbin_omp_acquire";
    if (directive_.has(ClauseKind::Release)) return "bobbin_omp_release";
    if (directive_.has(ClauseKind::Relaxed)) return "bobbin_omp_relaxed";
    return "bobbin_omp_" + translation_.default_order;
  }
  // Loads do not release, stores do not acquire.
  std::string order_of_load() const {
    const std::string all = order();
    if (all == "bobbin_omp_acq_rel") return "bobbin_omp_acquire";
    return all == "bobbin_omp_release" ? "bobbin_omp_relaxed" : all;
  }
  std::string order_of_store() const {
    const std::string all = order();
    if (all == "bobbin_omp_acq_rel") return "bobbin_omp_release";
    return all == "bobbin_omp_acquire" ? "bobbin_omp_relaxed" : all;
  }
  std::string order_of_failure() const {
    const Clause* clause = directive_.find(ClauseKind::Fail);
    return clause != nullptr ? "bobbin_omp_" + clause->word : order_of_load();
  }
  // Before C17 no order of a failure could be stronger.
  std::string order_of_exchange() const {
    std::string all = order();
    std::string failure = order_of_failure();
    if (failure == "bobbin_omp_seq_cst") return failure;
    if (failure != "bobbin_omp_acquire") return all;
    if (all == "bobbin_omp_relaxed") return failure;
    return all == "bobbin_omp_release" ? "bobbin_omp_acq_rel" : all;
  }

  static bool is_locked(const Assignment& one) {
    return one.size == 0 || one.size > kLargest || (one.size & (one.size - 1)) != 0;
  }

  std::string locked(const std::string& statements) const {
    const std::string fence =
        order() == "bobbin_omp_seq_cst" ? "__atomic_thread_fence(bobbin_omp_seq_cst);\n" : "";
    return "{\n" + translation_.marker(directive_) + fence + "bobbin_omp_atomic_begin();\n" +
           statements + "bobbin_omp_atomic_end();\n" + fence + "}";
  }

  // The type of the object's value, which has no qualifiers.
  static std::string type_of(const Assignment& one, const std::string& object) {
    return one.size == 0 ? "__typeof__(+(" + object + "))"
                         : "__typeof__(((void)0, " + object + "))";
  }
  // A pointer to the object, evaluated once. A bit-field has no address.
  std::string target(const Assignment& one, const std::string& object) const {
    if (one.size == 0) return "";
    if (one.is_atomic) {
      return type_of(one, object) + " *const " + name("target") + " = (void *)&(" + object + ");\n";
    }
    return "__typeof__(" + object + ") *const " + name("target") + " = &(" + object + ");\n";
  }
  std::string at_target(const Assignment& one, const std::string& object) const {
    return one.size == 0 ? object : "*" + name("target");
  }

  // v = x
  std::string lower_read(const Assignment& one) const {
    if (one.inner != nullptr || !one.operation.empty()) refuse();
    Assignment object;
    object.size = one.value_size;
    object.is_atomic = one.value_is_atomic;
    const std::string value = text(one.value);
    const std::string copy = type_of(object, value) + " " + name("value") + ";\n";
    const std::string give = text(one.target) + " = " + name("value") + ";\n";
    if (is_locked(object)) {
      return "{\n" + copy + locked(name("value") + " = " + value + ";\n") + "\n" + give + "}";
    }
    const std::string address = object.is_atomic
                                    ? "(" + type_of(object, value) + " *)&(" + value + ")"
                                    : "&(" + value + ")";
    return "{\n" + copy + translation_.marker(directive_) + "__atomic_load(" + address + ", &" +
           name("value") + ", " + order_of_load() + ");\n" + give + "}";
  }

  // x = e
  std::string lower_write(const Assignment& one) const {
    if (one.inner != nullptr) refuse();
    const std::string object = text(one.target);
    const std::string value = value_of_write(one);
    const std::string copy = type_of(one, object) + " " + name("value") + " = " + value + ";\n";
    if (is_locked(one)) {
      return "{\n" + copy + locked(object + " = " + name("value") + ";\n") + "\n}";
    }
    const std::string address =
        one.is_atomic ? "(" + type_of(one, object) + " *)&(" + object + ")" : "&(" + object + ")";
    return "{\n" + copy + translation_.marker(directive_) + "__atomic_store(" + address + ", &" +
           name("value") + ", " + order_of_store() + ");\n}";
  }
  // An assignment that has the form of an update, too.
  std::string value_of_write(const Assignment& one) const {
    std::string operand = text(one.value);
    if (one.operation.empty()) return operand;
    const std::string object = text(one.target);
    return one.is_reversed ? operand + " " + one.operation + " " + object
                           : object + " " + one.operation + " " + operand;
  }

  // `const T name = value`, where the text of the value has another type.
  std::string constant(const char* wanted, Extent value) const {
    return "const __typeof__(((void)0, " + text(value) + ")) " + name(wanted) + " = " +
           text(value) + ";\n";
  }

  std::string update(const Assignment& one, const Captures& captures) const {
    if (!one.comparison.empty()) return update_if(one, captures);
    if (one.operation.empty() && captures.before.empty() && captures.after.empty()) refuse();
    const std::string object = text(one.target);
    const std::string old = name("before");
    const std::string fresh = name("after");
    const bool has_operand = one.value.begin != one.value.end;
    const std::string by = has_operand ? name("operand") : "1";
    std::string result = by;  // capture with `x = e`
    if (!one.operation.empty()) {
      result = one.is_reversed ? by + " " + one.operation + " " + old
                               : old + " " + one.operation + " " + by;
    }
    if (one.is_integer && !is_locked(one) && !one.is_reversed && !one.is_atomic &&
        !function_of(one).empty()) {
      return fetch(one, object, has_operand ? text(one.value) : "1", captures);
    }
    const std::string begin = "{\n" + target(one, object) +
                              (has_operand ? constant("operand", one.value) : "") +
                              type_of(one, object) + " " + old;
    const std::string given = give(captures.before, old) + give(captures.after, fresh);
    const std::string place = at_target(one, object);
    if (is_locked(one)) {
      // What a bit-field has no room for is cut off.
      const bool is_cut = one.size == 0 && !captures.after.empty();
      const std::string kept = is_cut ? fresh + " = " + place + ";\n" : "";
      return begin + ";\n" + type_of(one, object) + " " + fresh + ";\n" +
             locked(old + " = " + place + ";\n" + fresh + " = " + result + ";\n" + place + " = " +
                    fresh + ";\n" + kept) +
             "\n" + given + "}";
    }
    // A failed exchange reads the object, so it may not release.
    return begin + ", " + fresh + ";\n" + translation_.marker(directive_) + "__atomic_load(" +
           name("target") + ", &" + old + ", bobbin_omp_relaxed);\ndo " + fresh + " = " + result +
           ";\nwhile (!__atomic_compare_exchange(" + name("target") + ", &" + old + ", &" + fresh +
           ", 1, " + order() + ", " + order_of_load() + "));\n" + given + "}";
  }

  static std::string give(const std::string& to, const std::string& value) {
    return to.empty() ? "" : to + " = " + value + ";\n";
  }

  // The comparison is C's, so the object is read first. An exchange that fails has read it again.
  std::string update_if(const Assignment& one, const Captures& captures) const {
    const std::string object = text(one.target);
    const std::string old = name("before");
    const std::string fresh = name("after");
    const std::string operand = name("operand");
    const std::string changed = name("changed");
    const std::string condition = one.compares_reversed
                                      ? operand + " " + one.comparison + " " + old
                                      : old + " " + one.comparison + " " + operand;
    const bool needs_changed = !is_locked(one) || !captures.after.empty() ||
                               one.on_failure.end != 0 || one.outcome.end != 0;
    const std::string type = type_of(one, object);
    std::string out = "{\n" + target(one, object) + constant("operand", one.compared) + type + " " +
                      fresh + " = " + text(one.value) + ";\n" + type + " " + old + ";\n" +
                      (needs_changed ? "int " + changed + " = 0;\n" : "");
    const std::string place = at_target(one, object);
    if (is_locked(one)) {
      out += locked(old + " = " + place + ";\nif (" + condition + ") {\n" + place + " = " + fresh +
                    ";\n" + (needs_changed ? changed + " = 1;\n" : "") + "}\n") +
             "\n";
    } else {
      out += translation_.marker(directive_) + "__atomic_load(" + name("target") + ", &" + old +
             ", " + order_of_failure() + ");\nwhile (" + condition + " && !" + changed + ")\n" +
             changed + " = __atomic_compare_exchange(" + name("target") + ", &" + old + ", &" +
             fresh + ", 0, " + order_of_exchange() + ", " + order_of_failure() + ");\n";
    }
    out += give(captures.before, old);
    out += give(captures.after, changed + " ? " + fresh + " : " + old);
    if (one.on_failure.end != 0) out += "if (!" + changed + ") " + give(text(one.on_failure), old);
    if (one.outcome.end != 0) out += give(text(one.outcome), changed);
    return out + "}";
  }

  // The instruction that the processor may have for it.
  static std::string function_of(const Assignment& one) {
    if (one.operation == "+") return "add";
    if (one.operation == "-") return "sub";
    if (one.operation == "&") return "and";
    if (one.operation == "|") return "or";
    return one.operation == "^" ? "xor" : "";
  }
  std::string fetch(const Assignment& one, const std::string& object, const std::string& operand,
                    const Captures& captures) const {
    const std::string arguments = "(&(" + object + "), " + operand + ", " + order() + ");";
    if (!captures.before.empty()) {
      return captures.before + " = __atomic_fetch_" + function_of(one) + arguments;
    }
    if (!captures.after.empty()) {
      return captures.after + " = __atomic_" + function_of(one) + "_fetch" + arguments;
    }
    return "__atomic_fetch_" + function_of(one) + arguments;
  }

  std::string lower_capture() const {
    if (parts_.size() == 1) {
      const Assignment& outer = parts_[0];
      if (outer.on_failure.end != 0 || outer.outcome.end != 0) return update(outer, {});
      if (outer.inner == nullptr || outer.inner->inner != nullptr) refuse();
      const std::string to = text(outer.target);
      return outer.inner->is_postfix ? update(*outer.inner, {to, ""})
                                     : update(*outer.inner, {"", to});
    }
    // {v = x; update} or {update; v = x}
    const Assignment& first = parts_[0];
    const Assignment& second = parts_[1];
    if (is_read_of(first, second)) return update(second, {text(first.target), ""});
    const bool updates = !first.operation.empty() || !first.comparison.empty();
    if (is_read_of(second, first) && updates) return update(first, {"", text(second.target)});
    refuse();
  }

  bool is_read_of(const Assignment& read, const Assignment& written) const {
    return read.operation.empty() && read.comparison.empty() && read.inner == nullptr &&
           text(read.value) == text(written.target);
  }

  Translation& translation_;
  const Directive& directive_;
  const Context& context_;
  const std::vector<Assignment>& parts_;
};

}  // namespace

std::string lower_atomic(Translation& translation, const Construct& construct,
                         const Context& context) {
  return AtomicMaker(translation, construct, context).lower();
}

}  // namespace bobbin::translate
