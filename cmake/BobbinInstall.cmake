# SPDX-License-Identifier: Apache-2.0
#
# What is installed beside the targets, which install themselves. The components are what packages
# are made of: library, development, command, translator, manual (man pages, completion), lab, programs
# (the lab's), sources (of these programs), documents.

include(CMakePackageConfigHelpers)

install(DIRECTORY include/bobbin DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(FILES include/omp-tools.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)

file(RELATIVE_PATH from_pc_to_include "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
configure_file(include/bobbin.pc.in bobbin.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/bobbin.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
        COMPONENT development)

# find_package(Bobbin)
set(config "${CMAKE_INSTALL_LIBDIR}/cmake/Bobbin")
configure_package_config_file(
  cmake/BobbinConfig.cmake.in BobbinConfig.cmake
  INSTALL_DESTINATION "${config}"
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(BobbinConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/BobbinConfig.cmake"
              "${PROJECT_BINARY_DIR}/BobbinConfigVersion.cmake"
        DESTINATION "${config}" COMPONENT development)

# The documents keep their folders, because they link to each other.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documents)
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documents)
file(GLOB_RECURSE folder_pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS runtime/*/README.md)
foreach(page IN ITEMS ${folder_pages} bench/README.md bin/README.md compiler/README.md
                      debugger/README.md insight/README.md lab/README.md mpi/README.md
                      posix/README.md simulator/README.md tests/model/README.md)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT documents)
endforeach()

# What `make install` builds: everything that it installs, and no benchmarks.
add_custom_target(bobbin_installed DEPENDS bobbin_libraries bobbin_command bobbin_simulate)
foreach(target IN ITEMS bobbin_translator bobbin_posix)
  if(TARGET ${target})
    add_dependencies(bobbin_installed ${target})
  endif()
endforeach()
