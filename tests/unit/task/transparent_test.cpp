// SPDX-License-Identifier: Apache-2.0
// Random trees of tasks, some of them transparent, executed by real teams, compared with the order
// that the clauses on the path between each two tasks demand.
#include "task/depend/transparent.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "construct/regions/parallel.h"
#include "random_item.h"
#include "task/modes/transparent_order.h"
#include "team/members/barrier.h"

namespace bobbin {
namespace {

constexpr unsigned kMostAddresses = 6;

struct Item : RandomItem {
  Item* parent = nullptr;
  int depth = 0;
  Impex impex = Impex::None;
  std::vector<Item*> children;
};

// Items are in the order in which a serial program would begin them. The first one is the root.
struct Tree {
  std::deque<Item> items;
  std::atomic<int> now{1};
};

struct Argument {
  Tree* tree;
  Item* item;
};

void make_children(Tree& tree, Item& item);

void run(const Argument& argument) {
  Item& item = *argument.item;
  item.begin = argument.tree->now.fetch_add(1);
  make_children(*argument.tree, item);
  if (!item.brief) {
    for (int i = 0; i < 20; i++) cpu_pause();
  }
  item.end = argument.tree->now.fetch_add(1);
}

void run_item(void* data) { run(*static_cast<Argument*>(data)); }
void run_brief_item(void* data) { run(*static_cast<Argument*>(data)); }

void make(Tree& tree, Item& item) {
  make_item(item, tree.now, item.brief ? run_brief_item : run_item, Argument{&tree, &item}, [&] {
    if (item.impex != Impex::None) set_transparent(self(), item.impex);
  });
}

void make_children(Tree& tree, Item& item) {
  for (Item* child : item.children) make(tree, *child);
}

bool is_about(const Dependence& d, uintptr_t address) {
  return all_memory(d) || d.address == address;
}

bool names(const Item& item, uintptr_t address) {
  for (const Dependence& d : item.depend) {
    if (is_about(d, address)) return true;
  }
  return false;
}

// Do they conflict by their dependences on the address?
bool conflict(const Item& a, const Item& b, uintptr_t address) {
  for (const Dependence& x : a.depend) {
    for (const Dependence& y : b.depend) {
      if (!is_about(x, address) || !is_about(y, address)) continue;
      if (all_memory(x) || all_memory(y)) return true;
      if (x.kind != y.kind || x.kind == DependKind::Out) return true;
    }
  }
  return false;
}

// Must b, which comes later, follow a because of the address?
bool ordered(const Item& a, const Item& b, uintptr_t address) {
  if (!conflict(a, b, address)) return false;
  const Item* from = &a;
  const Item* to = &b;
  auto go_out = [&] {
    from = from->parent;
    return exports(from->impex) && (from->maker == Maker::Undeferred || names(*from, address));
  };
  auto go_in = [&] {
    to = to->parent;
    return names(*to, address);
  };
  while (from->depth > to->depth) {
    if (!go_out()) return false;
  }
  while (to->depth > from->depth) {
    if (!go_in()) return false;
  }
  if (from == to) return false;  // one lies within the other
  while (from->parent != to->parent) {
    if (!go_out() || !go_in()) return false;
  }
  // An undeferred task exports what its children wrote, whatever its own clauses say.
  if (from != &a && from->maker == Maker::Undeferred) return true;
  return conflict(*from, *to, address);
}

bool ordered(const Item& a, const Item& b) {
  if (a.maker == Maker::Wait) return false;
  if (b.maker == Maker::Deferred && imports(b.impex)) return false;  // it begins at once
  for (uintptr_t address = 8; address <= 8 * kMostAddresses; address += 8) {
    if (ordered(a, b, address)) return true;
  }
  return false;
}

class Grower {
 public:
  explicit Grower(unsigned seed) : random_(seed), seed_(seed) {
    addresses_ = 1 + below(kMostAddresses);
    most_ = 1 + below(4);
    variety_ = 1 + below(4);
    all_ = below(3) == 0;
    special_ = below(3) == 0;
    depth_ = 1 + static_cast<int>(below(4));
  }

  Tree* grow() {
    auto* tree = new Tree;
    tree->items.emplace_back();
    Item& root = tree->items.front();
    for (unsigned i = 0; i < 12 + below(12); i++) add(*tree, root);
    return tree;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() >> 8) % n; }

  Dependence any_dependence() {
    auto kind = static_cast<DependKind>((below(variety_) + seed_) % 4);
    return {8 * (1 + uintptr_t{below(addresses_)}), kind};
  }

  // Returns one of the parent's dependences, perhaps of another kind, or a dependence of its own.
  Dependence dependence(const Item& parent) {
    if (parent.depend.empty() || below(6) == 0) return any_dependence();
    Dependence chosen = parent.depend[below(static_cast<unsigned>(parent.depend.size()))];
    if (all_memory(chosen)) return any_dependence();
    if (chosen.kind != DependKind::In) chosen.kind = any_dependence().kind;
    return chosen;
  }

  void add(Tree& tree, Item& parent) {
    if (tree.items.size() > 250) return;
    tree.items.emplace_back();
    Item& item = tree.items.back();
    parent.children.push_back(&item);
    item.parent = &parent;
    item.depth = parent.depth + 1;
    for (unsigned i = 0, n = 1 + below(most_); i < n; i++)
      item.depend.push_back(dependence(parent));
    if (all_ && below(20) == 0) item.depend.push_back({0, DependKind::Out});
    if (special_ && below(12) == 0) item.maker = Maker::Wait;
    if (special_ && below(12) == 1) item.maker = Maker::Undeferred;
    item.brief = below(2) == 0;
    if (item.maker == Maker::Wait || item.depth > depth_ || below(2) == 0) return;
    // Plain tasks with children occur, too.
    item.impex = static_cast<Impex>(below(8) < 4 ? 3 : below(4));
    for (unsigned i = 0, n = below(8); i < n; i++) add(tree, item);
  }

  std::minstd_rand random_;
  unsigned seed_;
  unsigned addresses_, most_, variety_;
  bool all_, special_;
  int depth_;
};

std::string path(const Item& item) {
  std::string text = item.parent->parent != nullptr ? path(*item.parent) + " > " : "";
  for (const Dependence& d : item.depend) {
    text += std::to_string(d.address / 8) + "ioms"[static_cast<int>(d.kind)] + ' ';
  }
  text += item.maker == Maker::Undeferred ? "undeferred" : item.maker == Maker::Wait ? "wait" : "";
  return text + "impex " + std::to_string(static_cast<int>(item.impex));
}

void check(const Tree& tree, unsigned seed) {
  for (size_t j = 1; j < tree.items.size(); j++) {
    const Item& b = tree.items[j];
    ASSERT_NE(b.end, 0) << "seed " << seed << ", task " << j << " did not run";
    for (size_t i = 1; i < j; i++) {
      const Item& a = tree.items[i];
      if (ordered(a, b)) {
        ASSERT_LT(a.end, b.begin) << "seed " << seed << ", tasks " << i << " and " << j << "\n"
                                  << path(a) << "\n"
                                  << path(b);
      }
    }
  }
}

void run(unsigned threads, unsigned rounds) {
  for (unsigned seed = 1; seed <= rounds && !::testing::Test::HasFatalFailure(); seed++) {
    Tree* tree = Grower(seed + 1000 * threads).grow();
    ParallelClauses clauses;
    clauses.num_threads = threads;
    parallel(
        [](void* data) {
          auto& all = *static_cast<Tree*>(data);
          if (self().member->num == 0) make_children(all, all.items.front());
          barrier_wait(self());
          EXPECT_EQ(self().member->team->bulk_units.load(), 0u);
        },
        tree, clauses);
    check(*tree, seed);
    delete tree;
  }
}

TEST(Transparent, RandomTreesOneThread) { run(1, 200); }
TEST(Transparent, RandomTreesTwoThreads) { run(2, 600); }
TEST(Transparent, RandomTreesManyThreads) { run(9, 200); }

}  // namespace
}  // namespace bobbin
