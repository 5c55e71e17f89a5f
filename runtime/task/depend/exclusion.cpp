// SPDX-License-Identifier: Apache-2.0
#include "task/depend/exclusion.h"

#include <cstdlib>
#include <new>

#include "platform/watchers/happens_before.h"

namespace bobbin {
namespace {

ExclusionRequest& request_of(DependNode& node) { return *node.annex().exclusion; }

void wait_for(Exclusion& exclusion, DependNode& node) {
  request_of(node).next_waiting = nullptr;
  if (exclusion.first_waiting == nullptr) {
    exclusion.first_waiting = &node;
  } else {
    request_of(*exclusion.last_waiting).next_waiting = &node;
  }
  exclusion.last_waiting = &node;
}

DependNode* pop_waiting(Exclusion& exclusion) {
  DependNode* node = exclusion.first_waiting;
  if (node != nullptr) exclusion.first_waiting = request_of(*node).next_waiting;
  return node;
}

// The lock is held.
bool take_or_wait(DependNode& node) {
  ExclusionRequest& request = request_of(node);
  Exclusion** wanted = request.wanted();
  for (uint32_t i = 0; i < request.count; i++) {
    if (wanted[i]->owner == nullptr) continue;
    wait_for(*wanted[i], node);
    return false;
  }
  for (uint32_t i = 0; i < request.count; i++) wanted[i]->owner = &node;
  request.held = true;
  return true;
}

}  // namespace

ExclusionRequest* make_request(SpinLock& lock, uint32_t count) {
  void* block = malloc(sizeof(ExclusionRequest) + count * sizeof(Exclusion*));
  if (block == nullptr) return nullptr;
  return new (block) ExclusionRequest{&lock, nullptr, 0, false};
}

bool take_exclusions(DependNode& node) {
  ExclusionRequest& request = request_of(node);
  // If they are held, a former owner gave them, and then put the task into a queue.
  if (!request.held) {
    SpinGuard guard(*request.lock);
    if (!take_or_wait(node)) return false;
  }
  return true;
}

DependNode* give_exclusions(DependNode& node) {
  ExclusionRequest& request = request_of(node);
  if (!request.held) return nullptr;
  request.held = false;
  Exclusion** wanted = request.wanted();
  DependNode* ready = nullptr;
  for (uint32_t i = 0; i < request.count; i++) happens_before(wanted[i]);
  SpinGuard guard(*request.lock);
  for (uint32_t i = 0; i < request.count; i++) wanted[i]->owner = nullptr;
  for (uint32_t i = 0; i < request.count; i++) {
    // A task that cannot have all of its exclusions yet waits for another one from now on.
    while (wanted[i]->owner == nullptr) {
      DependNode* next = pop_waiting(*wanted[i]);
      if (next == nullptr) break;
      if (!take_or_wait(*next)) continue;
      request_of(*next).next_waiting = ready;
      ready = next;
    }
  }
  return ready;
}

}  // namespace bobbin
