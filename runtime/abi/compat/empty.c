/* SPDX-License-Identifier: Apache-2.0 */
/* A name library holds no code; a translation unit may not be empty. */
typedef int bobbin_compat_has_no_code;
