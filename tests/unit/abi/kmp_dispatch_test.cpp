// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/loops/dispatch.h"

#include <gtest/gtest.h>

namespace bobbin::kmp {
namespace {

TEST(Dispatch, SchedulesOrderAndModifiers) {
  Thread& thread = self();
  LoopRequest request = decode_request(thread, kDynamicChunked | kNonmonotonic, 4);
  EXPECT_EQ(request.schedule.kind, ScheduleKind::Dynamic);
  EXPECT_EQ(request.schedule.chunk, 4u);
  EXPECT_EQ(request.order, LoopOrder::None);
  EXPECT_EQ(decode_request(thread, kDynamicChunked | kMonotonic, 1).schedule.kind,
            ScheduleKind::Dynamic);

  request = decode_request(thread, kOrderedStaticChunked + kGuidedChunked - kStaticChunked, 0);
  EXPECT_EQ(request.schedule.kind, ScheduleKind::Guided);
  EXPECT_EQ(request.schedule.chunk, 0u);
  EXPECT_EQ(request.order, LoopOrder::Ordered);
  EXPECT_EQ(decode_request(thread, kOrderedAuto, 0).schedule.kind, ScheduleKind::Auto);
  LoopRequest shrinking = decode_request(thread, kOrderedTrapezoidal, 2);
  EXPECT_EQ(shrinking.schedule.kind, ScheduleKind::Guided);
  EXPECT_EQ(shrinking.order, LoopOrder::Ordered);
  EXPECT_EQ(decode_request(thread, kStaticSteal, 2).schedule.kind, ScheduleKind::Dynamic);
  EXPECT_EQ(decode_request(thread, kStatic, 5).schedule.chunk, 0u);
  EXPECT_EQ(decode_request(thread, kStaticChunked, 5).schedule.chunk, 5u);
}

TEST(Dispatch, ALoopWithDoacrossDependences) {
  Thread& thread = self();
  WorkShare dependences;
  thread.member->position.doacross = &dependences;
  EXPECT_EQ(decode_request(thread, kDynamicChunked, 1).order, LoopOrder::Doacross);
  EXPECT_EQ(decode_request(thread, kOrderedAuto, 0).order, LoopOrder::Ordered);
  thread.member->position.doacross = nullptr;
  EXPECT_EQ(decode_request(thread, kDynamicChunked, 1).order, LoopOrder::None);
}

template <class T>
uint64_t count(T lower, T upper, std::make_signed_t<T> step) {
  return LoopBounds::inclusive<T>(lower, upper, step).count();
}

TEST(Dispatch, BoundsIncludeTheUpperOne) {
  EXPECT_EQ(count<int32_t>(0, 9, 1), 10u);
  EXPECT_EQ(count<int32_t>(0, -1, 1), 0u);
  EXPECT_EQ(count<int32_t>(5, -5, -5), 3u);
  EXPECT_EQ(count<int32_t>(INT32_MIN, INT32_MAX, 1), uint64_t{1} << 32);
  EXPECT_EQ(count<uint32_t>(0, ~0u, 2), uint64_t{1} << 31);
  EXPECT_EQ(count<int64_t>(INT64_MAX - 3, INT64_MAX, 2), 2u);
  EXPECT_EQ(count<uint64_t>(~uint64_t{0} - 1, ~uint64_t{0}, 1), 2u);
  EXPECT_EQ(count<int64_t>(INT64_MIN + 3, INT64_MIN, -1), 4u);
}

}  // namespace
}  // namespace bobbin::kmp
