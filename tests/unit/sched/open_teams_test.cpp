// SPDX-License-Identifier: Apache-2.0
#include "sched/open_teams.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bobbin {
namespace {

constexpr unsigned kTickets = 8;  // more than there are slots

unsigned count(OpenTeams& board) {
  unsigned seen = 0;
  board.find([&](const Ticket&) {
    seen++;
    return false;
  });
  return seen;
}

TEST(OpenTeams, ShowsAllInADeepNest) {
  OpenTeams board;
  Ticket tickets[kTickets];
  EXPECT_TRUE(board.empty());
  for (Ticket& ticket : tickets) board.show(ticket);
  EXPECT_EQ(count(board), kTickets);
  for (unsigned i = kTickets; i-- > 0;) {
    OpenTeams::remove(tickets[i]);
    EXPECT_EQ(count(board), i);
  }
  EXPECT_TRUE(board.empty());
}

// A thread that looked at the list when the process forked does not hold it in the child. Entries
// that were shown before the fork and are withdrawn in the child are not confused with later ones.
TEST(OpenTeams, GoesOnAloneInAChild) {
  OpenTeams board;
  Ticket tickets[kTickets];
  for (Ticket& ticket : tickets) board.show(ticket);
  pid_t child = -1;
  board.find([&](const Ticket& ticket) {
    if (ticket.slot != nullptr) return false;
    child = fork();
    if (child != 0) return true;
    alarm(600);  // otherwise it would wait for ever
    board.go_on_alone();
    bool good = count(board) == 0 && board.empty();
    Ticket fresh[kTickets];
    for (Ticket& one : fresh) board.show(one);
    for (Ticket& shown : tickets) OpenTeams::remove(shown);
    good = good && count(board) == kTickets;
    for (Ticket& one : fresh) OpenTeams::remove(one);
    good = good && board.empty();
    _exit(good ? 0 : 1);
  });
  ASSERT_GT(child, 0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace bobbin
