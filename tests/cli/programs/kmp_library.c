/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for LLVM's library: a name and an entry point. */
void __kmpc_not_an_entry_point_of_any_runtime(void) {}
