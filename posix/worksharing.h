/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "team.h"

/* doacross.c. The lock is held. A chunk of a loop with ordered(n). */
void begin_doacross_chunk(struct member* member, struct work* work);
void end_doacross_chunk(struct member* member);
void free_work(struct work* work);
