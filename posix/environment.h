/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Fills `environment` from the variables OMP_*. A value that cannot be read ends the program. */
void read_environment(void);
