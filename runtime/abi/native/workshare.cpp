// SPDX-License-Identifier: Apache-2.0
// Worksharing of translated programs. Iterations are numbers from 0 on.
#include <climits>

#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/native/schedule.h"
#include "bobbin/native.h"
#include "construct/tool_events.h"
#include "construct/worksharing/loop.h"
#include "construct/worksharing/sections.h"
#include "construct/worksharing/single.h"
#include "platform/memory/blocks.h"

using namespace bobbin;

namespace {

using Number = unsigned long long;

[[gnu::noinline]] void tell_static(Thread& thread, Number count, const IterationRange& range) {
  tell_work_begin(thread, ompt_work_loop_static, count);
  if (range.first != range.last) {
    tell_iterations(thread, ompt_dispatch_ws_loop_chunk, range.first, range.last - range.first);
  }
}

}  // namespace

BOBBIN_NATIVE_ENTRY int bobbin_omp_loop_begin(Number count, unsigned schedule, Number chunk,
                                              Number* first, Number* last) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  enter_loop(thread, LoopBounds::of(true, 0, count, 1), schedule_of(thread, schedule, chunk),
             (schedule & bobbin_omp_ordered) != 0 ? LoopOrder::Ordered : LoopOrder::None, {});
  return next_chunk(thread, first, last);
}
BOBBIN_NATIVE_ENTRY int bobbin_omp_loop_next(Number* first, Number* last) {
  return next_chunk(self(), first, last);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_loop_end() {
  BOBBIN_CALL_SITE;
  leave_work(self());
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_static_begin(Number count, Number* first, Number* last) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  const Member& member = *thread.member;
  const IterationRange range = block_of(count, member.team->size, member.num);
  if (tool::watched) [[unlikely]]
    tell_static(thread, count, range);
  *first = range.first;
  *last = range.last;
}
BOBBIN_NATIVE_ENTRY int bobbin_omp_static_chunks_begin(Number count, Number chunk, Number* first,
                                                       Number* last, Number* distance) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  const Member& member = *thread.member;
  const Number size = member.team->size;
  Number begin;
  // What is beyond the last iteration counts as infinity.
  if (__builtin_mul_overflow(chunk, size, distance) || chunk == 0) *distance = ULLONG_MAX;
  if (__builtin_mul_overflow(chunk, Number{member.num}, &begin) || begin > count) begin = count;
  IterationRange range{begin, count - begin > chunk ? begin + chunk : count};
  if (chunk == 0) range = block_of(count, size, member.num);  // as if none were given
  *first = range.first;
  *last = range.last;
  if (tool::watched) [[unlikely]]
    tell_static(thread, count, range);
  return range.first != range.last ? 1 : 0;
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_static_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work_end(self());
}

BOBBIN_NATIVE_ENTRY unsigned bobbin_omp_sections_begin(unsigned count) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  enter_sections(thread, count, {});
  return next_section(thread);
}
BOBBIN_NATIVE_ENTRY unsigned bobbin_omp_sections_next() {
  BOBBIN_CALL_SITE;
  return next_section(self());
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_single_begin() {
  BOBBIN_CALL_SITE;
  return begin_single(self()) ? 1 : 0;
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_single_end() {
  BOBBIN_CALL_SITE;
  end_single();
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_copyprivate(void* data, void (*copy)(void*, void*),
                                                int executed) {
  BOBBIN_CALL_SITE;
  share_copyprivate(self(), data, copy, executed != 0);
}
