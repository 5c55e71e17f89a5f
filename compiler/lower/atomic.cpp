// SPDX-License-Identifier: Apache-2.0
// atomic, by the compilers' own builtins. What the processor has no instructions for is done under
// a lock of the runtime's.
#include <algorithm>

#include "lower/constructs.h"

namespace bobbin::translate {
namespace {

constexpr size_t kLargest = 8;

class AtomicMaker {
 public:
  AtomicMaker(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        directive_(construct.directive),
        context_(context),
        parts_(construct.site->assignments) {}

  std::string lower() {
    if (parts_.empty() || parts_.size() > 2) refuse();
    if (directive_.has(ClauseKind::Capture)) return lower_capture();
    if (parts_.size() != 1) refuse();
    const Assignment& one = parts_[0];
    if (directive_.has(ClauseKind::Read)) return lower_read(one);
    if (directive_.has(ClauseKind::Write)) return lower_write(one);
    if (one.operation.empty()) refuse();
    return update(one, "", "");
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
    return "bobbin_omp_relaxed";
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

  bool is_locked(const Assignment& one) const {
    if (one.size == 0) {
      translation_.refuse(directive_, "bit-fields in 'atomic' are not supported");
    }
    return one.size > kLargest || (one.size & (one.size - 1)) != 0;
  }

  std::string locked(const std::string& statements) const {
    const std::string fence =
        order() == "bobbin_omp_seq_cst" ? "__atomic_thread_fence(bobbin_omp_seq_cst);\n" : "";
    return "{\n" + translation_.marker(directive_) + fence + "bobbin_omp_atomic_begin();\n" +
           statements + "bobbin_omp_atomic_end();\n" + fence + "}";
  }

  // A pointer to the object, evaluated once. Copies of it have no qualifiers.
  std::string target(const std::string& object) const {
    return "__typeof__(" + object + ") *const " + name("target") + " = &(" + object + ");\n";
  }
  std::string copy(const std::string& object, const char* wanted) const {
    return "__typeof__(((void)0, " + object + ")) " + name(wanted);
  }

  // v = x
  std::string lower_read(const Assignment& one) const {
    if (one.inner != nullptr || !one.operation.empty()) refuse();
    const std::string object = text(one.value);
    if (is_locked(one)) return locked(text(one.target) + " = " + object + ";\n");
    return "{\n" + copy(object, "value") + ";\n" + translation_.marker(directive_) +
           "__atomic_load(&(" + object + "), &" + name("value") + ", " + order_of_load() + ");\n" +
           text(one.target) + " = " + name("value") + ";\n}";
  }

  // x = e
  std::string lower_write(const Assignment& one) const {
    const std::string object = text(one.target);
    const std::string value = value_of_write(one);
    if (is_locked(one)) return locked(object + " = " + value + ";\n");
    return "{\n" + copy(object, "value") + " = " + value + ";\n" + translation_.marker(directive_) +
           "__atomic_store(&(" + object + "), &" + name("value") + ", " + order_of_store() +
           ");\n}";
  }
  // An assignment that has the form of an update, too.
  std::string value_of_write(const Assignment& one) const {
    const std::string operand = text(one.value);
    if (one.operation.empty()) return operand;
    const std::string object = text(one.target);
    return one.is_reversed ? operand + " " + one.operation + " " + object
                           : object + " " + one.operation + " " + operand;
  }

  // `before`, `after`: where the old or the new value goes; empty: nowhere.
  std::string update(const Assignment& one, const std::string& before,
                     const std::string& after) const {
    const std::string object = text(one.target);
    const std::string old = name("before");
    const std::string fresh = name("after");
    const std::string operand = name("operand");
    const bool has_operand = one.value.begin != one.value.end;
    const std::string declared = has_operand ? "const __typeof__(((void)0, " + text(one.value) +
                                                   ")) " + operand + " = " + text(one.value) + ";\n"
                                             : "";
    const std::string by = has_operand ? operand : "1";
    std::string result = by;  // capture with `x = e`
    if (!one.operation.empty()) {
      result = one.is_reversed ? by + " " + one.operation + " " + old
                               : old + " " + one.operation + " " + by;
    }
    const std::string given = (before.empty() ? "" : before + " = " + old + ";\n") +
                              (after.empty() ? "" : after + " = " + fresh + ";\n");
    std::string begin = "{\n" + target(object) + declared + copy(object, "before");
    if (one.is_integer && !is_locked(one) && !one.is_reversed && !function_of(one).empty()) {
      return fetch(one, object, has_operand ? text(one.value) : "1", before, after);
    }
    if (is_locked(one)) {
      return begin + ";\n" + copy(object, "after") + ";\n" +
             locked(old + " = *" + name("target") + ";\n" + fresh + " = " + result + ";\n*" +
                    name("target") + " = " + fresh + ";\n") +
             "\n" + given + "}";
    }
    begin += ", " + fresh + ";\n";
    // A failed exchange reads the object, so it may not release.
    return begin + translation_.marker(directive_) + "__atomic_load(" + name("target") + ", &" +
           old + ", bobbin_omp_relaxed);\ndo " + fresh + " = " + result +
           ";\nwhile (!__atomic_compare_exchange(" + name("target") + ", &" + old + ", &" + fresh +
           ", 1, " + order() + ", " + order_of_load() + "));\n" + given + "}";
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
                    const std::string& before, const std::string& after) const {
    const std::string arguments = "(&(" + object + "), " + operand + ", " + order() + ");";
    if (!before.empty()) return before + " = __atomic_fetch_" + function_of(one) + arguments;
    if (!after.empty()) {
      return after + " = __atomic_" + function_of(one) + "_fetch" + arguments;
    }
    return "__atomic_fetch_" + function_of(one) + arguments;
  }

  std::string lower_capture() const {
    if (parts_.size() == 1) {
      const Assignment& outer = parts_[0];
      if (outer.inner == nullptr || outer.inner->operation.empty()) refuse();
      const bool takes_old = outer.inner->is_postfix;
      const std::string to = text(outer.target);
      return update(*outer.inner, takes_old ? to : "", takes_old ? "" : to);
    }
    // {v = x; update} or {update; v = x}
    const Assignment& first = parts_[0];
    const Assignment& second = parts_[1];
    if (is_read_of(first, second)) return update(second, text(first.target), "");
    if (is_read_of(second, first) && !first.operation.empty()) {
      return update(first, "", text(second.target));
    }
    refuse();
  }

  bool is_read_of(const Assignment& read, const Assignment& written) const {
    return read.operation.empty() && read.inner == nullptr &&
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
