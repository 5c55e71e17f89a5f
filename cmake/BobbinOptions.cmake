# SPDX-License-Identifier: Apache-2.0
#
# Build types, sanitizers and the interface target that every C++ target of the project links.

include(CheckCXXCompilerFlag)

set(BOBBIN_SANITIZE "" CACHE STRING "Sanitizer: empty, address (with undefined), undefined or thread")
set_property(CACHE BOBBIN_SANITIZE PROPERTY STRINGS "" address undefined thread)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# -g1 keeps function names and lines for profilers and stack traces, at a few per cent of -g2's
# size.
foreach(lang IN ITEMS C CXX)
  set(CMAKE_${lang}_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
  set(CMAKE_${lang}_FLAGS_DEBUG "-O0 -g")
  set(CMAKE_${lang}_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer")
endforeach()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The command finds its libraries relative to itself, so a binary must not contain a build path.
set(CMAKE_SKIP_INSTALL_RPATH OFF)

# The presets set it. A package is built by compilers that nobody has tried.
option(BOBBIN_WARNINGS_ARE_ERRORS "a warning ends the build")
add_library(bobbin_warnings INTERFACE)
target_compile_options(
  bobbin_warnings
  INTERFACE -Wall -Wextra -Wshadow -Wformat-security
            $<$<BOOL:${BOBBIN_WARNINGS_ARE_ERRORS}>:-Werror>
            # Entry points repeat omp.h's declarations, which carry an attribute of gcc.
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-missing-exception-spec>)

if(BOBBIN_SANITIZE)
  set(BOBBIN_SANITIZE_FLAGS "-fsanitize=${BOBBIN_SANITIZE}")
  if(NOT BOBBIN_SANITIZE STREQUAL "thread")
    # The runtime has no RTTI, so vptr has nothing to look at.
    list(APPEND BOBBIN_SANITIZE_FLAGS -fsanitize=undefined -fno-sanitize-recover=undefined -fno-sanitize=vptr)
  endif()
  add_compile_options(${BOBBIN_SANITIZE_FLAGS})
  add_link_options(${BOBBIN_SANITIZE_FLAGS})
endif()

# bobbin_add_flag_if_supported(target flag...) adds PRIVATE those flags that the compiler knows.
function(bobbin_add_flag_if_supported target)
  foreach(flag IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "HAVE_FLAG_${flag}" var)
    check_cxx_compiler_flag(${flag} ${var})
    if(${var})
      target_compile_options(${target} PRIVATE ${flag})
    endif()
  endforeach()
endfunction()
