# SPDX-License-Identifier: Apache-2.0
#
# The compilers for the tests' programs and for the benchmarks. These are built as a user would
# build them, whatever compiler and flags are used for the library. For LLVM it is version 19, which
# development uses, or the newest version that is installed.

set(llvm_versions 19 23 22 21 20)
foreach(tool IN ITEMS clang clang++ flang flang-new)
  list(TRANSFORM llvm_versions PREPEND "${tool}-" OUTPUT_VARIABLE BOBBIN_NAMES_${tool})
endforeach()

find_program(BOBBIN_GCC NAMES gcc)
find_program(BOBBIN_GXX NAMES g++)
find_program(BOBBIN_GFORTRAN NAMES gfortran)
find_program(BOBBIN_CLANG NAMES ${BOBBIN_NAMES_clang})
string(REGEX MATCH "[0-9]+$" BOBBIN_LLVM_VERSION "${BOBBIN_CLANG}")
find_program(BOBBIN_CLANGXX NAMES ${BOBBIN_NAMES_clang++})
find_program(BOBBIN_FLANG NAMES ${BOBBIN_NAMES_flang-new} ${BOBBIN_NAMES_flang})
