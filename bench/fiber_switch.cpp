// SPDX-License-Identifier: Apache-2.0
// One switch from one fiber to another: registers, stack and thread pointer, by the runtime's own
// context switch. Two contexts, each with its own TLS block, hand over to each other.
#include "fiber/context/context.h"
#include "fiber/context/stack.h"
#include "fiber/tls/tls_block.h"

#include <climits>

#include "common.h"

static const char kUsage[] = "fiber_switch [seconds=0.2]\n";

namespace {

struct Context {
  void* sp = nullptr;
  bobbin::ThreadPointer tls = nullptr;
};

Context here, there;
thread_local long arrivals;  // each context has its own, if the thread pointer changes

// Both sides run the same code, as the threads of a team do, so that each return is predicted
// correctly from the other side's return. A switch between two different places takes 5 ns more.
[[gnu::noinline]] void hand_over(Context& from, Context& to) {
  bobbin::bobbin_switch_context(&from.sp, to.sp, nullptr, to.tls);
}

// The compiler does not know that the thread pointer changes, so a function that switches must not
// keep the address of a TLS variable in a register.
[[gnu::noinline]] void arrive() { arrivals++; }

[[gnu::noinline]] void hand_over_repeatedly(Context& from, Context& to, long times) {
  for (long i = 0; i < times; i++) {
    hand_over(from, to);
    arrive();
  }
}

void other_side(void*) {
  bobbin::start_tls_block();
  arrive();
  hand_over_repeatedly(there, here, LONG_MAX);
}

double timed(long round_trips) {
  double start = seconds();
  hand_over_repeatedly(here, there, round_trips);
  return seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  double wanted = arg_number(argc, argv, "seconds", 0.2);
  const char* reason = "the context switch is not supported";
  if (!bobbin::context_switch_supported() || !bobbin::tls_blocks_supported(&reason)) {
    printf("check=skipped what=\"%s\"\n", reason);
    return 0;
  }
  bobbin::Stack* stack = bobbin::take_stack();
  here.tls = bobbin::current_thread_pointer();
  there.tls = bobbin::take_tls_block();
  require(stack != nullptr && there.tls != nullptr, "a stack and a TLS block");
  there.sp = bobbin::make_context(stack->top(), other_side);

  long round_trips = 1000;
  long all = round_trips;
  while (timed(round_trips) < wanted / 10) {
    round_trips *= 2;
    all += round_trips;
  }
  round_trips *= 10;
  all += round_trips;
  double took = timed(round_trips);
  require(arrivals == all, "this side counted its own arrivals");
  require(*bobbin::in_tls_block(there.tls, &arrivals) == all, "and the other side its own");
  print_metric("fiber_switch_ns", 1e9 * took / (2.0 * static_cast<double>(round_trips)), "ns");
  passed();
  return 0;
}
