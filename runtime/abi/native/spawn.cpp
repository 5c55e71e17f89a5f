// SPDX-License-Identifier: Apache-2.0
#include "bobbin/spawn.h"

#include "abi/export.h"
#include "construct/regions/parallel.h"
#include "task/create/permits.h"
#include "task/create/spawn.h"
#include "team/model/team.h"

using namespace bobbin;

namespace {

struct Call {
  void (*function)(void*);
  void* data;
};

Taskgroup*& group_of(bobbin_scope* scope) { return reinterpret_cast<Taskgroup*&>(scope->tasks); }

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_spawn_slowly(bobbin_scope* scope, void (*function)(void*),
                                             void* data) {
  if (surely_in_place(self())) return function(data);
  Call call{function, data};
  spawn(
      self(), group_of(scope),
      [](void* copy) {
        auto* made = static_cast<Call*>(copy);
        made->function(made->data);
      },
      &call, sizeof call);
}

BOBBIN_NATIVE_ENTRY void bobbin_spawn_copy_slowly(bobbin_scope* scope, void (*function)(void*),
                                                  const void* data, size_t size) {
  if (surely_in_place(self())) return function(const_cast<void*>(data));
  spawn(self(), group_of(scope), function, const_cast<void*>(data), size);
}

BOBBIN_NATIVE_ENTRY void bobbin_sync_slowly(bobbin_scope* scope) { sync(self(), group_of(scope)); }

BOBBIN_NATIVE_ENTRY void bobbin_parallel(void (*function)(void*), void* data, unsigned threads) {
  if (!current_team().serial()) {
    function(data);
    return;
  }
  Call call{function, data};
  ParallelClauses clauses;
  clauses.num_threads = threads;
  parallel(
      [](void* shared) {
        if (self().member->num != 0) return;
        auto* made = static_cast<Call*>(shared);
        made->function(made->data);
      },
      &call, clauses);
}
