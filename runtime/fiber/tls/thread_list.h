// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// The C library's list of the threads whose stacks it has not made itself. The C library describes
// it for libthread_db. An entry of the list is a thread to the loader: when a library is loaded,
// its place in the thread's static TLS area is initialised before any code of the library runs. And
// data that a symbol lookup in the thread reads is not freed meanwhile.
//
// The C library has a lock for the list but does not describe that lock. Entries added here go to
// the end, behind the initial thread, and are never removed. No other code writes there: the C
// library adds at the beginning, so it writes only `prev` of the last entry and only `next` of the
// head. The code here writes the other two fields. Code that walks the list follows `next`.
namespace bobbin {

// The C library's list_t.
struct Link {
  Link* next;
  Link* prev;
};

// Looks for the list. If it is not described, or is not as described, thread_list_known() is false.
// The offsets are those of the link and of the thread's id in struct pthread.
void init_thread_list(ptrdiff_t link, ptrdiff_t id);

bool thread_list_known();

// Callers exclude each other by a lock of their own.
void list_thread(Link& link);

// For the child of a fork, where the C library has emptied the list except for the calling thread.
void list_thread_first(Link& link);
void forget_empty_thread_list();  // then no entry stays at its end for ever

inline void unlist_thread(Link& link) {
  link.next->prev = link.prev;
  link.prev->next = link.next;
}

}  // namespace bobbin
