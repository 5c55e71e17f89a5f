# SPDX-License-Identifier: Apache-2.0
#
# Debian's cross compilers, and a Debian system for AArch64 to link with and to run programs in.
# scripts/aarch64-system makes that system.

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
# clang can use GCC's cross headers, but there is no libomp to link with. scripts/test-aarch64 has
# put a linker script that names Bobbin's library in its place.
set(to_aarch64 --target=aarch64-linux-gnu "-L${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-libomp"
               "-Wl,-rpath,${CMAKE_CURRENT_LIST_DIR}/../build/aarch64/lib")
set(BOBBIN_CLANG clang-19 ${to_aarch64})
set(BOBBIN_CLANGXX clang++-19 ${to_aarch64})
set(BOBBIN_FLANG OFF)
