# SPDX-License-Identifier: Apache-2.0
#
# The benchmark programs.

foreach(
  name
  blocking
  chain
  gap
  nested
  pipeline
  poll_critical
  producer
  region
  small_regions
  taskgroup_reduction
  taskloop
  tasks_kept
  token
  uneven
  wavefront)
  bench_program(${name} ${name}.c)
endforeach()

bench_program(own_barrier own_barrier.c LIBRARIES -lpthread)
bench_program(poll poll.c LIBRARIES -lpthread)
bench_program(processors processors.c NO_OPENMP LIBRARIES -lpthread)
bench_program(gap_by_hand gap_by_hand.c NO_OPENMP LIBRARIES -lpthread)

# Unbalanced Tree Search. If something was not found, the program says so when it runs.
bench_task_program(uts uts/uts.c)
bench_task_program(uts_aggregate uts/aggregate.c)

find_library(BENCH_TBB NAMES tbb)
set(tbb_library "")
if(BENCH_TBB)
  set(tbb_library "${BENCH_TBB}")
endif()
bench_program(uts_tbb uts/uts_tbb.cpp LIBRARIES ${tbb_library} COMPILERS gcc)
bench_program(uts_taskflow uts/uts_taskflow.cpp LIBRARIES -pthread COMPILERS gcc)

find_program(
  BENCH_OPENCILK
  NAMES clang
  HINTS "$ENV{OPENCILK_HOME}" /opt/opencilk /usr/local/opencilk
  PATH_SUFFIXES bin
  NO_DEFAULT_PATH)
if(BENCH_OPENCILK)
  set(bench_opencilk_c "${BENCH_OPENCILK}")
  set(bench_opencilk_dir "${PROJECT_BINARY_DIR}/bench")
  set(by_opencilk FLAGS -fopencilk -DTOOLCHAIN_FOUND LIBRARIES -fopencilk COMPILERS opencilk)
else()
  set(by_opencilk COMPILERS gcc)
endif()
bench_program(uts_cilk uts/uts_cilk.c ${by_opencilk})
bench_program(uts_cilk_reducer uts/uts_cilk_reducer.c ${by_opencilk})

# Programs on Bobbin's own interface
# The library lies beside bench/, or where it is installed.
file(RELATIVE_PATH installed_library "/${CMAKE_INSTALL_LIBEXECDIR}/bobbin/bench" "/${CMAKE_INSTALL_LIBDIR}")
set(on_bobbin
    NO_OPENMP
    FLAGS
    -I
    "${PROJECT_SOURCE_DIR}/include"
    LIBRARIES
    $<TARGET_FILE:bobbin>
    "-Wl,-rpath,$ORIGIN/../lib:$ORIGIN/${installed_library}"
    COMPILERS
    gcc)
bench_program(fib_spawn fib_spawn.c ${on_bobbin})
bench_program(uts_spawn uts/uts_spawn.c ${on_bobbin})
bench_program(uts_spawn_once uts/uts_spawn_once.c ${on_bobbin})

# Overheads of constructs
bench_program(
  overheads
  overheads/overheads.c
  overheads/sync.c
  overheads/locks.c
  overheads/loops.c
  overheads/data.c
  overheads/tasks.c)

# Tasks by the size of their data
bench_program(task_data task_data/task_data.c)

# Constructs in isolation, which all threads enter at the same time
bench_program(window window/window.c)

# The example for bobbin_set_taskgroup_scheduler
bench_program(scheduler scheduler.c FLAGS -I "${PROJECT_SOURCE_DIR}/include" LIBRARIES -lpthread)

# The example for bobbin_set_task_transparent
bench_program(submission submission.c FLAGS -I "${PROJECT_SOURCE_DIR}/include")

# Task applications
bench_task_program(fib fib.c)
# The cost of the programs themselves, without a runtime
add_library(calls_alone SHARED calls_alone.c)
set_target_properties(calls_alone PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${bench_gcc_dir}")
install(TARGETS calls_alone
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/bobbin/bench" COMPONENT programs)
set(calls_alone LIBRARIES $<TARGET_FILE:calls_alone> "-Wl,-rpath,$ORIGIN" COMPILERS gcc)
bench_program(fib_calls_alone fib.c ${calls_alone})
bench_program(uts_calls_alone uts/uts.c ${calls_alone})
# What calls of the runtime's task functions take, for programs of clang
add_library(task_calls SHARED task_calls.c)
set_target_properties(task_calls PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${bench_gcc_dir}")
target_link_libraries(task_calls PRIVATE ${CMAKE_DL_LIBS})
install(TARGETS task_calls
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/bobbin/bench" COMPONENT programs)
bench_task_program(jacobi jacobi.c)
bench_task_program(lu lu.c)
foreach(
  name
  alignment
  cholesky
  concom
  fft
  floorplan
  health
  knapsack
  nqueens
  sort
  strassen)
  bench_task_program(${name} apps/${name}.c)
endforeach()

# Applications of other constructs, or without variants
bench_program(advection apps/advection.c)
bench_program(advection_regions apps/advection_regions.c)
bench_program(cluster apps/cluster.c)
bench_program(sweep apps/sweep.c)

# Built by `bobbin cc`
if(bench_inlining_compilers)
  foreach(name fib region)
    bench_program(${name} ${name}.c COMPILERS ${bench_inlining_compilers})
  endforeach()
  bench_program(uts uts/uts.c COMPILERS ${bench_inlining_compilers})
  foreach(name floorplan nqueens sort)
    bench_program(${name} apps/${name}.c COMPILERS ${bench_inlining_compilers})
  endforeach()
endif()
