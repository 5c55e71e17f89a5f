// SPDX-License-Identifier: Apache-2.0
// As dl_tls.c, with a C library that does not describe its list of threads.
const unsigned _thread_db_rtld_global__dl_stack_user[3] = {0, 0, 0};

#include "dl_tls.c"
