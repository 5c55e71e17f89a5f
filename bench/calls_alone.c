// SPDX-License-Identifier: Apache-2.0
// A library that takes the place of the runtime's entry points for tasks under a program that gcc
// has built: a task is its function called at once, from the data as they are. What such a program
// takes longer than the serial one no runtime can save, for it is what the compiler has made of the
// task construct.
//
// For one thread, and tasks of at most 64 bytes of data without dependences.
#include <stdalign.h>
#include <stdlib.h>

typedef void (*function_t)(void*);
typedef void (*copy_t)(void* to, void* from);

void GOMP_task(function_t function, void* data, copy_t copy, long size, long alignment,
               _Bool if_clause, unsigned flags, void** depend, int priority, void* event_handle);
void GOMP_taskwait(void);

void GOMP_task(function_t function, void* data, copy_t copy, long size, long alignment,
               _Bool if_clause, unsigned flags, void** depend, int priority, void* event_handle) {
  (void)if_clause, (void)flags, (void)depend, (void)priority, (void)event_handle;
  if (copy == NULL) {
    function(data);
    return;
  }
  alignas(16) char room[64];
  if (size > (long)sizeof(room) || alignment > 16) abort();
  copy(room, data);
  function(room);
}

void GOMP_taskwait(void) {}
