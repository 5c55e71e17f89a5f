// SPDX-License-Identifier: Apache-2.0
#include "choose/selector.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "lex/diagnostics.h"

namespace bobbin::translate {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kArchitectures[] = {"x86_64", "x86"};
constexpr std::string_view kBaseline[] = {"mmx", "sse", "sse2", "fxsr"};
#else
constexpr std::string_view kArchitectures[] = {"aarch64", "arm"};
constexpr std::string_view kBaseline[] = {"neon", "asimd"};
#endif

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::string unquoted(const std::string& word) {
  return word.size() >= 2 && word.front() == '"' ? word.substr(1, word.size() - 2) : word;
}

// ( [score(number) :] property, ... )
void read_properties(const Cursor& cursor, Cursor::Range range, TraitSelector& trait) {
  if (const std::optional<size_t> colon = cursor.find_colon(range);
      colon && cursor.text_at(range.begin) == "score") {
    const bool has_number = *colon == range.begin + 4 && cursor.text_at(range.begin + 1) == "(";
    if (!has_number) throw Refusal{cursor.begin_of(range), "expected 'score(number)'"};
    const Cursor::Range number{range.begin + 2, *colon - 1};
    const std::string_view text = cursor.text_of(number);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), trait.score);
    if (error != std::errc{} || end != text.data() + text.size()) {
      throw Refusal{cursor.begin_of(number), "a score that is no number is not supported"};
    }
    range.begin = *colon + 1;
  }
  for (const Cursor::Range& one : cursor.split(range, ",")) {
    trait.properties.push_back(unquoted(std::string(cursor.text_of(one))));
  }
}

TraitSelector read_trait(const Cursor& cursor, const std::string& set, const Cursor::Range& range) {
  if (range.empty()) throw Refusal{cursor.begin_of(range), "expected a trait selector"};
  TraitSelector trait;
  trait.set = set;
  trait.at = cursor.begin_of(range);
  trait.name = std::string(cursor.text_at(range.begin));
  if (range.end == range.begin + 1) return trait;
  if (cursor.text_at(range.begin + 1) != "(" ||
      cursor.matching(range.begin + 1, range.end) + 1 != range.end) {
    throw Refusal{trait.at, "expected '(' and ')' after '" + trait.name + "'"};
  }
  read_properties(cursor, {range.begin + 2, range.end - 1}, trait);
  return trait;
}

// Positions in the context of the constructs that are selected, the innermost that are possible.
std::optional<std::vector<size_t>> positions_of(const std::vector<std::string>& selected,
                                                const std::vector<std::string>& around) {
  std::vector<size_t> found;
  size_t end = around.size();
  for (auto one = selected.rbegin(); one != selected.rend(); ++one) {
    while (end > 0 && around[end - 1] != *one) --end;
    if (end == 0) return std::nullopt;
    found.push_back(--end);
  }
  return found;
}

bool is_device_number(const TraitSelector& trait) {
  return trait.set == "target_device" && trait.name == "device_num" && trait.properties.size() == 1;
}
bool is_user_condition(const TraitSelector& trait) {
  return trait.set == "user" && trait.name == "condition" && trait.properties.size() == 1;
}

class Judge {
 public:
  explicit Judge(const TranslationContext& context) : context_(context) {}

  Verdict run(const ContextSelector& selector) {
    std::vector<std::string> constructs;
    for (const TraitSelector& trait : selector.traits) {
      if (trait.set == "construct") {
        constructs.push_back(trait.name);
      } else if (!matches(trait)) {
        return {};
      }
    }
    const auto positions = positions_of(constructs, context_.constructs);
    if (!positions) return {};
    verdict_.matches = true;
    verdict_.condition = condition_of(selector);
    for (const size_t one : *positions) verdict_.score += power(one);
    verdict_.score += 1;
    return verdict_;
  }

 private:
  static unsigned long long power(size_t exponent) {
    return 1ULL << std::min<size_t>(exponent, 40);
  }

  bool matches(const TraitSelector& trait) {
    const size_t constructs = context_.constructs.size();
    if (trait.set == "device" || trait.set == "target_device") {
      if (trait.name == "kind") return score(power(constructs), all_are(trait, is_kind));
      if (trait.name == "arch")
        return score(power(constructs + 1), all_are(trait, is_architecture));
      if (trait.name == "isa") {
        const auto has = [this](const std::string& one) { return is_feature(one); };
        return score(power(constructs + 2), all_are(trait, has));
      }
      if (is_device_number(trait)) return true;
    } else if (is_user_condition(trait)) {
      verdict_.score += trait.score;
      return !is_one_of(trait.properties[0], {"0", "false"});
    } else if (trait.set == "implementation") {
      verdict_.score += trait.score;
      if (trait.name == "vendor") return contains(trait.properties, "bobbin");
      if (trait.name == "extension") return false;
      if (trait.name == "requires") {
        const auto has = [this](const std::string& one) {
          return contains(context_.requirements, one);
        };
        return all_are(trait, has);
      }
      if (is_one_of(trait.name, {"unified_address", "unified_shared_memory", "reverse_offload",
                                 "dynamic_allocators", "self_maps"})) {
        return contains(context_.requirements, trait.name);
      }
      if (trait.name == "atomic_default_mem_order" && trait.properties.size() == 1) {
        return contains(context_.requirements, trait.name + "(" + trait.properties[0] + ")");
      }
    }
    throw Refusal{trait.at, "unknown trait selector '" + trait.name + "' of '" + trait.set + "'"};
  }

  template <class Predicate>
  static bool all_are(const TraitSelector& trait, const Predicate& is) {
    return !trait.properties.empty() &&
           std::all_of(trait.properties.begin(), trait.properties.end(), is);
  }
  static bool is_kind(const std::string& word) { return is_one_of(word, {"host", "cpu", "any"}); }
  static bool is_architecture(const std::string& word) {
    return std::find(std::begin(kArchitectures), std::end(kArchitectures), word) !=
           std::end(kArchitectures);
  }
  bool is_feature(const std::string& word) const {
    return std::find(std::begin(kBaseline), std::end(kBaseline), word) != std::end(kBaseline) ||
           contains(context_.features, word);
  }

  bool score(unsigned long long points, bool is_match) {
    verdict_.score += points;
    return is_match;
  }

  const TranslationContext& context_;
  Verdict verdict_;
};

std::set<std::string> as_set(const ContextSelector& selector) {
  std::set<std::string> all;
  for (const TraitSelector& trait : selector.traits) {
    const std::string name = trait.set + ":" + trait.name;
    all.insert(name);
    for (const std::string& property : trait.properties) {
      std::string text = name;
      text += ":";
      all.insert(text + property);
    }
  }
  return all;
}

bool is_strict_subset(const ContextSelector& a, const ContextSelector& b) {
  const std::set<std::string> small = as_set(a);
  const std::set<std::string> large = as_set(b);
  return small.size() < large.size() &&
         std::includes(large.begin(), large.end(), small.begin(), small.end());
}

}  // namespace

ContextSelector read_selector(const Cursor& cursor, const Cursor::Range& range) {
  ContextSelector selector;
  for (const Cursor::Range& set : cursor.split(range, ",")) {
    if (set.empty()) throw Refusal{cursor.begin_of(set), "expected a set of selectors"};
    const std::string name(cursor.text_at(set.begin));
    const size_t at = cursor.begin_of(set);
    if (!is_one_of(name, {"construct", "device", "target_device", "implementation", "user"})) {
      throw Refusal{at, "unknown set of selectors '" + name + "'"};
    }
    if (set.end < set.begin + 4 || cursor.text_at(set.begin + 1) != "=" ||
        cursor.text_at(set.begin + 2) != "{" ||
        cursor.matching(set.begin + 2, set.end) + 1 != set.end) {
      throw Refusal{at, "expected '= { ... }' after '" + name + "'"};
    }
    for (const Cursor::Range& one : cursor.split({set.begin + 3, set.end - 1}, ",")) {
      selector.traits.push_back(read_trait(cursor, name, one));
    }
  }
  return selector;
}

std::string condition_of(const ContextSelector& selector) {
  std::string all;
  const auto add = [&](const std::string& condition) {
    all += (all.empty() ? "" : " && ") + condition;
  };
  for (const TraitSelector& trait : selector.traits) {
    if (is_device_number(trait)) {
      // The host is number 0, and omp_initial_device.
      const std::string& number = trait.properties[0];
      add("((" + number + ") == 0 || (" + number + ") == -1)");
    } else if (is_user_condition(trait) &&
               !is_one_of(trait.properties[0], {"0", "false", "1", "true"})) {
      add("(" + trait.properties[0] + ")");
    }
  }
  return all;
}

Verdict judge(const ContextSelector& selector, const TranslationContext& context) {
  return Judge(context).run(selector);
}

std::vector<size_t> rank(const std::vector<ContextSelector>& selectors,
                         const std::vector<Verdict>& verdicts) {
  std::vector<size_t> order;
  for (size_t i = 0; i < selectors.size(); ++i) {
    if (verdicts[i].matches) order.push_back(i);
  }
  // A more special one that matches comes before, whatever the scores are.
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return verdicts[a].score > verdicts[b].score; });
  for (size_t i = 1; i < order.size(); ++i) {
    for (size_t at = i; at > 0 && is_strict_subset(selectors[order[at - 1]], selectors[order[at]]);
         --at) {
      std::swap(order[at - 1], order[at]);
    }
  }
  const auto last = std::find_if(order.begin(), order.end(),
                                 [&](size_t one) { return verdicts[one].condition.empty(); });
  if (last != order.end()) order.erase(last + 1, order.end());
  return order;
}

}  // namespace bobbin::translate
