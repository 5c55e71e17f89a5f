# SPDX-License-Identifier: Apache-2.0
#
# Man pages from the pages of docs/ that describe the commands and the environment.

find_program(BOBBIN_MD2MAN go-md2man)
find_program(BOBBIN_AWK awk)
if(NOT BOBBIN_MD2MAN OR NOT BOBBIN_AWK)
  bobbin_leave_out("man pages" "go-md2man and awk are not both installed" "go-md2man")
  return()
endif()

set(manual_pages "")
function(bobbin_manual_page name section source)
  set(page "${PROJECT_BINARY_DIR}/man/${name}.${section}")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND
      "${BOBBIN_AWK}" -f "${PROJECT_SOURCE_DIR}/scripts/manual-page" -v name=${name} -v
      section=${section} -v version=${PROJECT_VERSION} "${PROJECT_SOURCE_DIR}/${source}" >
      "${page}.md"
    COMMAND "${BOBBIN_MD2MAN}" -in "${page}.md" -out "${page}"
    DEPENDS "${PROJECT_SOURCE_DIR}/${source}" "${PROJECT_SOURCE_DIR}/scripts/manual-page"
    COMMENT "man: ${name}(${section})"
    VERBATIM)
  set(manual_pages ${manual_pages} "${page}" PARENT_SCOPE)
  install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man${section}" COMPONENT manual)
endfunction()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/man")
file(GLOB command_pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS docs/commands/*.md)
foreach(source IN LISTS command_pages)
  get_filename_component(command "${source}" NAME_WE)
  if(command STREQUAL "bobbin")
    bobbin_manual_page(bobbin 1 "${source}")
  else()
    bobbin_manual_page(bobbin-${command} 1 "${source}")
  endif()
endforeach()
bobbin_manual_page(bobbin-environment 7 docs/environment.md)
add_custom_target(manual ALL DEPENDS ${manual_pages})
add_dependencies(bobbin_installed manual)
