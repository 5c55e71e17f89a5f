// SPDX-License-Identifier: Apache-2.0
//
// Reads one request from stdin, an object in JSON:
//   graph       the path of a task graph
//   machine     a synthetic description of hwloc's, or the path of an XML file of its own
//   processors  a list of numbers: it is simulated on so many of the machine's processors
//   costs       in ns: in_place, defer, begin, probe, fork, recording, and by level: steal, wake,
//               transfer
//   rules       a list of objects: order ("nearest", "number"), theft ("one", "half"), join
//               ("counter", "tree"), defer_limit; what is left out has the first value
// Writes a list of objects, one for each number of processors and each of the rules. Times are in
// ns. A mistake is told on stderr, with status 1.
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "simulator/simulation.h"

namespace bobbin::simulator {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Costs, in_place, defer, begin, probe, fork,
                                                recording, steal, wake, transfer)

namespace {

// The words of an enumeration, in its order.
template <class Enum, std::size_t kCount>
Enum choose(const json& rules, const char* name, const char* const (&words)[kCount]) {
  const std::string word = rules.value(name, words[0]);
  for (std::size_t i = 0; i < kCount; i++) {
    if (word == words[i]) return static_cast<Enum>(i);
  }
  throw std::runtime_error(std::string(name) + " cannot be `" + word + "`");
}

constexpr const char* kOrders[] = {"nearest", "number"};
constexpr const char* kThefts[] = {"one", "half"};
constexpr const char* kJoins[] = {"counter", "tree"};

Rules read_rules(const json& given) {
  return {choose<Order>(given, "order", kOrders), choose<Theft>(given, "theft", kThefts),
          choose<Join>(given, "join", kJoins), given.value("defer_limit", Rules{}.defer_limit)};
}

json to_json(const Outcome& outcome, const Machine& machine, const Rules& rules) {
  return {{"processors", machine.processors()},
          {"order", kOrders[static_cast<std::size_t>(rules.order)]},
          {"theft", kThefts[static_cast<std::size_t>(rules.theft)]},
          {"join", kJoins[static_cast<std::size_t>(rules.join)]},
          {"defer_limit", rules.defer_limit},
          {"time", outcome.time},
          {"work", outcome.work},
          {"overhead", outcome.overhead},
          {"idle", outcome.idle},
          {"thefts", outcome.thefts},
          {"in_place", outcome.in_place},
          {"deferred", outcome.deferred},
          {"longest_deque", outcome.longest_deque}};
}

json answer(const json& request) {
  const Graph graph(request.at("graph").get<std::string>());
  const auto costs = request.value("costs", Costs{});
  json outcomes = json::array();
  for (const json& processors : request.at("processors")) {
    const Machine machine(request.at("machine").get<std::string>(), processors.get<unsigned>());
    for (const json& given : request.at("rules")) {
      const Rules rules = read_rules(given);
      outcomes.push_back(to_json(simulate(graph, machine, costs, rules), machine, rules));
    }
  }
  return outcomes;
}

}  // namespace
}  // namespace bobbin::simulator

int main() {
  try {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    std::cout << bobbin::simulator::answer(nlohmann::json::parse(text)) << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return std::cout.flush() ? 0 : 1;
}
