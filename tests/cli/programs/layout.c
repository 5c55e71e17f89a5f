/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: stands for a C library whose thread control block is another one. NAME is the
   descriptor that differs, {bits, elements, offset} or a size. */
const unsigned NAME[] = {VALUES};
