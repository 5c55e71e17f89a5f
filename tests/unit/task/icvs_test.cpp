// SPDX-License-Identifier: Apache-2.0
// Data environments of tasks that change them.
#include "task/model/icvs.h"

#include <gtest/gtest.h>

#include "abi/omp/omp_api.h"
#include "construct/regions/parallel.h"
#include "task/model/extras.h"

namespace bobbin {
namespace {

// While there are children, each copy may belong to one of them, so none is overwritten.
TEST(Icvs, NoMoreCopiesThanStates) {
  ParallelClauses clauses;
  clauses.num_threads = 1;
  parallel(
      [](void*) {
        Task& task = *self().task;
        task.references.fetch_add(1, relaxed);  // a child
        for (unsigned i = 0; i < 1000; i++) {
          omp_set_num_threads(static_cast<int>(100 + i % 3));
          ASSERT_EQ(current_icvs().nthreads, 100 + i % 3);
        }
        task.references.fetch_sub(1, relaxed);
        unsigned copies = 0;
        for (OwnIcvs* own = task.extras->own_icvs; own != nullptr; own = own->previous) copies++;
        EXPECT_EQ(copies, 3U);
      },
      nullptr, clauses);
}

}  // namespace
}  // namespace bobbin
