/* SPDX-License-Identifier: Apache-2.0 */
/* What libbobbin.so.1 offers beside the OpenMP interfaces. Plain C, stable under BOBBIN_1.0. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called once for each setting.
 *   user    as given to bobbin_env_report
 *   name    the setting, by the name of its ICV or, for Bobbin's own, of its variable
 *   value   what is in force
 *   source  where it came from, in a word or two: "default", "OMP_NUM_THREADS", "cgroup quota",
 *           "affinity mask"
 *   detail  more about the source, or ""
 * The strings are valid during the call only.
 */
typedef void (*bobbin_env_emit_t)(void* user, const char* name, const char* value,
                                  const char* source, const char* detail);

/* Reports every setting the runtime would use in this process, without starting any thread. */
void bobbin_env_report(bobbin_env_emit_t emit, void* user);

#ifdef __cplusplus
}
#endif
