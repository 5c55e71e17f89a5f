/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a vendor's runtime. */
int omp_get_num_procs(void) { return -1; }
