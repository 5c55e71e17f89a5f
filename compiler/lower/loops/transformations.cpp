// SPDX-License-Identifier: Apache-2.0
// The loop-transforming directives: a nest of numbered loops in, a nest out (OpenMP 6.0, chapter
// 11). An iteration of a new loop computes the number of the iteration of the old one.
#include <algorithm>
#include <utility>

#include "lower/loops/nest.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

constexpr const char* kNumber = "unsigned long long ";
constexpr const char* kUnrolled = "4";  // if nothing is said

std::string define(const std::string& name, const std::string& value) {
  return "const " + (kNumber + name) + " = " + value + ";\n";
}
Constant constant(const std::string& name, const std::string& value) {
  return number_constant(name, [value](const Context&) { return value; });
}
std::string unroll_hint(const std::string& factor) {
  return "\n#pragma GCC unroll " + factor + "\n";
}
void append(std::set<std::string>& to, const std::set<std::string>& from) {
  to.insert(from.begin(), from.end());
}

class Transformation {
 public:
  Transformation(Translation& translation, size_t number)
      : translation_(translation),
        directive_(translation.directives[number]),
        site_(translation.site_of(number)) {
    if (site_ == nullptr) refuse("the directive stands where no statement can");
  }

  Nest run() {
    suffix_ = "_" + translation_.names.unique(std::string(directive_.row->name));
    switch (directive_.row->leaves.front()) {
      case Leaf::Tile:
        return divide(Order::GridsOutside);
      case Leaf::Stripe:
        return divide(Order::GridsInside);
      case Leaf::Unroll:
        return unroll();
      case Leaf::Interchange:
        return interchange();
      case Leaf::Reverse:
        return reverse();
      case Leaf::Split:
        return split();
      default:
        return fuse();
    }
  }

 private:
  // Which of the loops that divide an old one are the outer ones: those over the parts, or those
  // over the iterations of a part.
  enum class Order : unsigned char { GridsOutside, GridsInside };

  [[noreturn]] void refuse(const std::string& message) const {
    translation_.refuse(directive_, message);
  }
  std::string named(const std::string& what, size_t i) const {
    return translation_.names.free(what + suffix_ + "_" + std::to_string(i + 1));
  }

  // The loops must not depend on each other.
  Nest take(size_t depth) const {
    Nest nest = nest_of(translation_, directive_, *site_, depth, suffix_);
    nest.is_transformed = true;
    const std::vector<size_t> homes = nest.homes();
    for (size_t i = 0; i < depth; ++i) {
      if (homes[i] == 0) continue;
      refuse("OpenMP does not permit '" + directive_.row->name +
             "' of loops whose bounds depend on each other");
    }
    return nest;
  }

  // Divides loop `i` into parts of `size` iterations: a loop over the parts (the grid), and one
  // over the iterations of a part.
  std::pair<NumberedLoop, NumberedLoop> parts_of(NumberedLoop loop, size_t i, const Constant& size,
                                                 Order order) const {
    const std::string grid = named("grid", i);
    const std::string inner = named(order == Order::GridsOutside ? "tile" : "offset", i);
    const std::string grids = named("grids", i);
    NumberedLoop outer_loop;
    NumberedLoop inner_loop;
    outer_loop.constants = std::move(loop.constants);
    outer_loop.needs = std::move(loop.needs);
    outer_loop.constants.push_back(size);
    if (order == Order::GridsOutside) {
      outer_loop.number = grid;
      outer_loop.constants.push_back(constant(
          grids,
          loop.count + " / " + size.name + " + (" + loop.count + " % " + size.name + " != 0)"));
      const std::string rest = loop.count + " - " + grid + " * " + size.name;
      inner_loop.number = inner;
      inner_loop.count = "(" + rest + " < " + size.name + " ? " + rest + " : " + size.name + ")";
    } else {
      outer_loop.number = inner;
      outer_loop.constants.push_back(
          constant(grids, loop.count + " < " + size.name + " ? " + loop.count + " : " + size.name));
      inner_loop.number = grid;
      inner_loop.count = "((" + loop.count + " - " + inner + " - 1) / " + size.name + " + 1)";
    }
    outer_loop.count = grids;
    outer_loop.makes = {outer_loop.number};
    inner_loop.needs = {outer_loop.number};
    inner_loop.makes = std::move(loop.makes);
    inner_loop.makes.insert(inner_loop.number);
    inner_loop.begin =
        define(loop.number, grid + " * " + size.name + " + " + inner) + loop.compute();
    return {std::move(outer_loop), std::move(inner_loop)};
  }

  // tile and stripe
  Nest divide(Order order) const {
    const Clause* sizes = directive_.find(ClauseKind::Sizes);
    if (sizes == nullptr) refuse("expected a 'sizes' clause");
    Nest nest = take(sizes->items.size());
    std::vector<NumberedLoop> outer;
    std::vector<NumberedLoop> inner;
    for (size_t i = 0; i < sizes->items.size(); ++i) {
      const Constant size = number_constant(
          named("size", i),
          [this_translation = &translation_, item = sizes->items[i].base](const Context& context) {
            return "(unsigned long long)(" + this_translation->render_span(item, context) + ")";
          });
      auto [first, second] = parts_of(std::move(nest.loops[i]), i, size, order);
      outer.push_back(std::move(first));
      inner.push_back(std::move(second));
    }
    for (size_t i = sizes->items.size(); i < nest.loops.size(); ++i) {
      inner.push_back(std::move(nest.loops[i]));
    }
    nest.loops = std::move(outer);
    std::move(inner.begin(), inner.end(), std::back_inserter(nest.loops));
    return nest;
  }

  // Partially: a loop over groups of iterations remains. Otherwise no loop does, for other
  // directives. The native compiler does the rest.
  Nest unroll() const {
    Nest nest = take(1);
    const Clause* partial = directive_.find(ClauseKind::Partial);
    if (partial == nullptr) {
      // More than any loop that compilers unroll fully.
      nest.loops[0].hint = unroll_hint(directive_.has(ClauseKind::Full) ? "65534" : kUnrolled);
      return without_loops(std::move(nest));
    }
    std::string factor = kUnrolled;
    if (partial->expression) {
      const size_t number = constant_of(*partial->expression);
      if (number == 0 || number > 65534) refuse("'partial' needs a number from 1 to 65534");
      factor = std::to_string(number);
    }
    auto [outer, inner] = parts_of(std::move(nest.loops[0]), 0, constant(named("size", 0), factor),
                                   Order::GridsOutside);
    inner.hint = unroll_hint(factor);
    nest.loops[0] = std::move(outer);
    nest.loops.insert(nest.loops.begin() + 1, std::move(inner));
    return nest;
  }

  size_t constant_of(const Span& span) const {
    const auto known = translation_.program.constants.find(span.probe_begin);
    if (known == translation_.program.constants.end() || known->second < 0) {
      throw Refusal{span.begin, "expected a constant that is not negative"};
    }
    return static_cast<size_t>(known->second);
  }

  Nest interchange() const {
    std::vector<size_t> order = {1, 0};
    if (const Clause* clause = directive_.find(ClauseKind::Permutation)) {
      order.clear();
      for (const Item& item : clause->items) order.push_back(constant_of(item.base) - 1);
    }
    std::vector<size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != i) refuse("'permutation' needs each number from 1 on once");
    }
    Nest nest = take(order.size());
    std::vector<NumberedLoop> loops;
    loops.reserve(order.size());
    for (const size_t i : order) loops.push_back(nest.loops[i]);
    std::move(loops.begin(), loops.end(), nest.loops.begin());
    return nest;
  }

  Nest reverse() const {
    Nest nest = take(1);
    NumberedLoop& loop = nest.loops[0];
    const std::string reversed = named("reversed", 0);
    loop.begin = define(loop.number, loop.count + " - 1 - " + reversed) + loop.compute();
    loop.advance.clear();
    loop.number = reversed;
    loop.makes.insert(reversed);
    return nest;
  }

  // The loops become part of what is executed.
  static Nest without_loops(Nest nest) {
    Nest made;
    made.is_transformed = true;
    made.users = nest.users;
    made.body = [inner = std::move(nest)](const Context& context) {
      return inner.execute_from(0, inner.inside(context));
    };
    return made;
  }

  // Where a part of `count` iterations ends. size: empty for the one that takes what the parts
  // behind it leave.
  static std::string end_of_part(const std::string& count, const std::string& begin,
                                 const std::string& size, const std::string& behind) {
    const std::string rest = count + " - " + begin;
    if (!size.empty()) return rest + " < " + size + " ? " + count + " : " + begin + " + " + size;
    const std::string left = behind.empty() ? "0" : "(" + behind + ")";
    return rest + " < " + left + " ? " + begin + " : " + count + " - " + left;
  }

  // One loop after the other: each of them up to an end. No text is written twice.
  Nest split() const {
    const Clause* counts = directive_.find(ClauseKind::Counts);
    if (counts == nullptr) refuse("expected a 'counts' clause");
    std::vector<std::string> sizes;
    std::string after_fill;
    size_t fills = 0;
    for (const Item& item : counts->items) {
      if (item.base.probe_begin == item.base.probe_end) {
        ++fills;
        sizes.emplace_back();
        continue;
      }
      if (!translation_.references_in({item.base.probe_begin, item.base.probe_end}).empty()) {
        throw Refusal{item.base.begin, "expected a constant"};
      }
      sizes.push_back("(unsigned long long)(" + translation_.render_span(item.base, {}) + ")");
      if (fills != 0) after_fill += (after_fill.empty() ? "" : " + ") + sizes.back();
    }
    if (fills != 1) refuse("'counts' needs 'omp_fill' once");
    Nest nest = take(1);
    NumberedLoop& loop = nest.loops[0];
    std::string ends;
    std::string before = "0";
    for (size_t i = 0; i < sizes.size(); ++i) {
      const std::string end = named("end", i);
      loop.constants.push_back(
          constant(end, end_of_part(loop.count, before, sizes[i], after_fill)));
      ends += (ends.empty() ? "" : ", ") + end;
      before = end;
    }
    const std::string part = named("part", 0);
    const std::string list = named("ends", 0);
    const std::string at = named("split", 0);
    NumberedLoop parts;
    parts.number = part;
    parts.count = std::to_string(sizes.size());
    parts.constants = std::move(loop.constants);
    parts.begin = "const " + (kNumber + list) + "[] = {0, " + ends + "};\n";
    parts.hint = unroll_hint(parts.count);
    NumberedLoop inner;
    inner.number = at;
    inner.count = list + "[" + part + " + 1] - " + list + "[" + part + "]";
    inner.begin = define(loop.number, list + "[" + part + "] + " + at) + loop.compute();
    nest.loops[0] = std::move(parts);
    nest.loops.insert(nest.loops.begin() + 1, std::move(inner));
    return without_loops(std::move(nest));
  }

  // A sequence of loops becomes one loop, as long as the longest one.
  Nest fuse() const {
    const size_t all = site_->sequence.size();
    size_t first = 0;
    size_t count = all;
    if (const Clause* range = directive_.find(ClauseKind::Looprange)) {
      if (range->items.size() != 2) refuse("'looprange' needs two numbers");
      first = constant_of(range->items[0].base) - 1;
      count = constant_of(range->items[1].base);
    }
    if (all == 0) refuse("expected a block of canonical loops");
    if (count == 0 || count > all || first > all - count) refuse("'looprange' exceeds the loops");
    std::vector<Nest> nests;
    nests.reserve(all);
    for (size_t i = 0; i < all; ++i) {
      nests.push_back(nest_of(translation_, directive_, site_->sequence[i], 1,
                              suffix_ + "_" + std::to_string(i + 1)));
    }
    Nest fused;
    fused.is_transformed = true;
    const auto begin = nests.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    fused.loops.push_back(fused_loop({begin, end}));
    fused.body = [parts = std::vector<Nest>(begin, end),
                  number = fused.loops[0].number](const Context& context) {
      std::string text;
      for (const Nest& part : parts) {
        const NumberedLoop& loop = part.loops[0];
        const Context inside = part.inside(context);
        // `continue` ends this part only.
        text += "if (" + number + " < " + loop.count + ") do {\n" +
                part.variables(" __attribute__((unused))") + define(loop.number, number) +
                loop.compute() + part.execute_from(1, inside) + "} while (0);\n";
      }
      return text;
    };
    if (count == all) return fused;
    // Those before and after it stay.
    Nest sequence;
    sequence.is_transformed = true;
    sequence.body = [before = std::vector<Nest>(nests.begin(), begin), fused,
                     after = std::vector<Nest>(end, nests.end())](const Context& context) {
      const auto execute = [&](const Nest& nest) {
        return "{\n" + nest.variables("") + nest.execute_from(0, nest.inside(context)) + "}\n";
      };
      std::string text;
      for (const Nest& nest : before) text += execute(nest);
      text += execute(fused);
      for (const Nest& nest : after) text += execute(nest);
      return text;
    };
    return sequence;
  }

  static std::string larger(const std::string& a, const std::string& b) {
    return a + " < " + b + " ? " + b + " : " + a;
  }

  NumberedLoop fused_loop(const std::vector<Nest>& nests) const {
    NumberedLoop loop;
    loop.number = named("fused", 0);
    std::string longest;
    for (size_t i = 0; i < nests.size(); ++i) {
      const NumberedLoop& one = nests[i].loops[0];
      loop.constants.insert(loop.constants.end(), one.constants.begin(), one.constants.end());
      append(loop.needs, one.needs);
      const std::string name = named("longest", i);
      loop.constants.push_back(
          constant(name, longest.empty() ? one.count : larger(longest, one.count)));
      longest = name;
    }
    loop.count = longest;
    loop.makes = {loop.number};
    return loop;
  }

  Translation& translation_;
  const Directive& directive_;
  const Site* site_;
  std::string suffix_;
};

}  // namespace

Nest transformed(Translation& translation, size_t number) {
  return Transformation(translation, number).run();
}

// One that no other directive is associated with.
std::string lower_transformation(Translation& translation, const Construct& construct,
                                 const Context& context) {
  const auto number = static_cast<size_t>(&construct.whole - translation.directives.data());
  const Nest nest = transformed(translation, number);
  std::string uses;  // so that no compiler warns of variables of which the loops have their own
  for (const Loop& loop : all_loops(translation, number)) {
    if (!loop.declares) uses += "(void)sizeof " + context.text_of(*loop.variable) + ";\n";
  }
  return "{\n" + uses + "{\n" + nest.variables(" __attribute__((unused))") +
         translation.marker(construct.directive) + nest.execute_from(0, nest.inside(context)) +
         "}\n}";
}

}  // namespace bobbin::translate
