/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The omp.h of translated programs: the compiler's own, and what Bobbin has and older compilers do
 * not declare.
 */
#pragma GCC system_header

#include_next <omp.h>

/* Only C is translated. */
#if !defined(__cplusplus) && !defined(BOBBIN_OPENMP_OMP_H)
#define BOBBIN_OPENMP_OMP_H

/* NOLINTBEGIN(readability-identifier-naming, modernize-use-using): OpenMP's names, in C */

/* OpenMP 5.1. GCC has had interoperability objects since version 15. */
#if !defined(__clang__) && __GNUC__ < 15
typedef __INTPTR_TYPE__ omp_intptr_t;
typedef enum omp_interop_t {
  omp_interop_none = 0,
  omp_interop_max_ = __UINTPTR_MAX__
} omp_interop_t;
typedef enum omp_interop_property_t {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = -9
} omp_interop_property_t;
typedef enum omp_interop_rc_t {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;
typedef enum omp_interop_fr_t {
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_last = 7
} omp_interop_fr_t;
int omp_get_num_interop_properties(const omp_interop_t interop);
omp_intptr_t omp_get_interop_int(const omp_interop_t interop, omp_interop_property_t property,
                                 int* result);
void* omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property,
                          int* result);
const char* omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t property,
                                int* result);
const char* omp_get_interop_name(const omp_interop_t interop, omp_interop_property_t property);
const char* omp_get_interop_type_desc(const omp_interop_t interop, omp_interop_property_t property);
const char* omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t result);
#endif

/* The rest has types that every version agrees on, so it may be declared twice. OpenMP 5.1 and 5.2.
 */
int omp_in_explicit_task(void);
int omp_target_is_accessible(const void* pointer, __SIZE_TYPE__ size, int device);
void* omp_get_mapped_ptr(const void* pointer, int device);
int omp_target_memcpy_async(void* to, const void* from, __SIZE_TYPE__ length,
                            __SIZE_TYPE__ to_offset, __SIZE_TYPE__ from_offset, int to_device,
                            int from_device, int depobj_count, omp_depend_t* depobjs);
int omp_target_memcpy_rect_async(void* to, const void* from, __SIZE_TYPE__ element_size,
                                 int dimensions, const __SIZE_TYPE__* volume,
                                 const __SIZE_TYPE__* to_offsets, const __SIZE_TYPE__* from_offsets,
                                 const __SIZE_TYPE__* to_dimensions,
                                 const __SIZE_TYPE__* from_dimensions, int to_device,
                                 int from_device, int depobj_count, omp_depend_t* depobjs);

/* OpenMP 6.0. */
int omp_is_free_agent(void);
int omp_ancestor_is_free_agent(int level);
int omp_get_device_from_uid(const char* uid);
const char* omp_get_uid_from_device(int device);
void* omp_target_memset(void* pointer, int value, __SIZE_TYPE__ count, int device);
void* omp_target_memset_async(void* pointer, int value, __SIZE_TYPE__ count, int device,
                              int depobj_count, omp_depend_t* depobjs);

/* OpenMP 6.1. */
int omp_get_num_threads_dim(int dimension);
int omp_get_thread_num_dim(int dimension);
int omp_get_thread_limit_dim(int dimension);
int omp_get_num_teams_dim(int dimension);
int omp_get_team_num_dim(int dimension);
int omp_get_supported_active_team_dims(int device, int dimensions);
int omp_get_supported_active_league_dims(int device, int dimensions);
int omp_get_supported_threads_dim(int device, int dimension);
int omp_get_supported_teams_dim(int device, int dimension);
void omp_get_device_distances(int count, const int* devices, int* distances);

/* NOLINTEND(readability-identifier-naming, modernize-use-using) */

#endif
