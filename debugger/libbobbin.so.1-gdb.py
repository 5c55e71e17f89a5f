# SPDX-License-Identifier: Apache-2.0
"""Teaches gdb about OpenMP threads on Bobbin. gdb loads it with the library, or `source` does.

`help bobbin` tells the commands.
"""

import os
import sys

import gdb

# The package is in a folder beside the library. So is this script, unless it is in gdb's own
# folder.
_places = [os.path.abspath(__file__)]
_object = gdb.current_objfile()
if _object is not None and _object.filename is not None:
    _places.append(_object.filename)
for _place in _places:
    _package = os.path.join(os.path.dirname(_place), "bobbin", "gdb")
    if os.path.isdir(os.path.join(_package, "bobbin_gdb")):
        _written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        sys.path.insert(0, _package)
        import bobbin_gdb.commands

        bobbin_gdb.commands.register()
        sys.path.remove(_package)
        sys.dont_write_bytecode = _written
        break
