// SPDX-License-Identifier: Apache-2.0
#include "construct/memory/marked_blocks.h"

#include <cstdint>
#include <cstdlib>

#include "platform/hash.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"

namespace bobbin {
namespace {

struct Mark {
  const void* block;
  Mark* next;
};

// A hash table with chains, doubled when there are more marks than chains. Guarded by `lock`.
struct Table {
  Mark** chains = nullptr;
  unsigned bits = 5;  // of the number of chains, once there are any
  std::size_t count = 0;

  Mark*& chain_of(const void* block) { return chains[fibonacci_hash(block, bits)]; }
  std::size_t size() const { return chains == nullptr ? 0 : std::size_t{1} << bits; }

  // If there is no memory for more chains, the chains get longer.
  void grow() {
    Table larger;
    larger.bits = bits + 1;
    larger.chains = static_cast<Mark**>(std::calloc(std::size_t{1} << larger.bits, sizeof(Mark*)));
    if (larger.chains == nullptr) return;
    for (std::size_t i = 0; i < size(); ++i) {
      while (Mark* mark = chains[i]) {
        chains[i] = mark->next;
        Mark*& chain = larger.chain_of(mark->block);
        mark->next = chain;
        chain = mark;
      }
    }
    std::free(chains);
    chains = larger.chains;
    bits = larger.bits;
  }
};

constinit SpinLock lock;
constinit Table table;

}  // namespace

void init_marked_blocks() { add_fork_lock(held_across_fork<lock>); }

bool mark_block(const void* block) {
  auto* mark = static_cast<Mark*>(std::malloc(sizeof(Mark)));
  if (mark == nullptr) return false;
  SpinGuard guard(lock);
  if (table.count >= table.size()) table.grow();
  if (table.chains == nullptr) {
    std::free(mark);
    return false;
  }
  Mark*& chain = table.chain_of(block);
  *mark = {block, chain};
  chain = mark;
  ++table.count;
  return true;
}

bool unmark_block(const void* block) {
  Mark* found = nullptr;
  {
    SpinGuard guard(lock);
    if (table.count == 0) return false;
    for (Mark** link = &table.chain_of(block); *link != nullptr; link = &(*link)->next) {
      if ((*link)->block != block) continue;
      found = *link;
      *link = found->next;
      --table.count;
      break;
    }
  }
  std::free(found);
  return found != nullptr;
}

}  // namespace bobbin
