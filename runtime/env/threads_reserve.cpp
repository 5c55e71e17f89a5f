// SPDX-License-Identifier: Apache-2.0
#include "env/threads_reserve.h"

#include <algorithm>

#include "env/syntax/choice.h"

namespace bobbin {
namespace {

enum class Kind : unsigned char { Structured, FreeAgent };
constexpr Choice<Kind> kKinds[] = {{"STRUCTURED", Kind::Structured},
                                   {"FREE_AGENT", Kind::FreeAgent}};

// A type without a number, which stands for all threads.
constexpr unsigned kAll = kNoThreadLimit;

bool read_count(Scanner& scan, unsigned& count) {
  std::uint64_t value;
  if (!scan.number(value)) return false;
  count = static_cast<unsigned>(std::min<std::uint64_t>(value, kNoThreadLimit - 1));
  return true;
}

bool read_reserve(std::string_view text, ThreadsReserve& reserve) {
  Scanner scan(text);
  if (read_count(scan, reserve.structured)) return scan.done();
  bool given[2] = {};
  do {
    Kind kind;
    if (!read_choice(kKinds, scan.word(), kind)) return false;
    bool& known = given[static_cast<unsigned>(kind)];
    if (known) return false;
    known = true;
    unsigned& count = kind == Kind::Structured ? reserve.structured : reserve.free_agent;
    if (scan.eat('(')) {
      if (!read_count(scan, count) || !scan.eat(')')) return false;
    } else {
      count = kAll;
      return scan.done() && !(given[0] && given[1]);  // alone
    }
  } while (scan.eat(','));
  return scan.done();
}

}  // namespace

Parsed parse_threads_reserve(std::string_view text, Settings& settings) {
  ThreadsReserve reserve;
  if (!read_reserve(text, reserve)) return Parsed::Bad;
  const bool too_many = reserve.free_agent != kAll && reserve.free_agent > kMostFreeAgents;
  if (too_many) reserve.free_agent = kMostFreeAgents;
  settings.icvs.threads_reserve = reserve;
  return too_many ? Parsed::Adjusted : Parsed::Ok;
}

void print_threads_reserve(const Settings& settings, TextOut& out) {
  const ThreadsReserve& reserve = settings.icvs.threads_reserve;
  if (reserve.structured == kAll || reserve.free_agent == kAll) {
    out.add(reserve.structured == kAll ? "STRUCTURED" : "FREE_AGENT");
  } else {
    out.format("STRUCTURED(%u),FREE_AGENT(%u)", reserve.structured, reserve.free_agent);
  }
}

bool settle_threads_reserve(GlobalIcvs& icvs) {
  const ThreadsReserve& reserve = icvs.threads_reserve;
  const unsigned limit = icvs.initial.thread_limit;
  const unsigned structured = reserve.structured == kAll ? limit : std::max(reserve.structured, 1U);
  unsigned agents = std::min(reserve.free_agent == kAll ? limit - 1 : reserve.free_agent, limit);
  if (agents == limit) agents--;
  if (structured > limit - agents) {
    icvs.threads_reserve = {};
    return false;
  }
  // Without a number the limit is all that is known, and more than there are processors are no use.
  const unsigned most = reserve.free_agent == kAll ? icvs.processors : kMostFreeAgents;
  icvs.free_agents = std::min({agents, most, kMostFreeAgents});
  icvs.structured_thread_limit = limit == kNoThreadLimit ? limit : limit - icvs.free_agents;
  return true;
}

}  // namespace bobbin
