# SPDX-License-Identifier: Apache-2.0
"""What gdb shows of OpenMP threads on Bobbin.

memory    the runtime's data, by the table that the library exports
runtime   teams, threads and what they wait for
tasks     tasks that wait
fibers    kernel threads and suspended fibers, and their frames
waits     which construct a thread is in
since     since when
guess     what is missing
report    the text of it all
commands  gdb's commands
"""
