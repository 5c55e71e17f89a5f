# SPDX-License-Identifier: Apache-2.0
#
# Programs that `bobbin cc --translate` builds, with gcc and with clang behind it: omp/NAME/translated
# and omp/NAME/translated/clang. gcc's objects are also linked with POSIX threads alone: omp/NAME/posix.
# tests/cli/test_translate.py lists the others of c/, and why.

set(OMP_BIN_DIR_translated "${CMAKE_CURRENT_BINARY_DIR}/programs-translated")
set(OMP_COMPILERS_translated gcc)
set(OMP_BIN_DIR_translated-clang "${CMAKE_CURRENT_BINARY_DIR}/programs-translated-clang")
set(OMP_COMPILERS_translated-clang clang)
set(OMP_BIN_DIR_posix "${CMAKE_CURRENT_BINARY_DIR}/programs-posix")
set(OMP_COMPILERS_posix gcc)
file(MAKE_DIRECTORY "${OMP_BIN_DIR_translated}" "${OMP_BIN_DIR_translated-clang}" "${OMP_BIN_DIR_posix}")

# omp_linked(NAME WHO OBJECT LIBRARY [WORD...]): the command that links a translated program.
function(omp_linked name who object library)
  set(program "${OMP_BIN_DIR_${who}}/${name}")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND $<TARGET_FILE:bobbin_command> cc --translate ${ARGN} -o "${program}" "${object}" -lm
    DEPENDS "${object}" bobbin_command ${library}
    COMMENT "Linking OpenMP program ${name} (${who})"
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY omp_translated_programs "${program}")
endfunction()

# omp_translated(SOURCE [CLANG] [SET NAME=VALUE...] [FLAGS flag...]) CLANG: also with clang.
function(omp_translated source)
  cmake_parse_arguments(arg "CLANG" "" "SET;FLAGS" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  set(settings "")
  foreach(setting IN LISTS arg_SET)
    list(APPEND settings --set "${setting}")
  endforeach()
  set(translators translated)
  set(compiler_translated "${BOBBIN_GCC}")
  if(arg_CLANG AND BOBBIN_CLANG)
    list(APPEND translators translated-clang)
    set(compiler_translated-clang "${BOBBIN_CLANG}")
  endif()
  foreach(who IN LISTS translators)
    set(object "${OMP_BIN_DIR_${who}}/${name}.o")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND $<TARGET_FILE:bobbin_command> cc --cc=${compiler_${who}} --translate -O2 -g1 -Wall -Werror
              -Wno-unused-function -fopenmp ${arg_FLAGS} -I "${CMAKE_CURRENT_SOURCE_DIR}" -c -o "${object}"
              "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
      DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" "${CMAKE_CURRENT_SOURCE_DIR}/check.h"
              "${PROJECT_SOURCE_DIR}/include/bobbin/native.h"
              "${PROJECT_SOURCE_DIR}/include/bobbin/native_inline.h" ${inline_headers} bobbin_command bobbin_translator
      COMMENT "Translating OpenMP program ${source} (${who})"
      VERBATIM)
    omp_linked(${name} ${who} "${object}" bobbin_libraries --cc=${compiler_${who}} -fopenmp)
    string(REPLACE "-" "/" test "${who}")
    omp_runner(runner ${who} ${name} bobbin ${settings})
    list(GET OMP_PROVIDERS 0 provider)
    add_test(NAME omp/${name}/${test} COMMAND ${runner} --threads 1,3,8 --provider ${provider} --preload
                                              "${BOBBIN_PRELOAD}")
    set_tests_properties(omp/${name}/${test} PROPERTIES LABELS omp TIMEOUT ${BOBBIN_TEST_PATIENCE})
  endforeach()
  if(NOT "all" IN_LIST OMP_GAPS_posix_${name})
    omp_linked(${name} posix "${OMP_BIN_DIR_translated}/${name}.o" bobbin_posix --cc=${BOBBIN_GCC} --threads=posix
               -fopenmp)
    omp_runner(runner posix ${name} posix ${settings})
    add_test(NAME omp/${name}/posix COMMAND ${runner} --threads 1,3)
    set_tests_properties(omp/${name}/posix PROPERTIES LABELS omp TIMEOUT ${BOBBIN_TEST_PATIENCE})
  endif()
endfunction()

set(own_headers FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_translated(c/parallel_basic.c CLANG)
omp_translated(c/parallel_nested.c)
omp_translated(c/parallel_share.c SET BOBBIN_SHARE=fair OMP_NUM_THREADS=8)
omp_translated(c/parallel_threadprivate.c CLANG)
omp_translated(c/parallel_turns.c)
omp_translated(c/float_environment.c)
omp_translated(c/mixture.c)
omp_translated(c/for_schedules.c CLANG)
omp_translated(c/for_monotonic.c)
omp_translated(c/for_runtime.c)
omp_translated(c/for_limits.c CLANG)
omp_translated(c/for_ordered.c)
omp_translated(c/for_nowait.c)
omp_translated(c/for_lastprivate.c)
omp_translated(c/for_collapse.c CLANG)
omp_translated(c/loop_transformations.c CLANG)
omp_translated(c/loop_clauses.c CLANG SET OMP_CANCELLATION=true)
omp_translated(c/orphaned.c)
omp_translated(c/sections.c CLANG)
omp_translated(c/scope.c)
omp_translated(c/simd.c)
omp_translated(c/loop_construct.c CLANG)
omp_translated(c/teams.c)
omp_translated(c/distribute.c CLANG)
omp_translated(c/target.c CLANG)
omp_translated(c/taskloop.c)
omp_translated(c/taskgraph.c CLANG)
omp_translated(c/task_clauses_6.c ${own_headers})
omp_translated(c/critical.c CLANG)
omp_translated(c/barrier.c)
omp_translated(c/locks.c)
omp_translated(c/atomic.c CLANG)
omp_translated(c/atomic_forms.c CLANG)
omp_translated(c/language.c CLANG)
omp_translated(c/newer_directives.c CLANG)
omp_translated(c/error_directive.c CLANG)
omp_translated(c/task_wait.c CLANG)
omp_translated(c/task_basic.c CLANG)
omp_translated(c/task_data.c CLANG SET BOBBIN_TASK_MEMORY=16M)
omp_translated(c/task_memory.c SET BOBBIN_TASK_MEMORY=512K)
omp_translated(c/task_calls.c)
omp_translated(c/task_tied.c)
omp_translated(c/task_siblings.c)
omp_translated(c/task_priority.c SET OMP_MAX_TASK_PRIORITY=5)
omp_translated(c/task_depend.c CLANG)
omp_translated(c/task_depobj.c CLANG)
omp_translated(c/task_random.c SET OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 ${own_headers})
omp_translated(c/task_transparent.c ${own_headers})
omp_translated(c/task_policy.c ${own_headers})
omp_translated(c/reduction_ops.c CLANG)
omp_translated(c/reduction_task.c CLANG)
omp_translated(c/reduction_declared.c)
omp_translated(c/for_doacross.c)
omp_translated(c/cancel.c SET OMP_CANCELLATION=true FLAGS -DTRANSLATED)
omp_translated(c/single.c)
omp_translated(c/task_inlined.c SET OMP_CANCELLATION=true)
omp_translated(c/task_continuation.c SET BOBBIN_TASK_POLICY=creation=continuation)
omp_translated(c/task_detach.c)
omp_translated(c/task_recursion.c)
omp_translated(c/taskloop_ranges.c SET OMP_MAX_TASK_PRIORITY=1)
omp_translated(c/task_suspended.c ${own_headers})
omp_translated(c/task_block.c ${own_headers})
omp_translated(c/task_scheduler.c ${own_headers})
omp_translated(c/alpi.c)
omp_translated(c/spawn.c ${own_headers})
omp_translated(c/api_icv.c)
omp_translated(c/bound_busy.c SET OMP_PLACES=threads OMP_PROC_BIND=spread)
omp_translated(c/bound_threads.c SET OMP_PLACES=threads OMP_PROC_BIND=close)
omp_translated(c/api_misc.c)
omp_translated(c/api_affinity.c SET OMP_PROC_BIND=true)

get_property(omp_translated_programs GLOBAL PROPERTY omp_translated_programs)
list(APPEND omp_programs ${omp_translated_programs})
add_custom_target(omp_translated_programs DEPENDS ${omp_translated_programs})
