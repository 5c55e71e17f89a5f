// SPDX-License-Identifier: Apache-2.0
#include "platform/object_symbols.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

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
  // One that the loader knows, of the C library.
  EXPECT_EQ(*static_cast<char***>(find_object("environ", nullptr)), environ);
}

}  // namespace
}  // namespace bobbin
