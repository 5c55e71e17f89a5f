# SPDX-License-Identifier: Apache-2.0
#
# The benchmark programs.

foreach(
  name
  chain
  fib
  gap
  jacobi
  lu
  nested
  producer
  region
  small_regions
  taskgroup_reduction
  taskloop
  token
  transfer
  wavefront)
  bench_program(${name} ${name}.c)
endforeach()

# Unbalanced Tree Search
bench_program(uts uts/uts.c)

# Overheads of constructs
bench_program(
  overheads
  overheads/overheads.c
  overheads/sync.c
  overheads/locks.c
  overheads/loops.c
  overheads/data.c
  overheads/tasks.c)

# Constructs in isolation, entered by all threads at one point of time
bench_program(window window/window.c)
