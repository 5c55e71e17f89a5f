# SPDX-License-Identifier: Apache-2.0
#
# Programs with inlined tasks (docs/notes/inlined-tasks.md). Each is one of the other programs, built
# again: omp/NAME/inlined/PROVIDER, and omp/NAME/inlined/libgomp, because such a program also runs on
# another runtime.

set(inline_sources "${PROJECT_SOURCE_DIR}/include/bobbin/inline")
set(inline_objects "${CMAKE_CURRENT_BINARY_DIR}/inlined")
file(MAKE_DIRECTORY "${inline_objects}")
file(GLOB inline_headers "${inline_sources}/*.h")

# omp_inline_object(OUT SOURCE COMPILER flag...)
function(omp_inline_object out source compiler)
  add_custom_command(
    OUTPUT "${inline_objects}/${out}"
    COMMAND "${compiler}" -std=c11 -O2 -fPIC -fexceptions -Wall -Wextra -Werror ${ARGN} -c -o
            "${inline_objects}/${out}" "${inline_sources}/${source}"
    DEPENDS "${inline_sources}/${source}" ${inline_headers}
    VERBATIM)
endfunction()
omp_inline_object(gomp.o gomp.c "${BOBBIN_GCC}" -flto)
omp_inline_object(entries.o entries.c "${BOBBIN_GCC}" -fno-lto)
omp_inline_object(self.o self.c "${BOBBIN_GCC}" -fno-lto)
set(OMP_INLINED_FLAGS_gnu -flto=auto -Wl,--export-dynamic-symbol=bobbin_self_v1)
set(OMP_INLINED_OBJECTS_gnu "${inline_objects}/gomp.o" "${inline_objects}/entries.o"
                            "${inline_objects}/self.o")
set(OMP_COMPILERS_gnu_inlined gcc)
set(OMP_BIN_DIR_gnu_inlined "${CMAKE_CURRENT_BINARY_DIR}/programs-gnu-inlined")

# omp_inlined(SOURCE [NO_LIBGOMP] [SET NAME=VALUE...] [FLAGS flag...])
function(omp_inlined source)
  cmake_parse_arguments(arg "NO_LIBGOMP" "" "SET;FLAGS" ${ARGN})
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(extension "${source}" EXT)
  set(settings "")
  foreach(setting IN LISTS arg_SET)
    list(APPEND settings --set "${setting}")
  endforeach()
  set(inputs "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  set(flags ${OMP_FLAGS} ${arg_FLAGS} -I "${CMAKE_CURRENT_SOURCE_DIR}")
  set(compiler_gnu "${BOBBIN_GCC}" -foffload=disable)
  if(extension STREQUAL ".cpp")
    set(compiler_gnu "${BOBBIN_GXX}" -foffload=disable -std=c++17)
  elseif(extension STREQUAL ".f90")
    if(NOT BOBBIN_GFORTRAN)
      return()
    endif()
    set(modules "${inline_objects}/modules-${name}")
    file(MAKE_DIRECTORY "${modules}")
    list(PREPEND inputs "${CMAKE_CURRENT_SOURCE_DIR}/fortran/check.f90")
    set(compiler_gnu "${BOBBIN_GFORTRAN}" -foffload=disable -cpp -J "${modules}"
                     -ffree-line-length-none)
  endif()
  foreach(toolchain IN LISTS omp_toolchains)
    if(NOT OMP_INLINED_OBJECTS_${toolchain} OR NOT compiler_${toolchain})
      continue()
    endif()
    set(who ${toolchain}_inlined)
    file(MAKE_DIRECTORY "${OMP_BIN_DIR_${who}}")
    set(program "${OMP_BIN_DIR_${who}}/${name}")
    add_custom_command(
      OUTPUT "${program}"
      COMMAND ${compiler_${toolchain}} ${flags} ${OMP_INLINED_FLAGS_${toolchain}} -o "${program}"
              ${inputs} ${OMP_INLINED_OBJECTS_${toolchain}} -lm
      DEPENDS ${inputs} ${OMP_INLINED_OBJECTS_${toolchain}} "${CMAKE_CURRENT_SOURCE_DIR}/check.h"
      COMMENT "Building OpenMP program ${source} (${toolchain}, inlined)"
      VERBATIM)
    set_property(GLOBAL APPEND PROPERTY omp_inlined_programs "${program}")
    set(prefix omp/${name}/inlined)
    set(labels omp)
    if(toolchain STREQUAL "llvm")
      set(prefix omp/${name}/llvm/inlined)
      list(APPEND labels llvm)
    endif()
    set(tests "")
    foreach(provider IN LISTS OMP_PROVIDERS)
      omp_runner(runner ${who} ${name} bobbin ${settings})
      add_test(NAME ${prefix}/${provider}
               COMMAND ${runner} --threads 1,2,3,8 --provider ${provider} --preload
                       "${BOBBIN_PRELOAD}")
      list(APPEND tests ${prefix}/${provider})
    endforeach()
    set(own ${OMP_OWN_${toolchain}})
    if(NOT arg_NO_LIBGOMP AND NOT "all" IN_LIST OMP_GAPS_${own}_${name})
      omp_runner(runner ${who} ${name} "${own};${own}_inlined" ${settings})
      add_test(NAME ${prefix}/${own} COMMAND ${runner} --threads 1,3)
      list(APPEND tests ${prefix}/${own})
    endif()
    set_tests_properties(${tests} PROPERTIES LABELS "${labels}" TIMEOUT ${BOBBIN_TEST_PATIENCE})
  endforeach()
endfunction()

omp_inlined(c/task_inlined.c SET OMP_CANCELLATION=true)
omp_inlined(c/task_basic.c)
omp_inlined(c/task_wait.c)
omp_inlined(c/task_calls.c)
omp_inlined(c/task_tied.c)
omp_inlined(c/task_siblings.c)
omp_inlined(c/task_priority.c NO_LIBGOMP SET OMP_MAX_TASK_PRIORITY=5)
omp_inlined(c/task_data.c SET BOBBIN_TASK_MEMORY=16M)
omp_inlined(c/task_memory.c NO_LIBGOMP SET BOBBIN_TASK_MEMORY=512K)
omp_inlined(c/task_depend.c)
omp_inlined(c/task_detach.c)
omp_inlined(c/task_recursion.c)
omp_inlined(c/taskloop.c)
omp_inlined(c/task_continuation.c SET BOBBIN_TASK_POLICY=creation=continuation)
omp_inlined(c/task_random.c NO_LIBGOMP SET OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5
            FLAGS -pthread -I "${PROJECT_SOURCE_DIR}/include")
omp_inlined(c/task_policy.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_inlined(c/task_scheduler.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_inlined(c/task_transparent.c NO_LIBGOMP FLAGS -I "${PROJECT_SOURCE_DIR}/include")
omp_inlined(c/parallel_threadprivate.c)
omp_inlined(c/reduction_task.c)
omp_inlined(c/cancel.c SET OMP_CANCELLATION=true)
omp_inlined(c/api_icv.c)
omp_inlined(cpp/exceptions.cpp)
omp_inlined(cpp/class_data.cpp)
omp_inlined(cpp/thread_local_objects.cpp)
omp_inlined(fortran/f_tasks.f90)

get_property(omp_inlined_programs GLOBAL PROPERTY omp_inlined_programs)
list(APPEND omp_programs ${omp_inlined_programs})
