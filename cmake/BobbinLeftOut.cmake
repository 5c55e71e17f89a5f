# SPDX-License-Identifier: Apache-2.0
#
# What this build leaves out, because something that it needs is not installed. `make install` shows the
# list left-out.txt of the build folder.

set_property(GLOBAL PROPERTY BOBBIN_LEFT_OUT "")

# bobbin_leave_out(WHAT WHY PACKAGES): Debian's names of the packages that suffice.
function(bobbin_leave_out what why packages)
  message(STATUS "${what}: left out, because ${why} (${packages})")
  set_property(GLOBAL APPEND_STRING PROPERTY BOBBIN_LEFT_OUT
               "  ${what}: ${why}. Debian's packages for it: ${packages}\n")
endfunction()

function(bobbin_write_left_out)
  get_property(text GLOBAL PROPERTY BOBBIN_LEFT_OUT)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/left-out.txt" CONTENT "@text@" @ONLY)
endfunction()
