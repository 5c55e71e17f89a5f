// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The C library's list of its threads whose stacks it has not made itself, which it describes for
// libthread_db. Whoever is on it is a thread to the loader: a library that is loaded finds its
// place in the thread's static TLS area initialised before any code of it runs, and what a lookup
// of symbols in the thread reads is not freed meanwhile.
//
// The C library has a lock for the list, which it does not describe. What is added here goes to the
// end, behind the initial thread, and is never taken off. There nobody else writes: the C library
// adds at the beginning, so that of the last entry it writes `prev` only and of the head `next`
// only, and what is added here writes the other two. Who walks goes by `next`.
namespace bobbin {

// The C library's list_t.
struct Link {
  Link* next;
  Link* prev;
};

// Looks for the list; not there in effect: it is not described, or not as described. The offsets
// are those of the link and of the thread's id in struct pthread.
void init_thread_list(ptrdiff_t link, ptrdiff_t id);

bool thread_list_known();

// Callers exclude each other.
void list_thread(Link& link);

// In the child of a fork, where the C library has emptied the list but for the calling thread.
void list_thread_first(Link& link);
void forget_empty_thread_list();  // nobody is at its end for ever

inline void unlist_thread(Link& link) {
  link.next->prev = link.prev;
  link.prev->next = link.next;
}

}  // namespace bobbin
