// SPDX-License-Identifier: Apache-2.0
// Regions in constructors before main and in destructors after it, also of thread_local objects.
#include <thread>
#include <vector>

#include "../common/abuse.h"

namespace {

int g_constructed = 0;

struct Regional {
  Regional() {
    all_regions();
    g_constructed++;
  }
  ~Regional() {
    all_regions();
    g_constructed--;
  }
};

Regional g_first;
Regional g_second;
thread_local Regional t_object;

Regional& function_static() {
  static Regional object;
  return object;
}

[[gnu::constructor(101)]] void very_early() { region(3); }
[[gnu::destructor(101)]] void very_late() { region(3); }

void by_threads() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([] {
      // This destructor opens a region while its thread ends.
      struct Last {
        ~Last() { region(3); }
      };
      thread_local Last last;
      (void)last;
      region(4);
    });
  }
  for (auto& thread : threads) thread.join();
}

void in_main() {
  CHECK(g_constructed == 2);
  (void)&t_object;
  (void)function_static();
  all_regions();
}

}  // namespace

int main(int argc, char** argv) {
  const abuse_case cases[] = {{"main", in_main}, {"threads", by_threads}, {nullptr, nullptr}};
  return run_case(cases, argc, argv);
}
