// SPDX-License-Identifier: Apache-2.0
// CC-Synch (Fatourou and Kallimanis, PPoPP 2012): threads that want to use the same object queue
// up. The first one executes the requests of those behind it, too, with the object in its cache.
//
// The queue is a list of nodes; the last node has no request yet. A thread adds its own node as the
// new last one, and puts its request into the former last node. From then on that node belongs to
// the thread, which waits there. A node's state says what its thread is to do:
//
//   Waiting   nothing, its request is queued     Asleep   the same, and it sleeps on the word
//   Served    nothing, its request has been done
//   Combine   serve its own request and those behind it
//
// Invariant: of all nodes in the list at most one is in state Combine or has its thread in
// serve_all(), and all nodes in front of it are Served. So requests are executed one at a time, in
// the order of the exchanges of `last_`. The thread that serves passes Combine on to the first node
// that has no request yet or, after kMost requests, to the next node: no thread serves for ever.
//
// Pairs: the exchange of `last_` (acq_rel) hands over a node's initial state. `next` (release,
// acquire) hands over the request in front of it. The exchange of `state` by the serving thread
// (release), acquired by the node's thread, hands over the result and, with Combine, all that was
// done to the object before.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/locks/futex.h"

namespace bobbin {

class Combining {
 public:
  // Type-stable: the thread that wakes a sleeper touches a node that may be in use again.
  struct alignas(kCacheLine) Node {
    Atomic<std::uint32_t> state{kCombine};
    Atomic<Node*> next{nullptr};
    void* request = nullptr;
  };

  // Any node that is in no other list.
  void start(Node& first) { last_.store(&first, relaxed); }

  // Is the list without requests, and is no thread serving?
  bool idle() const { return last_.load(relaxed)->state.load(relaxed) == kCombine; }

  // Calls serve(request) on this thread or another one, and returns when that is done. `mine` is a
  // node of the calling thread; it gets another node in exchange.
  template <class Request, class Serve>
  void apply(Node*& mine, Request& request, Serve serve) {
    Node* next = mine;
    next->state.store(kWaiting, relaxed);
    next->next.store(nullptr, relaxed);
    Node* node = last_.exchange(next, acq_rel);
    node->request = &request;
    node->next.store(next, release);
    mine = node;
    if (await_turn(*node) == kServed) return;
    serve_all<Request>(node, serve);
  }

 private:
  static constexpr std::uint32_t kWaiting = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kServed = 2;
  static constexpr std::uint32_t kCombine = 3;
  static constexpr int kSpins = 1000;
#if defined(BOBBIN_MODEL)
  static constexpr int kMost = 2;
#else
  static constexpr int kMost = 64;
#endif

  static std::uint32_t await_turn(Node& node) {
    std::uint32_t state = node.state.load(acquire);
    for (int i = spin_limit(kSpins); i > 0 && state == kWaiting; i--) {
      cpu_pause();
      state = node.state.load(acquire);
    }
    while (state == kWaiting || state == kAsleep) {
      std::uint32_t expected = kWaiting;
      if (state == kAsleep || node.state.compare_exchange_strong(expected, kAsleep, acquire)) {
        futex_wait(node.state, kAsleep);
      }
      state = node.state.load(acquire);
    }
    return state;
  }

  static void tell(Node& node, std::uint32_t state) {
    if (node.state.exchange(state, release) == kAsleep) futex_wake(node.state, 1);
  }

  template <class Request, class Serve>
  static void serve_all(Node* node, Serve serve) {
    Node* next = node->next.load(acquire);
    for (int served = 0; next != nullptr && served < kMost; served++) {
      serve(*static_cast<Request*>(node->request));
      tell(*node, kServed);  // from here on the node belongs to its thread
      node = next;
      next = node->next.load(acquire);
    }
    tell(*node, kCombine);
  }

  alignas(kCacheLine) Atomic<Node*> last_{nullptr};
};

}  // namespace bobbin
