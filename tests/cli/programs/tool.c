/* SPDX-License-Identifier: Apache-2.0
 *
 * A tool for OMPT as far as a runtime looks for one; with RUNTIME, like a runtime that would.
 */
#include <stddef.h>

void* ompt_start_tool(unsigned version, const char* runtime);

void* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  return NULL;
}

#ifdef RUNTIME
void __kmpc_fork_call(void);
void __kmpc_fork_call(void) {}
#endif
