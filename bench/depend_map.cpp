// SPDX-License-Identifier: Apache-2.0
// Bobbin's table of dependences alone: what it takes to find an address, by the addresses that
// tasks name and the places of the table. It is at most half full, so it has at least twice as many
// places as addresses.
#include "task/depend/map.h"

#include "clock.h"
#include "common.h"

static const char kUsage[] =
    "depend_map [addresses=1024] [places=0] [rounds=100]\n"
    "places  of the table from the beginning; 0: it grows from 16\n"
    "A round begins a table and enters each address, 64 bytes apart, four times.\n";

namespace {

constexpr std::size_t kApart = 64;
constexpr int kTimes = 4;

constexpr auto kKeep = [](bobbin::DependEntry&) { return false; };

// Returns how many entries were new.
std::size_t enter_all(bobbin::DependMap& map, std::size_t addresses) {
  std::size_t entered = 0;
  for (int time = 0; time < kTimes; time++) {
    for (std::size_t i = 1; i <= addresses; i++) {
      bool is_new;
      if (map.reserve(1, kKeep)) map.enter(i * kApart, is_new);
      entered += is_new ? 1 : 0;
    }
  }
  return entered;
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  const auto addresses = static_cast<std::size_t>(arg_number(argc, argv, "addresses", 1024));
  const auto places = static_cast<std::size_t>(arg_number(argc, argv, "places", 0));
  const auto rounds = static_cast<long>(arg_number(argc, argv, "rounds", 100));
  require(addresses > 0 && rounds > 0, "addresses and rounds are at least 1");
  choose_clock();
  std::size_t capacity = 0;
  int64_t took = 0;
  for (long round = 0; round < rounds; round++) {
    bobbin::DependMap map;
    if (places != 0) require(map.reserve(places / 2, kKeep), "memory for the table");
    const int64_t start = stamp();
    const std::size_t entered = enter_all(map, addresses);
    took += stamp() - start;
    require(entered == addresses && map.count() == addresses, "each address is entered once");
    capacity = map.capacity();
  }
  const double calls = static_cast<double>(rounds) * kTimes * static_cast<double>(addresses);
  print_metric("cycles", static_cast<double>(took) / calls, "cycles");
  print_metric("places", static_cast<double>(capacity), "places");
  passed();
  return 0;
}
