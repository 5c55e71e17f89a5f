/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variable that inlined code reads, for a program that is linked without the runtime. It is
 * exported. So the runtime, if it is loaded with the program, uses this one instead of its own.
 * With another runtime it stays NULL, and the inlined code calls that runtime.
 */
#include "layout.h"

__attribute__((visibility("default"))) __thread struct bobbin_thread_v1* bobbin_self_v1;
