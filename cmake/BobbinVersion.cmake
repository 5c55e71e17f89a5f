# SPDX-License-Identifier: Apache-2.0
#
# bobbin_commit: the header commit.h, which has the commit that is built as a string. It is looked
# up at each build, because a commit does not make CMake configure again. Run as a script, this file
# looks it up.

cmake_minimum_required(VERSION 3.25)

if(NOT CMAKE_SCRIPT_MODE_FILE)
  find_package(Git QUIET)
  add_custom_target(
    bobbin_commit_header
    COMMAND "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
            "-DHEADER=${PROJECT_BINARY_DIR}/commit/commit.h" -P "${CMAKE_CURRENT_LIST_FILE}"
    BYPRODUCTS "${PROJECT_BINARY_DIR}/commit/commit.h"
    COMMENT "")
  add_library(bobbin_commit INTERFACE)
  add_dependencies(bobbin_commit bobbin_commit_header)
  target_include_directories(bobbin_commit INTERFACE "${PROJECT_BINARY_DIR}/commit")
  return()
endif()

# `git archive` writes the commit into this file, see .gitattributes.
file(STRINGS "${SOURCE}/cmake/commit.txt" commit REGEX "^[0-9a-f]+$")
string(SUBSTRING "${commit}" 0 10 commit)
# A copy inside of another project's repository has no commit of its own.
if(NOT commit AND GIT AND EXISTS "${SOURCE}/.git")
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --exclude=* --abbrev=10
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${HEADER}"
     CONTENT "// SPDX-License-Identifier: Apache-2.0\n#define BOBBIN_COMMIT \"@commit@\"\n" @ONLY)
