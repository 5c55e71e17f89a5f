// SPDX-License-Identifier: Apache-2.0
// A library that replaces the runtime's entry points for tasks in a program built by gcc: a task
// becomes a direct call of its function on the original data. The time by which such a program
// exceeds the serial one comes from the compiler's translation of the task construct. No runtime
// can save it.
//
// Only for one thread, and for tasks of at most 64 bytes of data without dependences.
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
