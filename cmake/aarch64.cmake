# SPDX-License-Identifier: Apache-2.0
#
# Debian's cross compilers, and a Debian system for AArch64 to link with and to run programs in, as
# scripts/test-aarch64 makes it.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
get_filename_component(CMAKE_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-system" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# See UserCompilers.cmake.
find_program(BOBBIN_GCC NAMES aarch64-linux-gnu-gcc)
find_program(BOBBIN_GXX NAMES aarch64-linux-gnu-g++)
find_program(BOBBIN_GFORTRAN NAMES aarch64-linux-gnu-gfortran)
foreach(compiler IN ITEMS BOBBIN_CLANG BOBBIN_CLANGXX BOBBIN_FLANG)
  set(${compiler} OFF)
endforeach()
