# SPDX-License-Identifier: Apache-2.0
#
# bobbin_clang  the libraries of Clang 19 or later, with their headers. BOBBIN_CLANG_PROBLEM tells why
#               there is no such target.
#
# Clang's own CMake package is not asked. It ends CMake with an error wherever its files are installed
# without all that they name, and Debian's `clang` alone is such a case.

# Debian's folders, the version of development first; then wherever CMake looks.
set(BOBBIN_CLANG_PREFIXES /usr/lib/llvm-19 /usr/lib/llvm-23 /usr/lib/llvm-22 /usr/lib/llvm-21 /usr/lib/llvm-20
    DEFAULT CACHE STRING "Where Clang's libraries are looked for")
mark_as_advanced(BOBBIN_CLANG_PREFIXES)

# bobbin_defined(VARIABLE FILE MACRO): the number that the header defines; 0 without the header.
function(bobbin_defined variable file macro)
  set(${variable} 0 PARENT_SCOPE)
  if(EXISTS "${file}")
    file(STRINGS "${file}" line REGEX "#define +${macro} +[0-9]+")
    if(line MATCHES "${macro} +([0-9]+)")
      set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endif()
endfunction()

set(problems "")
set(BOBBIN_CLANG_NOTHING "Clang's libraries are not installed")

# Sets problem to what is missing in this prefix, or makes the target.
function(bobbin_try_clang prefix)
  set(where PATHS "${prefix}" NO_DEFAULT_PATH)
  if(prefix STREQUAL "DEFAULT")
    set(where "")
  endif()
  find_path(headers clang/Basic/Version.inc ${where} PATH_SUFFIXES include NO_CACHE)
  find_path(llvm_headers llvm/Config/llvm-config.h ${where} PATH_SUFFIXES include NO_CACHE)
  bobbin_defined(major "${headers}/clang/Basic/Version.inc" CLANG_VERSION_MAJOR)
  bobbin_defined(minor "${headers}/clang/Basic/Version.inc" CLANG_VERSION_MINOR)
  bobbin_defined(llvm_major "${llvm_headers}/llvm/Config/llvm-config.h" LLVM_VERSION_MAJOR)
  # Debian has no libclang-cpp.so.
  find_library(clang_cpp NAMES clang-cpp "libclang-cpp.so.${major}.${minor}" ${where} PATH_SUFFIXES lib NO_CACHE)
  find_library(llvm NAMES LLVM "LLVM-${major}" ${where} PATH_SUFFIXES lib NO_CACHE)

  if(NOT headers)
    set(problem "${BOBBIN_CLANG_NOTHING}")
  elseif(major LESS 19)
    set(problem "Clang 19 or later is needed, not ${major}")
  elseif(NOT llvm_major EQUAL major)
    set(problem "LLVM's headers of version ${major} are not installed")
  elseif(NOT clang_cpp OR NOT llvm)
    set(problem "the libraries clang-cpp and LLVM of version ${major} are not installed")
  else()
    set(problem "")
    add_library(bobbin_clang INTERFACE)
    target_include_directories(bobbin_clang SYSTEM INTERFACE "${headers}" "${llvm_headers}")
    target_link_libraries(bobbin_clang INTERFACE "${clang_cpp}" "${llvm}")
  endif()
  set(problem "${problem}" PARENT_SCOPE)
endfunction()

foreach(prefix IN LISTS BOBBIN_CLANG_PREFIXES)
  bobbin_try_clang("${prefix}")
  if(TARGET bobbin_clang)
    break()
  endif()
  list(APPEND problems "${problem}")
endforeach()
# Where a part is installed, the user wants to know which part is missing.
list(REMOVE_ITEM problems "${BOBBIN_CLANG_NOTHING}")
list(APPEND problems "${BOBBIN_CLANG_NOTHING}")
list(GET problems 0 BOBBIN_CLANG_PROBLEM)
