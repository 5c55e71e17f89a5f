/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: stands for a garbage collector, by the NAME of what threads register with. */
int NAME(void) { return 0; }
