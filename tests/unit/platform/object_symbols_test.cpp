// SPDX-License-Identifier: Apache-2.0
#include "platform/loader/object_symbols.h"

#include <gtest/gtest.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

int an_object_of_this_program = 1;
static int a_static_object = 2;

namespace bobbin {
namespace {

std::string name_of(const void* address) {
  char name[64] = "";
  return object_name(address, name, sizeof name) ? name : "?";
}

TEST(ObjectSymbols, NamesThatTheLoaderDoesNotKnow) {
  EXPECT_EQ(name_of(&an_object_of_this_program), "an_object_of_this_program");
  a_static_object++;
  EXPECT_NE(name_of(&a_static_object).find("a_static_object"), std::string::npos);
  char cut[8];
  ASSERT_TRUE(object_name(&an_object_of_this_program, cut, sizeof cut));
  EXPECT_STREQ(cut, "an_obje");
}

TEST(ObjectSymbols, WhatIsNoObjectHasNoName) {
  int local = 0;
  EXPECT_EQ(name_of(&local), "?");
  void* memory = std::malloc(16);
  EXPECT_EQ(name_of(memory), "?");
  std::free(memory);
  EXPECT_EQ(name_of(reinterpret_cast<char*>(&an_object_of_this_program) + 1), "?");
}

TEST(ObjectSymbols, FindsByName) {
  EXPECT_EQ(find_object("an_object_of_this_program", nullptr), &an_object_of_this_program);
  EXPECT_EQ(find_object("an_object_of_this_program", reinterpret_cast<const void*>(&std::malloc)),
            &an_object_of_this_program);
  EXPECT_EQ(find_object("no_object_has_this_name", &an_object_of_this_program), nullptr);
  // A symbol that the loader knows, from the C library.
  EXPECT_EQ(*static_cast<char***>(find_object("environ", nullptr)), environ);
}

// In the child no thread would release the loader's lock.
TEST(ObjectSymbols, NoForkLeavesTheLoaderLocked) {
  std::atomic<bool> asks{false}, over{false};
  std::thread asker([&] {
    while (!over) {
      name_of(&an_object_of_this_program);
      asks = true;
    }
  });
  while (!asks) std::this_thread::yield();
  int hung = 0;
  for (int i = 0; i < 300 && hung == 0; i++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(600);
      auto first = [](dl_phdr_info*, std::size_t, void*) { return 1; };
      _exit(dl_iterate_phdr(first, nullptr) == 1 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (status != 0) hung++;
  }
  over = true;
  asker.join();
  EXPECT_EQ(hung, 0);
}

}  // namespace
}  // namespace bobbin
