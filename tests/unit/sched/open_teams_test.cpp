// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/open_teams.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bobbin {
namespace {

constexpr unsigned kTickets = 8;  // more than there are slots

unsigned count(OpenTeams& open) {
  unsigned seen = 0;
  open.find_outermost([&](const Ticket&) {
    seen++;
    return false;
  });
  return seen;
}

TEST(OpenTeams, ShowsAllInADeepNest) {
  OpenTeams open;
  Ticket tickets[kTickets];
  EXPECT_TRUE(open.empty());
  for (Ticket& ticket : tickets) open.show(ticket);
  EXPECT_EQ(count(open), kTickets);
  for (unsigned i = kTickets; i-- > 0;) {
    OpenTeams::remove(tickets[i]);
    EXPECT_EQ(count(open), i);
  }
  EXPECT_TRUE(open.empty());
}

// A thread that looked at the list when the process forked does not hold it in the child. Entries
// that were shown before the fork and are withdrawn in the child are not confused with later ones.
TEST(OpenTeams, GoesOnAloneInAChild) {
  OpenTeams open;
  Ticket tickets[kTickets];
  for (Ticket& ticket : tickets) open.show(ticket);
  pid_t child = -1;
  open.find_outermost([&](const Ticket& ticket) {
    if (ticket.slot != nullptr) return false;
    child = fork();
    if (child != 0) return true;
    alarm(600);  // otherwise it would wait for ever
    open.go_on_alone();
    bool good = count(open) == 0 && open.empty();
    Ticket fresh[kTickets];
    for (Ticket& one : fresh) open.show(one);
    for (Ticket& shown : tickets) OpenTeams::remove(shown);
    good = good && count(open) == kTickets;
    for (Ticket& one : fresh) OpenTeams::remove(one);
    good = good && open.empty();
    _exit(good ? 0 : 1);
  });
  ASSERT_GT(child, 0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace bobbin
